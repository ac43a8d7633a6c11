/** Measurements in a small JSON file. A file that cannot be read or written fails nothing. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface MeasurementFile<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  /** All entries, the latest last. */
  all(): [string, T][];
}

/**
 * Opens a file of the folder. A missing or unreadable file counts as empty. Without a folder, or if the file
 * cannot be written, values stay in memory.
 */
export function openMeasurements<T>(
  folder: string | undefined,
  name: string,
  isValid: (value: unknown) => value is T,
): MeasurementFile<T> {
  const path = folder === undefined ? undefined : join(folder, name);
  const values = path === undefined ? new Map<string, T>() : readMeasurements(path, isValid);
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (path !== undefined) writeMeasurements(path, Object.fromEntries(values));
    },
    all: () => [...values],
  };
}

function readMeasurements<T>(
  path: string,
  isValid: (value: unknown) => value is T,
): Map<string, T> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
    return new Map(entries.filter((entry): entry is [string, T] => isValid(entry[1])));
  } catch {
    return new Map();
  }
}

function writeMeasurements(path: string, values: Record<string, unknown>): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(values, undefined, 1));
    renameSync(`${path}.new`, path);
  } catch (error) {
    process.stderr.write(`Measurements could not be kept: ${String(error)}\n`);
  }
}
