/** Keeps measurements in a small JSON file. Nothing fails because the file cannot be read or written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Kept<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  /** Gives all entries, the latest last. */
  all(): [string, T][];
}

/**
 * Opens a file of the folder. A file that is missing or unreadable counts as empty. Where it cannot be written,
 * or no folder is given, its values stay in memory.
 */
export function openKept<T>(
  folder: string | undefined,
  name: string,
  isValid: (value: unknown) => value is T,
): Kept<T> {
  const path = folder === undefined ? undefined : join(folder, name);
  const values = path === undefined ? new Map<string, T>() : readKept(path, isValid);
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (path !== undefined) writeKept(path, Object.fromEntries(values));
    },
    all: () => [...values],
  };
}

function readKept<T>(path: string, isValid: (value: unknown) => value is T): Map<string, T> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
    return new Map(entries.filter((entry): entry is [string, T] => isValid(entry[1])));
  } catch {
    return new Map();
  }
}

function writeKept(path: string, values: Record<string, unknown>): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(values, undefined, 1));
    renameSync(`${path}.new`, path);
  } catch (error) {
    process.stderr.write(`Measurements could not be kept: ${String(error)}\n`);
  }
}
