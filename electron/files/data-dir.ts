/** Finds the data folder: the one that was named, or the usual one of this person. */
import path from 'node:path';
import envPaths from 'env-paths';

export const usualDataDir = (): string => envPaths('enlarger', { suffix: '' }).data;

/**
 * Reads the data folder as a command line names it. It throws a sentence for an empty name, which would mean
 * the folder that the program is started in.
 */
export function readDataDir(named: string | undefined): string {
  if (named === undefined) return usualDataDir();
  if (named === '') assertWholePath(named);
  return path.resolve(named);
}

/** Throws a sentence for a relative path, which would mean another folder wherever the program is started. */
export function assertWholePath(dataDir: string): void {
  if (path.isAbsolute(dataDir)) return;
  throw new Error(
    `Expected the data folder to be a whole path but received ${JSON.stringify(dataDir)}. Name one with --data-dir.`,
  );
}
