/**
 * Access to local files and folders inside granted folders only. Real paths are compared, after resolving
 * links.
 */
import { realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../contract/errors.ts';
import { isInside } from './is-inside.ts';
import { openFileInside, openFolderInside, type FolderHandle } from './folder-handle.ts';

/** Real path of the file. @throws EnlargerError FORBIDDEN_PATH, also if it does not exist */
export async function assertGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(file, grantedFolders);
  if ((await statIfThere(real))?.isFile()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${file} is not a file.`);
}

/** Real path of the folder. @throws EnlargerError FORBIDDEN_PATH, also if it does not exist */
export async function assertGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(folder, grantedFolders);
  if ((await statIfThere(real))?.isDirectory()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${folder} is not a folder.`);
}

/**
 * Opens a granted file for reading: the very file that was checked, even if it is replaced meanwhile.
 * @throws EnlargerError FORBIDDEN_PATH, also for anything but a regular file
 */
export async function openGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<FileHandle> {
  const { root, way } = await findInside(file, grantedFolders);
  const handle = await openFileInside(root, way).catch((cause: unknown) => {
    throw notInside(file, cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new EnlargerError('FORBIDDEN_PATH', `${file} is not a plain file.`);
}

/** Opens a granted folder for creating files. @throws EnlargerError FORBIDDEN_PATH */
export async function openGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<FolderHandle> {
  const { root, way } = await findInside(folder, grantedFolders);
  return openFolderInside(root, way).catch((cause: unknown) => {
    throw notInside(folder, cause);
  });
}

/** Creates folders inside a granted one, never through a link. @returns the real path of the innermost one */
export async function makeGrantedFolder(
  folder: string,
  inside: readonly string[],
  grantedFolders: readonly string[],
): Promise<string> {
  const { root, way } = await findInside(folder, grantedFolders);
  const made = await openFolderInside(root, [...way, ...inside], true).catch((cause: unknown) => {
    throw notInside(path.join(folder, ...inside), cause);
  });
  await made.close();
  return made.path;
}

/**
 * True if the file system may be queried without contacting another machine. Querying a UNC path makes
 * Windows log in at the machine it names, so such a path must literally lie in a granted one. Device paths
 * (`\\?\` and `\\.\`) are never queried.
 */
export function mayBeAsked(
  wanted: string,
  grantedFolders: readonly string[],
  paths: path.PlatformPath = path,
): boolean {
  const isNetworkPath = paths.sep === '\\' && /^[\\/]{2}/.test(wanted);
  if (!isNetworkPath) return true;
  if (/^[\\/]{2}[?.][\\/]/.test(wanted)) return false;
  return grantedFolders.some((folder) => isInside(paths.normalize(wanted), folder, paths));
}

/** Real path inside. Paths outside are refused alike, whether they exist or not. */
async function assertInside(wanted: string, grantedFolders: readonly string[]): Promise<string> {
  const { root, way } = await findInside(wanted, grantedFolders);
  return path.join(root, ...way);
}

/** Real path of the granted folder, and the segments from it to the real path wanted. */
async function findInside(
  wanted: string,
  grantedFolders: readonly string[],
): Promise<{ root: string; way: string[] }> {
  if (!mayBeAsked(wanted, grantedFolders)) throw notInside(wanted);
  const real = await realPathOf(wanted);
  for (const folder of grantedFolders) {
    const root = await realPathOf(folder);
    if (real === undefined || root === undefined || !isInside(real, root)) continue;
    // A single file may be granted; its folder is the root then.
    if (real === root)
      return { root: path.dirname(root), way: [path.basename(root)].filter(Boolean) };
    return { root, way: path.relative(root, real).split(path.sep) };
  }
  throw notInside(wanted);
}

const notInside = (wanted: string, cause?: unknown) =>
  new EnlargerError(
    'FORBIDDEN_PATH',
    `${wanted} does not exist inside a folder that was granted to Enlarger. ` +
      'Grant its folder in the settings, or start with --allow-folder.',
    { cause },
  );

/** Returns undefined for a file that is gone since. */
const statIfThere = (real: string) =>
  stat(real).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  });

async function realPathOf(wanted: string): Promise<string | undefined> {
  if (!path.isAbsolute(wanted) || wanted.includes('\0')) return undefined;
  try {
    return await realpath(wanted);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
