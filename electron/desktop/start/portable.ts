/** Portable mode: a folder of this name beside the program contains everything Enlarger stores. */
import { statSync } from 'node:fs';
import path from 'node:path';

const portableName = 'Enlarger data';

interface Program {
  platform: NodeJS.Platform;
  execPath: string;
  env: NodeJS.ProcessEnv;
  isFolder(path: string): boolean;
}

/** Absolute path of that folder; undefined if there is none. */
export function portableFolder(program: Program): string | undefined {
  const paths = program.platform === 'win32' ? path.win32 : path.posix;
  const folder = paths.join(folderOf(program, paths), portableName);
  return program.isFolder(folder) ? folder : undefined;
}

/**
 * Folder of the program. The portable .exe and AppImages run from a temporary location and name their own in
 * the environment; a Mac's program is three folders deep in its bundle.
 */
function folderOf({ platform, execPath, env }: Program, paths: path.PlatformPath): string {
  if (env.PORTABLE_EXECUTABLE_DIR) return env.PORTABLE_EXECUTABLE_DIR;
  if (env.APPIMAGE) return paths.dirname(env.APPIMAGE);
  if (platform === 'darwin') return paths.resolve(execPath, '../../../..');
  return paths.dirname(execPath);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
