/** Reads what a start was asked for on its command line, and makes the paths absolute. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface StartArguments {
  /** The files and folders, in their order. */
  paths: string[];
  /** The data folder is the usual one where this is undefined. */
  dataDir?: string | undefined;
  /** Says whether the application begins in the tray, as at login. */
  isHidden: boolean;
}

/**
 * Reads the arguments. Words that begin with a dash are Chromium's, the system's, or
 * --data-dir=FOLDER and --hidden.
 * @param argv the process's own: the program, then in a checkout the application's folder, then the rest
 */
export function readStartArguments(
  argv: readonly string[],
  { cwd, isPackaged }: { cwd: string; isPackaged: boolean },
): StartArguments {
  const given = withoutFolder(argv.slice(1), isPackaged);
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  const options = given.slice(0, end).filter((word) => word.startsWith('-'));
  const plain = given.slice(0, end).filter((word) => !word.startsWith('-'));
  const dataDir = options.find((word) => word.startsWith('--data-dir='))?.slice(11);
  return {
    paths: [...plain, ...given.slice(end + 1)]
      .filter((word) => word !== '')
      .flatMap((word) => pathOf(word, cwd)),
    isHidden: options.includes('--hidden'),
    ...(dataDir !== undefined && dataDir !== '' && { dataDir: path.resolve(cwd, dataDir) }),
  };
}

/** Answers a word as a path. Linux file managers may give file: addresses; one that is no path is left out. */
function pathOf(word: string, cwd: string): string[] {
  if (URL.parse(word)?.protocol !== 'file:') return [path.resolve(cwd, word)];
  try {
    return [fileURLToPath(word)];
  } catch {
    return [];
  }
}

function withoutFolder(given: string[], isPackaged: boolean): string[] {
  const folder = isPackaged ? -1 : given.findIndex((word) => !word.startsWith('-'));
  return given.filter((_word, index) => index !== folder);
}
