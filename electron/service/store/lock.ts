/**
 * A lock that the operating system takes back when its holder dies, whatever killed it:
 * an open exclusive transaction on a database of its own.
 */
import Database from 'better-sqlite3';
import { isBusy } from './connection.ts';

export interface FileLock {
  release(): void;
}

/** Undefined when another service holds it. */
export function takeFileLock(path: string): FileLock | undefined {
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db.close();
    if (isBusy(thrown)) return undefined;
    throw thrown;
  }
  return { release: () => db.close() };
}
