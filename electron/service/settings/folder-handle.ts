/**
 * Files and folders inside a folder, opened so that whoever can write in it cannot lead out of it: a link that is
 * put in the place of a folder between a check and an opening is not followed.
 *
 * On Linux each part of the way is opened by itself, never through a link, relative to the handle of the part
 * before: /proc/self/fd/N/name names a file of the folder that is open as N, wherever that has been moved since.
 * Elsewhere what was opened is compared with what its real path leads to.
 */
import { constants, existsSync, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../../files/file-errors.ts';
import { syncOpenFolder } from '../../files/sync.ts';

export interface FolderHandle {
  /** Its real path when it was opened; for people, not for opening. */
  readonly path: string;
  /** The path under which a name in this very folder is reached. */
  pathOf(name: string): string;
  /** Throws LedOutside when names were reached by a path that leads elsewhere now. */
  assertSame(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The way leads through a link, or out of the folder. */
export class LedOutside extends Error {
  override readonly name = 'LedOutside';
}

const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd');
const isWindows = process.platform === 'win32';

const folderFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Never waits for a pipe, never reads through a link. */
const fileFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The folder below `root`. Parts of the way that are missing are made when `makes` is true. Rejects with what the
 * system says, ELOOP or ENOTDIR for a link, or with LedOutside.
 *
 * @param root a real path, which nobody but its owner can change @param way names, none of them `..`
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

/** The plain file below `root`, open for reading. Rejects as openFolderInside does. */
export async function openFileInside(root: string, way: readonly string[]): Promise<FileHandle> {
  const folder = await openFolderInside(root, way.slice(0, -1));
  try {
    const name = way.at(-1) ?? '';
    const file = await open(folder.pathOf(name), fileFlags);
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
  // Windows opens no folder as a file is opened.
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
  const inside = path.relative(root, now);
  const isOut = inside.startsWith('..') || path.isAbsolute(inside);
  if (isOut || (opened && !isSameFile(found, opened)))
    throw new LedOutside(`${wanted} leads elsewhere now.`);
}

export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.dev === b.dev;

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, ['EEXIST'])) throw error;
}
