/**
 * Opens files and folders inside a folder so that others who can write to it cannot redirect out of it by
 * replacing a folder with a link between check and opening. On Linux each path segment is opened without
 * following links, relative to the handle before: /proc/self/fd/N/name is an entry of the folder open as N,
 * wherever that was moved. On other systems the opened file is compared with that of its real path.
 */
import { constants, existsSync, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from './file-errors.ts';
import { isInside } from './is-inside.ts';
import { syncOpenFolder } from './sync.ts';

export interface FolderHandle {
  /** Real path when opened. For messages, not for opening. */
  readonly path: string;
  /** Path that reaches an entry of this very folder. */
  pathOf(name: string): string;
  /** @throws LedOutside if the folder's path leads elsewhere now */
  assertSame(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The path leads through a link or out of the folder. */
export class LedOutside extends Error {
  override readonly name = 'LedOutside';
}

const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd');
const isWindows = process.platform === 'win32';

const folderFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Outside Windows: does not follow links, does not block on pipes. */
export const plainFileFlags = isWindows
  ? constants.O_RDONLY
  : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a folder below `root`, creating missing segments if `makes`.
 * @param root a real path that only its owner can change
 * @param way path segments, none of which is `..`
 * @throws the system's error (ELOOP or ENOTDIR for a link), or LedOutside
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

/** Opens a file below `root` for reading. Throws like openFolderInside. */
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
  // Windows cannot open folders, so there is no handle.
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
