/** What happened that a person should know of, kept until they have read it. */
import { storing, storingIfRoom, type Connection } from './connection.ts';

export interface NoticeRow {
  code: 'DATABASE_SET_ASIDE' | 'RESULTS_ADOPTED';
  /** For people. */
  message: string;
  /** By the wall clock, in milliseconds. */
  noticedAt: number;
}

export interface NoticeTable {
  /** In place of an earlier one of the same code. */
  put(notice: NoticeRow): void;
  list(): NoticeRow[];
  /** False when there is none. */
  dismiss(code: string): boolean;
}

export function createNoticeTable(db: Connection): NoticeTable {
  const put = db.prepare<[object]>(
    `INSERT INTO notices VALUES (@code, @message, @noticedAt)
     ON CONFLICT DO UPDATE SET message = excluded.message, noticed_at = excluded.noticed_at`,
  );
  const all = db.prepare<[], NoticeRow>(
    'SELECT code, message, noticed_at AS noticedAt FROM notices ORDER BY noticed_at, code',
  );
  const remove = db.prepare<[string]>('DELETE FROM notices WHERE code = ?');
  return {
    put: (notice) => storingIfRoom(() => put.run(notice)),
    list: () => all.all(),
    dismiss: (code) => storing(() => remove.run(code)).changes === 1,
  };
}
