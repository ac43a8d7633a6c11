import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runWrite, runOptionalWrite } from '../../../electron/service/store/connection.ts';

const failWith = (code: string) => () => {
  throw new Database.SqliteError(code, code);
};

it('leaves out a write that may be left out when the disk is full', () => {
  expect(() => runOptionalWrite(failWith('SQLITE_FULL'))).not.toThrow();
});

it('hides no other failure of such a write', () => {
  expect(() => runOptionalWrite(failWith('SQLITE_CORRUPT'))).toThrow('SQLITE_CORRUPT');
});

it('says STORAGE_FULL for every other write on a full disk', () => {
  expect(() => runWrite(failWith('SQLITE_FULL'))).toThrow(
    expect.objectContaining({ code: 'STORAGE_FULL' }),
  );
});
