/** Parses the arguments of a start and makes paths absolute. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface StartArguments {
  /** Files and folders, in order. */
  paths: string[];
  /** Undefined for the default data folder. */
  dataDir?: string | undefined;
  /** Start in the tray, as at login. */
  isHidden: boolean;
}

/**
 * Words with a leading dash are Chromium's, the system's, or --data-dir=FOLDER and --hidden.
 * @param argv program, in a checkout the application's folder, then the rest
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

/** Linux file managers may pass file: URLs; an invalid one is omitted. */
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
