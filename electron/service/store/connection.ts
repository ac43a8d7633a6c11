/** SQLite connections with durable commits: a write is on disk when its call returns, or the call throws. */
import Database from 'better-sqlite3';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';

export type SqliteConnection = Database.Database;

const busyTimeoutMs = 5000;

/**
 * @param path a file, or ':memory:'
 * @param assertUsable called before anything in the file changes; throws to reject it
 */
export function openConnection(
  path: string,
  assertUsable: (db: SqliteConnection) => void = () => undefined,
): SqliteConnection {
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    assertUsable(db);
  } catch (cause) {
    db.close();
    throw cause;
  }
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  return db;
}

/** Runs `work` in one IMMEDIATE transaction. @throws EnlargerError STORAGE_FULL */
export function inTransaction<T>(db: SqliteConnection, work: () => T): T {
  return runWrite(() => (db.inTransaction ? work() : db.transaction(work).immediate()));
}

/** Runs one write. @throws EnlargerError STORAGE_FULL instead of SQLite's own disk-full error */
export function runWrite<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    throw new EnlargerError(
      'STORAGE_FULL',
      'The disk that holds the data folder is full, so nothing more can be stored. Free some space and try again.',
      { cause },
    );
  }
}

/** Runs a write that is skipped on a full disk, so that calls that only read still work. */
export function runOptionalWrite(work: () => unknown): void {
  try {
    work();
  } catch (thrown) {
    if (!isFull(thrown)) throw thrown;
  }
}

/**
 * Runs a write with RETURNING and returns its row once committed. `Statement.get()` returns the row before
 * the commit, and misses a commit that fails on a full disk.
 */
export function writeRow<Values extends unknown[], Row>(
  statement: Database.Statement<Values, Row>,
  ...values: Values
): Row | undefined {
  return runWrite(() => statement.all(...values)).at(0);
}

/** The second code: no space for the WAL index beside the database. */
const fullCodes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'];

function isFull(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && fullCodes.includes(thrown.code);
}

/** True if another connection or process has locked the file. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}

/**
 * A lock that the operating system releases when its holder dies: an open exclusive transaction on a database
 * of its own.
 */
interface FileLock {
  release(): void;
}

/** Returns undefined if another service holds the lock. */
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
