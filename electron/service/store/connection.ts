/** Opens SQLite so that what was written is on disk when a call returns, and says so when it cannot be. */
import Database from 'better-sqlite3';
import { EnlargerError } from '../../contract/errors.ts';

export type Connection = Database.Database;

const busyTimeoutMs = 5000;

/**
 * @param path a file, or ':memory:'
 * @param assertUsable is asked before anything in the file is changed, and throws when it may not be used
 */
export function openConnection(
  path: string,
  assertUsable: (db: Connection) => void = () => undefined,
): Connection {
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

/** Runs `work` in one transaction that takes the write lock at once. Throws STORAGE_FULL when the disk is. */
export function inTransaction<T>(db: Connection, work: () => T): T {
  return storing(() => (db.inTransaction ? work() : db.transaction(work).immediate()));
}

/** Runs one write, and throws STORAGE_FULL in place of SQLite's own error when the disk is full. */
export function storing<T>(work: () => T): T {
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

/** Runs a write that may be left out when the disk is full, so that calls which only read go on. */
export function storingIfRoom(work: () => unknown): void {
  try {
    work();
  } catch (thrown) {
    if (!isFull(thrown)) throw thrown;
  }
}

/**
 * Runs a write that answers its row (RETURNING), and returns when it is committed. Statement.get() would not
 * do: it takes the row before the commit, and a commit that fails then, on a full disk, goes unnoticed.
 */
export function writeRow<Values extends unknown[], Row>(
  statement: Database.Statement<Values, Row>,
  ...values: Values
): Row | undefined {
  return storing(() => statement.all(...values)).at(0);
}

/** The second code means no room for the index of the log that WAL keeps beside the database. */
const fullCodes = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'];

function isFull(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && fullCodes.includes(thrown.code);
}

/** Tells whether the file is held by another process (or another connection of this one). */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}

/**
 * The operating system takes this lock back when its holder dies, whatever killed it: an open exclusive
 * transaction on a database of its own.
 */
interface FileLock {
  release(): void;
}

/** Answers undefined when another service holds the lock. */
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
