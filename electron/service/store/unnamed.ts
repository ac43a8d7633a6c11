/**
 * Files of the data folder that no row names, and since when: they are deleted after some days and not before,
 * because it may be the database that is wrong. By the service's clock, in milliseconds.
 */
import { storingIfRoom, type Connection } from './connection.ts';

export interface UnnamedFiles {
  /** Notes when it was first seen without a row; true when that was before the moment. */
  isDue(path: string, seenBeforeOn: number, nowOn: number): boolean;
  /** It is gone, or has a row again. */
  forget(path: string): void;
}

export function createUnnamedFiles(db: Connection): UnnamedFiles {
  const note = db.prepare<[string, number]>('INSERT OR IGNORE INTO unnamed_files VALUES (?, ?)');
  const find = db
    .prepare<[string], number>('SELECT seen_on FROM unnamed_files WHERE path = ?')
    .pluck();
  const forget = db.prepare<[string]>('DELETE FROM unnamed_files WHERE path = ?');
  return {
    isDue(path, seenBeforeOn, nowOn) {
      storingIfRoom(() => note.run(path, nowOn));
      return (find.get(path) ?? nowOn) < seenBeforeOn;
    },
    forget: (path) => storingIfRoom(() => forget.run(path)),
  };
}
