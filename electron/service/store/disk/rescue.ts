/**
 * Recovery of a damaged database: it is moved aside whole, and its readable rows are copied into a new one.
 * The damaged one is kept for a month.
 */
import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteConnection } from '../connection.ts';

export interface Rescue {
  /** Absolute path of the folder with the damaged database. */
  folder: string;
  /** SQLite's description of the damage. */
  reason: string;
  /** Number of rows copied into the new database. */
  rows: number;
}

class DamagedDatabase extends Error {}

const retentionMs = 31 * 24 * 3_600_000;
/** Larger databases are checked only after an unclean shutdown. */
const alwaysCheckedBytes = 16 * 1024 * 1024;
const parts = ['', '-wal', '-shm'];
const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

/**
 * Returns the description of the damage, or undefined if the error is another one.
 * @param thrown by opening a database or preparing a statement
 */
export function damageOf(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedDatabase) return thrown.message;
  if (!(thrown instanceof Database.SqliteError)) return undefined;
  const isDamage =
    damageCodes.some((code) => thrown.code.startsWith(code)) ||
    /^no such (table|column)/.test(thrown.message);
  return isDamage ? thrown.message : undefined;
}

/** True if the whole file is to be checked: it is small, or its WAL file shows an unclean shutdown. */
export function isCheckDue(path: string): boolean {
  if (!existsSync(path)) return false;
  return existsSync(`${path}-wal`) || statSync(path).size <= alwaysCheckedBytes;
}

/** @throws DamagedDatabase */
export function assertIntact(db: SqliteConnection): void {
  const outcome = db.pragma('quick_check(1)', { simple: true });
  if (outcome !== 'ok') throw new DamagedDatabase(String(outcome));
}

/** Moves the database and its WAL files into a folder of their own. @returns that folder */
export function moveAside(path: string, dataDir: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const folder = join(dataDir, 'set-aside', stamp);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const part of parts)
    if (existsSync(path + part)) renameSync(path + part, join(folder, `enlarger.db${part}`));
  return folder;
}

/** @param nowMs wall clock, like the files' times */
export function deleteOldRescues(dataDir: string, nowMs: number): void {
  const all = join(dataDir, 'set-aside');
  if (!existsSync(all)) return;
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (nowMs - statSync(folder).mtimeMs > retentionMs)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Tables maintained by triggers, or valid for their own file only. */
const notCopied = ['status_counts', 'waiting_counts', 'unnamed_files', 'changes'];
/** Tables that foreign keys of others refer to. */
const copiedFirst = ['presets', 'watches', 'tasks'];

/** Copies the readable rows; never throws for unreadable ones. @returns the number of rows */
export function salvage(into: SqliteConnection, folder: string): number {
  let from: SqliteConnection;
  try {
    from = new Database(join(folder, 'enlarger.db'), { readonly: true, fileMustExist: true });
  } catch {
    return 0;
  }
  try {
    const copy = into.transaction(() =>
      tablesOf(into).reduce((rows, table) => rows + copyTable(from, into, table), 0),
    );
    return copy.immediate();
  } finally {
    from.close();
  }
}

function tablesOf(db: SqliteConnection): string[] {
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all()
    .filter((name) => !notCopied.includes(name));
  return [...new Set([...copiedFirst, ...names])];
}

interface Column {
  name: string;
  pk: number;
}

const columnsOf = (db: SqliteConnection, table: string) =>
  db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table);

/** Copies from one end of the table up to the damage, then from the other end. */
function copyTable(from: SqliteConnection, into: SqliteConnection, table: string): number {
  try {
    const sourceColumns = columnsOf(from, table).map(({ name }) => name);
    const columns = columnsOf(into, table).filter(({ name }) => sourceColumns.includes(name));
    const names = columns.map(({ name }) => name);
    const marks = names.map((name) => `@${name}`).join(', ');
    // A person's presets replace those that ship. Tasks must not use REPLACE, whose deletes fire no triggers.
    const rule = table === 'presets' ? 'REPLACE' : 'IGNORE';
    const insert = into.prepare<[object]>(
      `INSERT OR ${rule} INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
    );
    const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const read = (direction: 'ASC' | 'DESC') => {
      const order = key.map((name) => `${name} ${direction}`).join(', ');
      const select = from.prepare<[], object>(
        `SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order || `rowid ${direction}`}`,
      );
      return copyRows(select, insert);
    };
    const forward = read('ASC');
    return forward.isComplete ? forward.rows : forward.rows + read('DESC').rows;
  } catch {
    return 0;
  }
}

function copyRows(select: Database.Statement<[], object>, insert: Database.Statement<[object]>) {
  let rows = 0;
  try {
    for (const row of select.iterate()) if (isInserted(() => insert.run(row))) rows += 1;
    return { rows, isComplete: true };
  } catch {
    return { rows, isComplete: false };
  }
}

/** False if a constraint of the new database rejects the row. */
function isInserted(insert: () => unknown): boolean {
  try {
    insert();
    return true;
  } catch {
    return false;
  }
}
