/** The small tables. */
import type { ClockMemory } from '../timing/clock.ts';
import { runWrite, type SqliteConnection, runOptionalWrite } from './connection.ts';
import { randomBytes } from 'node:crypto';

/** Last reading of the service's clock. */
export function createClockTable(db: SqliteConnection): ClockMemory {
  const read = db.prepare<[], { serviceMs: number; wallMs: number }>(
    'SELECT service_ms AS serviceMs, wall_ms AS wallMs FROM clock',
  );
  const write = db.prepare<[number, number]>(
    `INSERT INTO clock VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET service_ms = excluded.service_ms, wall_ms = excluded.wall_ms`,
  );
  return {
    read: () => read.get(),
    write: ({ serviceMs, wallMs }) => void runWrite(() => write.run(serviceMs, wallMs)),
  };
}

/** Flags that outlive restarts, such as the queue's pause. */
export interface FlagTable {
  /** False for a flag that was never set. */
  get(name: 'paused'): boolean;
  set(name: 'paused', on: boolean): void;
}

export function createFlagTable(db: SqliteConnection): FlagTable {
  const find = db.prepare<[string], number>('SELECT value FROM flags WHERE name = ?').pluck();
  const write = db.prepare<[string, number]>(
    'INSERT INTO flags VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get: (name) => find.get(name) === 1,
    set: (name, on) => void runWrite(() => write.run(name, on ? 1 : 0)),
  };
}

/** Random secrets that outlive restarts, such as the one that signs links. */
export interface SecretTable {
  /** 32 bytes, created at the first call. */
  get(name: string): Buffer;
  /** Replaces the 32 bytes. */
  set(name: string, value: Buffer): void;
}

export function createSecretTable(db: SqliteConnection): SecretTable {
  const find = db.prepare<[string], Buffer>('SELECT value FROM secrets WHERE name = ?').pluck();
  const insert = db.prepare<[string, Buffer]>(
    'INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const replace = db.prepare<[string, Buffer]>('INSERT OR REPLACE INTO secrets VALUES (?, ?)');
  return {
    set: (name, value) => void runWrite(() => replace.run(name, value)),
    get(name) {
      const known = find.get(name);
      if (known) return known;
      const created = randomBytes(32);
      runWrite(() => insert.run(name, created));
      return find.get(name) ?? created;
    },
  };
}

interface NoticeRow {
  code: 'DATABASE_SET_ASIDE' | 'RESULTS_ADOPTED';
  /** A sentence for people. */
  message: string;
  /** Wall clock, milliseconds. */
  noticedAt: number;
}

/** Notices to a person, kept until dismissed. */
export interface NoticeTable {
  /** Replaces an earlier notice of the same code. */
  put(notice: NoticeRow): void;
  list(): NoticeRow[];
  /** @returns false if there is no such notice */
  dismiss(code: string): boolean;
}

export function createNoticeTable(db: SqliteConnection): NoticeTable {
  const put = db.prepare<[object]>(
    `INSERT INTO notices VALUES (@code, @message, @noticedAt)
     ON CONFLICT DO UPDATE SET message = excluded.message, noticed_at = excluded.noticed_at`,
  );
  const all = db.prepare<[], NoticeRow>(
    'SELECT code, message, noticed_at AS noticedAt FROM notices ORDER BY noticed_at, code',
  );
  const remove = db.prepare<[string]>('DELETE FROM notices WHERE code = ?');
  return {
    put: (notice) => runOptionalWrite(() => put.run(notice)),
    list: () => all.all(),
    dismiss: (code) => runWrite(() => remove.run(code)).changes === 1,
  };
}

/**
 * Files in the data folder that no row names. They are deleted after some days only, because the database may
 * be what is wrong. Times are service clock in milliseconds.
 */
export interface OrphanFileTable {
  /** Records when the file was first seen without a row. @returns true if that was before `seenBeforeOn` */
  isDue(path: string, seenBeforeOn: number, nowOn: number): boolean;
  /** Called for a file that is deleted or has a row again. */
  forget(path: string): void;
}

export function createOrphanFileTable(db: SqliteConnection): OrphanFileTable {
  const note = db.prepare<[string, number]>('INSERT OR IGNORE INTO unnamed_files VALUES (?, ?)');
  const find = db
    .prepare<[string], number>('SELECT seen_on FROM unnamed_files WHERE path = ?')
    .pluck();
  const forget = db.prepare<[string]>('DELETE FROM unnamed_files WHERE path = ?');
  return {
    isDue(path, seenBeforeOn, nowOn) {
      runOptionalWrite(() => note.run(path, nowOn));
      return (find.get(path) ?? nowOn) < seenBeforeOn;
    },
    forget: (path) => runOptionalWrite(() => forget.run(path)),
  };
}
