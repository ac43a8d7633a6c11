import Database from 'better-sqlite3';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrate, migrations } from '../../../../electron/service/store/migrations.ts';
import { openStore } from '../../../../electron/service/store/store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A database as a program that knew so many steps left it. */
function writeVersion(dir: string, version: number): void {
  const db = new Database(path.join(dir, 'enlarger.db'));
  migrate(db, migrations.slice(0, version));
  db.prepare("INSERT INTO flags (name, value) VALUES ('seen', 1)").run();
  db.close();
}

const backups = (dir: string) => readdirSync(path.join(dir, 'backups'));

describe('a database of an older program', () => {
  it('of every released version on is carried to the newest, with a copy of it as it was', () => {
    for (let version = 1; version < migrations.length; version += 1) {
      const dir = temporaryFolder();
      writeVersion(dir, version);
      const store = openStore(dir);
      expect(store.settings.get()).toBeDefined();
      store.close();
      expect(backups(dir)).toEqual([`version-${version}.db`]);
      const copy = new Database(path.join(dir, 'backups', `version-${version}.db`));
      expect(copy.pragma('user_version', { simple: true })).toBe(version);
      expect(copy.prepare('SELECT value FROM flags').pluck().all()).toEqual([1]);
      copy.close();
    }
  });

  it('keeps its copy for a week', () => {
    const dir = temporaryFolder();
    writeVersion(dir, 1);
    openStore(dir).close();
    openStore(dir).close();
    expect(backups(dir)).toHaveLength(1);
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    utimesSync(path.join(dir, 'backups', 'version-1.db'), longAgo, longAgo);
    openStore(dir).close();
    expect(backups(dir)).toEqual([]);
  });
});

describe('a new database', () => {
  it('has no copy', () => {
    const dir = temporaryFolder();
    openStore(dir).close();
    expect(readdirSync(dir)).not.toContain('backups');
  });
});

describe('a database of a newer program', () => {
  it('is refused with a sentence and stays as it was, to the byte', () => {
    const dir = temporaryFolder();
    const file = path.join(dir, 'enlarger.db');
    const db = new Database(file);
    db.exec('CREATE TABLE future (a)');
    db.pragma(`user_version = ${migrations.length + 1}`);
    db.close();
    const before = readFileSync(file);
    expect(() => openStore(dir)).toThrow('written by a newer Enlarger');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dir)).toEqual(['enlarger.db']);
  });
});
