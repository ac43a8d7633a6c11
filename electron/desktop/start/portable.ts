/** In portable mode a folder of this name beside the program holds all that Enlarger keeps. */
import { statSync } from 'node:fs';
import path from 'node:path';

const portableName = 'Enlarger data';

interface Program {
  platform: NodeJS.Platform;
  execPath: string;
  env: NodeJS.ProcessEnv;
  isFolder(path: string): boolean;
}

/** Answers the absolute path of that folder; undefined where there is none. */
export function portableFolder(program: Program): string | undefined {
  const paths = program.platform === 'win32' ? path.win32 : path.posix;
  const folder = paths.join(folderOf(program, paths), portableName);
  return program.isFolder(folder) ? folder : undefined;
}

/**
 * Answers the folder that the program lies in. The portable .exe and an AppImage run from a temporary place
 * and name their own in the environment; a Mac's program lies three folders deep in its bundle.
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
