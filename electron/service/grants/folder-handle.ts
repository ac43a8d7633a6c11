/**
 * Files and folders inside a folder are opened in such a way that nobody who can write in the folder can lead
 * out of it: a link that is put in the place of a folder between the check and the opening is not followed.
 *
 * On Linux each part of the way is opened by itself, never through a link, relative to the handle of the part
 * before: /proc/self/fd/N/name names a file of the folder that is open as N, wherever that has been moved
 * since. On other systems the opened file is compared with the one that its real path leads to.
 */
import { constants, existsSync, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../../files/file-errors.ts';
import { isInside } from '../../files/is-inside.ts';
import { syncOpenFolder } from '../../files/sync.ts';

export interface FolderHandle {
  /** The folder's real path when it was opened. It is meant for people, not for opening. */
  readonly path: string;
  /** Answers the path under which a name in this very folder is reached. */
  pathOf(name: string): string;
  /** Throws LedOutside when the folder's path leads elsewhere now. */
  assertSame(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** This is thrown when the way leads through a link, or out of the folder. */
export class LedOutside extends Error {
  override readonly name = 'LedOutside';
}

const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd');
const isWindows = process.platform === 'win32';

const folderFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Outside Windows, a file that is opened with these flags is no link, and a pipe is never waited for. */
export const plainFileFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a folder below `root`. Missing parts of the way are made when `makes` is true. It rejects with the
 * system's error (ELOOP or ENOTDIR for a link), or with LedOutside.
 *
 * @param root a real path that nobody but its owner can change
 * @param way names, none of which is `..`
 */
export async function openFolderInside(
  root: string,
  way: readonly string[],
  makes = false,
): Promise<FolderHandle> {
  const real = path.join(root, ...way);
  if (!hasHandlePaths) {
    if (makes) await mkdir(real, { recursive: true });
    return openByPath(real, root);
  }
  let handle = await open(root, folderFlags);
  for (const name of way) {
    const parent = handle;
    try {
      const at = nameIn(parent, name);
      if (makes) await mkdir(at).catch(ignoreExisting);
      handle = await open(at, folderFlags);
    } finally {
      await parent.close();
    }
  }
  return {
    path: real,
    pathOf: (name) => nameIn(handle, name),
    assertSame: () => Promise.resolve(),
    sync: () => syncOpenFolder(handle),
    close: () => handle.close(),
  };
}

/** Opens a file below `root` for reading. It rejects as openFolderInside does. */
export async function openFileInside(root: string, way: readonly string[]): Promise<FileHandle> {
  const folder = await openFolderInside(root, way.slice(0, -1));
  try {
    const name = way.at(-1) ?? '';
    const file = await open(folder.pathOf(name), plainFileFlags);
    try {
      if (!hasHandlePaths) await assertLeadsTo(path.join(root, ...way), root, file);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } finally {
    await folder.close();
  }
}

const nameIn = ({ fd }: FileHandle, name: string) => `/proc/self/fd/${fd}/${name}`;

async function openByPath(real: string, root: string): Promise<FolderHandle> {
  // Windows cannot open a folder as it opens a file, so there is no handle.
  const handle = isWindows ? undefined : await open(real, folderFlags);
  const assertSame = () => assertLeadsTo(real, root, handle);
  try {
    await assertSame();
  } catch (error) {
    await handle?.close();
    throw error;
  }
  return {
    path: real,
    pathOf: (name) => path.join(real, name),
    assertSame,
    sync: async () => (handle ? syncOpenFolder(handle) : undefined),
    close: async () => handle?.close(),
  };
}

async function assertLeadsTo(
  wanted: string,
  root: string,
  handle: FileHandle | undefined,
): Promise<void> {
  const now = await realpath(wanted);
  const found = await lstat(now, { bigint: true });
  const opened = await handle?.stat({ bigint: true });
  if (!isInside(now, root) || (opened && !isSameFile(found, opened)))
    throw new LedOutside(`${wanted} leads elsewhere now.`);
}

export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.dev === b.dev;

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, ['EEXIST'])) throw error;
}
