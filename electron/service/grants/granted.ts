/**
 * Local files and folders are used only inside folders that the user granted. The real path decides: links
 * are followed before it is compared.
 */
import { realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { isInside } from '../../files/is-inside.ts';
import { openFileInside, openFolderInside, type FolderHandle } from './folder-handle.ts';

/** Answers the file's real path. It throws FORBIDDEN_PATH, also for a file that is not there. */
export async function assertGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(file, grantedFolders);
  if ((await statIfThere(real))?.isFile()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${file} is not a file.`);
}

/** Answers the folder's real path. It throws FORBIDDEN_PATH, also for a folder that is not there. */
export async function assertGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(folder, grantedFolders);
  if ((await statIfThere(real))?.isDirectory()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${folder} is not a folder.`);
}

/**
 * Opens a granted file for reading. The file that is read is the one that was checked, whatever is put in its
 * place meanwhile. It throws FORBIDDEN_PATH, also for what is no plain file.
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

/** Opens a granted folder, so that files can be made in it. It throws FORBIDDEN_PATH. */
export async function openGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<FolderHandle> {
  const { root, way } = await findInside(folder, grantedFolders);
  return openFolderInside(root, way).catch((cause: unknown) => {
    throw notInside(folder, cause);
  });
}

/** Makes folders inside a granted one, never through a link, and answers the real path of the innermost one. */
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
 * Says whether the system may be asked about a path without telling another machine. Asking about a network
 * path of Windows makes the system log in at the machine that the path names, so such a path must lie in a
 * granted one literally. Device paths (with a ? or a dot in the machine's place) are never asked about.
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

/** Answers the real path of what lies inside. A path outside is refused the same whether it exists or not. */
async function assertInside(wanted: string, grantedFolders: readonly string[]): Promise<string> {
  const { root, way } = await findInside(wanted, grantedFolders);
  return path.join(root, ...way);
}

/** Finds the granted folder's real path, and the names that lead from it to the real path of what is wanted. */
async function findInside(
  wanted: string,
  grantedFolders: readonly string[],
): Promise<{ root: string; way: string[] }> {
  if (!mayBeAsked(wanted, grantedFolders)) throw notInside(wanted);
  const real = await realPathOf(wanted);
  for (const folder of grantedFolders) {
    const root = await realPathOf(folder);
    if (real === undefined || root === undefined || !isInside(real, root)) continue;
    // A single file may be granted too, and then its folder is the root.
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

/** Reads the status of a file; undefined for one that has gone away since it was found. */
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
