/**
 * Access to local files and folders inside granted folders only. Real paths are compared, after resolving
 * links.
 */
import { lstat, realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { nothingThereSentence, reasonOf } from '../../contract/src/error-messages.ts';
import { EnlargerError } from '../../contract/src/errors.ts';
import { hasCode, isFileProblem } from './file-errors.ts';
import { isInside } from './is-inside.ts';
import { openFileInside, openFolderInside, type FolderHandle } from './folder-handle.ts';

/** Real path of the file. @throws EnlargerError FORBIDDEN_PATH, also if it does not exist */
export async function assertGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(file, grantedFolders, 'file');
  if ((await statIfThere(real))?.isFile()) return real;
  throw notOfKind(file, 'file');
}

/** Real path of the folder. @throws EnlargerError FORBIDDEN_PATH, also if it does not exist */
export async function assertGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(folder, grantedFolders, 'folder');
  if ((await statIfThere(real))?.isDirectory()) return real;
  throw notOfKind(folder, 'folder');
}

/**
 * Opens a granted file for reading: the very file that was checked, even if it is replaced meanwhile.
 * @throws EnlargerError FORBIDDEN_PATH, also for anything but a regular file; SOURCE_UNREACHABLE if it cannot be read
 */
export async function openGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<FileHandle> {
  const { root, way } = await findInside(file, grantedFolders, 'file');
  const handle = await openFileInside(root, way).catch((cause: unknown) => {
    throw isFileProblem(cause) && !hasCode(cause, swappedCodes)
      ? new EnlargerError('SOURCE_UNREACHABLE', unreadableSentence(file, cause), { cause })
      : notInside(file, cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notOfKind(file, 'file');
}

/** Of a path that was changed after it was checked. */
const swappedCodes = ['ELOOP', 'ENOTDIR', 'ENOENT'];

/** Opens a granted folder for creating files. @throws EnlargerError FORBIDDEN_PATH */
export async function openGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<FolderHandle> {
  const { root, way } = await findInside(folder, grantedFolders, 'folder');
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
  const { root, way } = await findInside(folder, grantedFolders, 'folder');
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

type PathKind = 'file' | 'folder';

/** Real path inside. Paths outside are refused alike, whether they exist or not. */
async function assertInside(
  wanted: string,
  grantedFolders: readonly string[],
  kind: PathKind,
): Promise<string> {
  const { root, way } = await findInside(wanted, grantedFolders, kind);
  return path.join(root, ...way);
}

/** Real path of the granted folder, and the segments from it to the real path wanted. */
async function findInside(
  wanted: string,
  grantedFolders: readonly string[],
  kind: PathKind,
): Promise<{ root: string; way: string[] }> {
  if (!path.isAbsolute(wanted)) throw notAbsolute(wanted);
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
  const problem = real === undefined ? await problemInside(wanted, grantedFolders) : undefined;
  if (problem === 'missing') throw missing(wanted, kind);
  throw problem === undefined
    ? notInside(wanted)
    : forbidden(unreadableSentence(wanted, problem), problem);
}

/**
 * Why a path without a real one is refused, if it lies in a granted folder; undefined otherwise. `missing` if what was
 * granted is gone itself, or if the deepest folder of the path that exists is inside of it, and what follows there is
 * certainly absent: a link that leads nowhere is not, since it would tell of files outside. The system's error if it
 * lets nobody look into that folder.
 */
async function problemInside(
  wanted: string,
  grantedFolders: readonly string[],
): Promise<'missing' | Error | undefined> {
  const roots = await Promise.all(grantedFolders.map(realPathOf));
  const isGone = (folder: string, i: number) =>
    roots[i] === undefined && isInside(path.normalize(wanted), folder);
  if (grantedFolders.some(isGone)) return 'missing';
  let at = wanted;
  let parent = path.dirname(at);
  while (parent !== at) {
    // Not joined, which would resolve `..` otherwise than the system does. A separator at the end would follow a link.
    const problem = await problemOf(parent + path.sep + path.basename(at));
    if (problem === undefined) return undefined;
    const real = await realPathOf(parent);
    if (real !== undefined)
      return roots.some((root) => root !== undefined && isInside(real, root)) ? problem : undefined;
    [at, parent] = [parent, path.dirname(parent)];
  }
  return undefined;
}

/** Undefined for an entry that is there, and where it is not known. */
async function problemOf(entry: string): Promise<'missing' | Error | undefined> {
  try {
    await lstat(entry);
    return undefined;
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ENOTDIR'])) return 'missing';
    return error instanceof Error && hasCode(error, ['EACCES', 'EPERM']) ? error : undefined;
  }
}

const forbidden = (sentence: string, cause?: unknown) =>
  new EnlargerError('FORBIDDEN_PATH', sentence, { cause });

const notAbsolute = (wanted: string) =>
  forbidden(`Expected an absolute path but received ${JSON.stringify(wanted)}.`);

const unreadableSentence = (wanted: string, cause: unknown) =>
  `${wanted} cannot be read: ${reasonOf(cause)}.`;

const missing = (wanted: string, kind: PathKind) => forbidden(nothingThereSentence(wanted, kind));

const notOfKind = (wanted: string, kind: PathKind) =>
  forbidden(`Expected a ${kind}, but ${wanted} is something else. Name a ${kind}.`);

/** The same whether something exists there or not. */
const notInside = (wanted: string, cause?: unknown) =>
  forbidden(
    `Expected a path inside a folder that was granted to Enlarger, but ${wanted} is in none. ` +
      'Grant its folder in the settings, or start with --allow-folder.',
    cause,
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
