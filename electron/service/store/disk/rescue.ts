/**
 * A damaged database is set aside whole, a new one is made, and what can still be read of the old one is
 * copied row by row. Nothing of it is deleted before a month is over.
 */
import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../connection.ts';

export interface Rescue {
  /** The damaged database lies in this folder now; the path is absolute. */
  folder: string;
  /** SQLite said this of the damage. */
  reason: string;
  /** So many rows were copied into the new database. */
  rows: number;
}

class DamagedDatabase extends Error {}

const keptMs = 31 * 24 * 3_600_000;
/** A larger database is looked through only after an end that was not in order. */
const alwaysCheckedBytes = 16 * 1024 * 1024;
const parts = ['', '-wal', '-shm'];
const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

/** @param thrown what opening a database, or preparing statements for it, threw */
export function damageOf(thrown: unknown): string | undefined {
  if (thrown instanceof DamagedDatabase) return thrown.message;
  if (!(thrown instanceof Database.SqliteError)) return undefined;
  const isDamage =
    damageCodes.some((code) => thrown.code.startsWith(code)) ||
    /^no such (table|column)/.test(thrown.message);
  return isDamage ? thrown.message : undefined;
}

/** Tells whether the whole file is to be checked: its log is there only where it was not closed in order. */
export function isCheckDue(path: string): boolean {
  if (!existsSync(path)) return false;
  return existsSync(`${path}-wal`) || statSync(path).size <= alwaysCheckedBytes;
}

/** Throws DamagedDatabase. */
export function assertWhole(db: Connection): void {
  const said = db.pragma('quick_check(1)', { simple: true });
  if (said !== 'ok') throw new DamagedDatabase(String(said));
}

/** Moves the database and what belongs to it into a folder of its own; answers that folder. */
export function setAside(path: string, dataDir: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const folder = join(dataDir, 'set-aside', stamp);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const part of parts)
    if (existsSync(path + part)) renameSync(path + part, join(folder, `enlarger.db${part}`));
  return folder;
}

/** @param nowMs the wall clock's time, as files' times are */
export function dropOldSetAside(dataDir: string, nowMs: number): void {
  const all = join(dataDir, 'set-aside');
  if (!existsSync(all)) return;
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (nowMs - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Triggers keep these tables, or they belong to their file alone. */
const notCopied = ['status_counts', 'waiting_counts', 'unnamed_files', 'changes'];
/** Tables that others refer to come first. */
const copiedFirst = ['presets', 'watches', 'tasks'];

/** Copies what can be read, never throws for what cannot, and answers how many rows it was. */
export function salvage(into: Connection, folder: string): number {
  let from: Connection;
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

function tablesOf(db: Connection): string[] {
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

const columnsOf = (db: Connection, table: string) =>
  db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table);

/** Copies from one end of the table until what cannot be read, and then from the other. */
function copyTable(from: Connection, into: Connection, table: string): number {
  try {
    const theirs = columnsOf(from, table).map(({ name }) => name);
    const columns = columnsOf(into, table).filter(({ name }) => theirs.includes(name));
    const names = columns.map(({ name }) => name);
    const marks = names.map((name) => `@${name}`).join(', ');
    // A person's presets go before those that ship; the triggers of tasks count no replacing.
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
    return forward.isWhole ? forward.rows : forward.rows + read('DESC').rows;
  } catch {
    return 0;
  }
}

function copyRows(select: Database.Statement<[], object>, insert: Database.Statement<[object]>) {
  let rows = 0;
  try {
    for (const row of select.iterate()) if (isTaken(() => insert.run(row))) rows += 1;
    return { rows, isWhole: true };
  } catch {
    return { rows, isWhole: false };
  }
}

/** A row that no rule of the new database allows stays behind. */
function isTaken(insert: () => unknown): boolean {
  try {
    insert();
    return true;
  } catch {
    return false;
  }
}
