/**
 * Storage in a folder that all machines share, such as a NAS. Files are written under a temporary name,
 * closed and renamed, without sync: a file damaged by a power cut fails its hash, and the task runs
 * elsewhere. Others who can write to the folder may place links and pipes there, so all access goes through
 * the handle of a folder reached without links, and only regular files are read. On systems without handle
 * paths (see folder-handle.ts) a folder exchanged during a call is not noticed.
 */
import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  open,
  opendir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { hasCode } from '../../../files/src/file-errors.ts';
import {
  LedOutside,
  openFileInside,
  openFolderInside,
  type FolderHandle,
} from '../../../files/src/folder-handle.ts';
import { assertName, DamagedFile, maxListedNames, type PoolStorage } from './storage.ts';

/** A job's folder contains files only; anything nested deeper stays. */
const maxDepth = 8;
/** Entries that are deleted at once. Others can fill a folder for ever; the next sweep goes on. */
const defaultMaxRemoved = 10_000;

export function createFolderStorage(folder: string, maxRemoved = defaultMaxRemoved): PoolStorage {
  const wayOf = (name: string) => {
    assertName(name);
    return name.split('/');
  };
  // The chosen folder itself may be a link, so its real path is used.
  const openFolder = async (way: readonly string[], makes = false) => {
    try {
      return await openFolderInside(await realpath(folder), way, makes);
    } catch (cause) {
      throw isLed(cause) ? noFolder(path.join(folder, ...way), cause) : cause;
    }
  };
  return {
    async write(name, bytes, signal) {
      const way = wayOf(name);
      signal.throwIfAborted();
      const parent = await openFolder(way.slice(0, -1), true);
      try {
        await writeInto(parent, way.at(-1) ?? '', { bytes, signal });
      } finally {
        await parent.close();
      }
    },
    async read(name, signal) {
      const way = wayOf(name);
      signal.throwIfAborted();
      try {
        const file = await openFileInside(await realpath(folder), way);
        if ((await file.stat()).isFile()) return file.createReadStream();
        await file.close();
      } catch (cause) {
        if (!isLed(cause))
          throw new EnlargerError(
            'SOURCE_UNREACHABLE',
            `The pool's file ${name} is not in ${folder}.`,
            { cause },
          );
      }
      throw new DamagedFile(
        `Expected ${name} in the pool's folder ${folder} to be a regular file, but it is a link, a pipe or the like.`,
      );
    },
    async removeAll(prefix) {
      const way = wayOf(prefix);
      await removeTree(openFolder, way, { entries: maxRemoved });
      await removeEmptyParents(openFolder, way);
    },
    async list(prefix) {
      const opened = await openFolder(wayOf(prefix)).catch(undefinedIfMissing);
      if (!opened) return [];
      try {
        return await namesIn(opened);
      } finally {
        await opened.close();
      }
    },
    async check() {
      try {
        if (!(await stat(folder)).isDirectory()) throw new UserFacingError('It is not a folder.');
        await access(folder, constants.R_OK | constants.W_OK);
      } catch (cause) {
        throw new EnlargerError(
          'CANNOT_WRITE',
          `The pool's folder ${folder} is not there or cannot be written. Mount the share, or choose another folder.`,
          { cause },
        );
      }
    },
    close: () => undefined,
  };
}

type OpenFolder = (way: readonly string[]) => Promise<FolderHandle>;

/** True if a link, pipe or file stood where a folder was expected. */
const isLed = (thrown: unknown) =>
  thrown instanceof LedOutside || hasCode(thrown, ['ELOOP', 'ENOTDIR', 'ENXIO']);

const noFolder = (shown: string, cause: unknown) =>
  new EnlargerError(
    'CANNOT_WRITE',
    `Expected ${shown} in the pool's folder to be a folder of its own, but a link or a file stands in the way. Remove that, and find out who put it there.`,
    { cause },
  );

function undefinedIfMissing(thrown: unknown): undefined {
  if (!hasCode(thrown, ['ENOENT'])) throw thrown;
}

/** A new name is never a link, and rename replaces a link of the final name instead of following it. */
async function writeInto(
  parent: FolderHandle,
  name: string,
  { bytes, signal }: { bytes: NodeJS.ReadableStream; signal: AbortSignal },
): Promise<void> {
  const temporary = parent.pathOf(`${name}.${randomBytes(6).toString('hex')}.part`);
  const file = (await open(temporary, 'wx')).createWriteStream();
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  try {
    await pipeline(bytes, file, { signal });
    // A network file system has all bytes only after close.
    await closed;
    await parent.assertSame();
    await rename(temporary, parent.pathOf(name));
  } catch (thrown) {
    await closed;
    await rm(temporary, { force: true });
    throw thrown;
  }
}

async function namesIn(folder: FolderHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder.pathOf('.'))) {
    names.push(name);
    if (names.length >= maxListedNames) break;
  }
  return names;
}

/** Deletes a tree. Links are deleted themselves, whatever their target. */
async function removeTree(
  openFolder: OpenFolder,
  way: readonly string[],
  left: { entries: number },
  depth = 0,
): Promise<void> {
  if (left.entries <= 0) return;
  left.entries -= 1;
  const parent = await openFolder(way.slice(0, -1)).catch(undefinedIfMissing);
  if (!parent) return;
  const name = way.at(-1) ?? '';
  try {
    if (await isRemovedAsFile(parent, name)) return;
    const names = await openFolder(way).then(async (folder) => {
      try {
        return await namesIn(folder);
      } finally {
        await folder.close();
      }
    }, undefinedIfMissing);
    if (depth < maxDepth)
      for (const inner of names ?? [])
        await removeTree(openFolder, [...way, inner], left, depth + 1);
    await parent.assertSame();
    await rmdir(parent.pathOf(name)).catch(ignoreFilled);
  } finally {
    await parent.close();
  }
}

/** False for a folder, which unlink does not delete. */
async function isRemovedAsFile(parent: FolderHandle, name: string): Promise<boolean> {
  try {
    await parent.assertSame();
    await unlink(parent.pathOf(name));
    return true;
  } catch (thrown) {
    if (hasCode(thrown, ['ENOENT'])) return true;
    if (hasCode(thrown, ['EISDIR', 'EPERM'])) return false;
    throw thrown;
  }
}

/** Deletes empty parent folders, except the chosen one. */
async function removeEmptyParents(openFolder: OpenFolder, way: readonly string[]): Promise<void> {
  for (let length = way.length - 1; length > 0; length -= 1) {
    const parent = await openFolder(way.slice(0, length - 1)).catch(undefinedIfMissing);
    if (!parent) continue;
    try {
      await rmdir(parent.pathOf(way[length - 1] ?? '')).catch(ignoreFilled);
    } finally {
      await parent.close();
    }
  }
}

/** Another machine may add a file at that moment, or have deleted the folder. */
function ignoreFilled(thrown: unknown): void {
  if (!hasCode(thrown, ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EBUSY']))
    throw thrown;
}
