/** The data folder: a named one, or the person's default. */
import path from 'node:path';
import envPaths from 'env-paths';

export const defaultDataDir = (): string => envPaths('enlarger', { suffix: '' }).data;

/**
 * Data folder of a command line.
 * @throws Error a sentence for an empty name, which would mean the working directory
 */
export function readDataDir(named: string | undefined): string {
  if (named === undefined) return defaultDataDir();
  if (named === '') assertAbsolutePath(named);
  return path.resolve(named);
}

/** @throws Error a sentence for a relative path, which would depend on the working directory */
export function assertAbsolutePath(dataDir: string): void {
  if (path.isAbsolute(dataDir)) return;
  throw new Error(
    `Expected the data folder to be a whole path but received ${JSON.stringify(dataDir)}. Name one with --data-dir.`,
  );
}
