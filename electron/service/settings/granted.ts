/**
 * Local files and folders are used only inside folders that the user granted. What counts is the real
 * path: links are followed before it is compared.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';

/** The file's real path. Throws FORBIDDEN_PATH, also for a file that is not there. */
export async function assertGrantedFile(
  file: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(file, grantedFolders);
  if ((await stat(real)).isFile()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${file} is not a file.`);
}

/** The folder's real path. Throws FORBIDDEN_PATH, also for a folder that is not there. */
export async function assertGrantedFolder(
  folder: string,
  grantedFolders: readonly string[],
): Promise<string> {
  const real = await assertInside(folder, grantedFolders);
  if ((await stat(real)).isDirectory()) return real;
  throw new EnlargerError('FORBIDDEN_PATH', `${folder} is not a folder.`);
}

/** A path outside is answered the same whether it exists or not. */
async function assertInside(wanted: string, grantedFolders: readonly string[]): Promise<string> {
  const real = await realPathOf(wanted);
  for (const folder of grantedFolders) {
    const realFolder = await realPathOf(folder);
    if (real !== undefined && realFolder !== undefined && isInside(real, realFolder)) return real;
  }
  throw new EnlargerError(
    'FORBIDDEN_PATH',
    `${wanted} does not exist inside a folder that was granted to Enlarger. ` +
      'Grant its folder in the settings, or start with --allow-folder.',
  );
}

async function realPathOf(wanted: string): Promise<string | undefined> {
  if (!path.isAbsolute(wanted) || wanted.includes('\0')) return undefined;
  try {
    return await realpath(wanted);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Whether `inner` is `folder` or lies in it; both are real paths. */
export function isInside(inner: string, folder: string, paths: path.PlatformPath = path): boolean {
  const way = paths.relative(folder, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way));
}
