/** Which data folder is meant: the one that was named, or the usual one of this person. */
import path from 'node:path';
import envPaths from 'env-paths';

export const usualDataDir = (): string => envPaths('enlarger', { suffix: '' }).data;

/** As a command names it. Throws a sentence for an empty name, which would be the folder that it is started in. */
export function readDataDir(named: string | undefined): string {
  if (named === undefined) return usualDataDir();
  if (named === '') assertWholePath(named);
  return path.resolve(named);
}

/** Throws a sentence: a folder that depends on where the program is started would be another one each time. */
export function assertWholePath(dataDir: string): void {
  if (path.isAbsolute(dataDir)) return;
  throw new Error(
    `Expected the data folder to be a whole path but received ${JSON.stringify(dataDir)}. Name one with --data-dir.`,
  );
}
