import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  defaultChoices,
  defaultPageSettings,
} from '../../../packages/contract/src/settings/page.ts';
import { openConnection, writeRow } from '../../../electron/service/store/connection.ts';
import { migrate, migrations } from '../../../electron/service/store/migrations.ts';
import { openStore, type Store } from '../../../electron/service/store/store.ts';
import { options } from '../tasks/scripted-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function openInMemory(): Store {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

describe('the database', () => {
  it('is durable: WAL, synchronous FULL, with foreign keys', () => {
    const db = openConnection(join(temporaryFolder(), 'enlarger.db'));
    onTestFinished(() => void db.close());
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(5000);
  });

  it('is upgraded from each version to the newest, keeping its rows', () => {
    for (let version = 1; version <= migrations.length; version++) {
      const dir = temporaryFolder();
      const db = openConnection(join(dir, 'enlarger.db'));
      migrate(db, migrations.slice(0, version));
      db.exec(
        `INSERT INTO tasks (task_id, operation, status, priority, place, source, options, created_at, queued_on)
         VALUES ('old', 'upscale', 'PENDING', 0, 1, '{"kind":"url","url":"http://a/b"}', '{"model":"m"}', 1, 1)`,
      );
      // The engine has stored speeds since then.
      if (version < 17) db.exec(`INSERT INTO speeds VALUES ('m', 2, 'cpu', 'int8', 3, 1)`);
      db.close();
      const store = openStore(dir);
      expect(store.tasks.get('old')).toMatchObject({ status: 'PENDING', source: { kind: 'url' } });
      expect(store.tasks.claim({ startedAt: 2 }, true, [])?.taskId).toBe('old');
      store.close();
    }
  });

  it('knows through which watch photos of earlier versions came', () => {
    const db = openConnection(':memory:');
    onTestFinished(() => void db.close());
    migrate(db, migrations.slice(0, 23));
    db.exec(`INSERT INTO presets (id, name, operation, options, created_at) VALUES ('p', 'p', 'upscale', '{}', 1);
      INSERT INTO watches (id, folder, recursive, preset_id, save_to, enabled, created_at)
        VALUES ('w', '/in', 1, 'p', '/out', 1, 1);
      INSERT INTO seen_files VALUES ('w', 'a.jpg', 1, 1, 'p', 'watched', 'PENDING');`);
    for (const id of ['watched', 'other'])
      db.exec(`INSERT INTO tasks
        (task_id, operation, status, priority, place, source, options, created_at, queued_on) VALUES
        ('${id}', 'upscale', 'PENDING', 0, 1, '{"kind":"file","path":"/in/a.jpg"}', '{}', 1, 1)`);
    migrate(db);
    const sources = db.prepare<[], string>('SELECT source FROM tasks ORDER BY seq').pluck().all();
    expect(sources.map((source) => JSON.parse(source) as unknown)).toEqual([
      { kind: 'file', path: '/in/a.jpg', watchId: 'w' },
      { kind: 'file', path: '/in/a.jpg' },
    ]);
  });

  it('runs each step once, and keeps nothing of an update of which a step fails', () => {
    const db = openConnection(':memory:');
    onTestFinished(() => void db.close());
    const steps = [...migrations, 'CREATE TABLE extra (x) STRICT_'];
    expect(() => migrate(db, steps)).toThrow();
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    expect(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).toEqual({ n: 0 });
    const good = [
      ...migrations,
      'CREATE TABLE extra (x INTEGER) STRICT; INSERT INTO extra VALUES (1)',
    ];
    migrate(db, good);
    migrate(db, good);
    expect(db.prepare('SELECT count(*) AS n FROM extra').get()).toEqual({ n: 1 });
    expect(db.pragma('user_version', { simple: true })).toBe(good.length);
  });

  it('answers a written row only when the commit succeeded', () => {
    const db = openConnection(':memory:');
    onTestFinished(() => void db.close());
    db.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)`);
    const insert = db.prepare<[number], { id: number }>(
      'INSERT INTO child VALUES (?) RETURNING id',
    );
    expect(() => writeRow(insert, 1)).toThrow(/FOREIGN KEY/);
    db.exec('INSERT INTO parent VALUES (1)');
    expect(writeRow(insert, 1)).toEqual({ id: 1 });
    expect(db.prepare('SELECT count(*) AS n FROM child').get()).toEqual({ n: 1 });
  });

  it('of a newer program is refused with a sentence', () => {
    const dir = temporaryFolder();
    openStore(dir).close();
    const db = openConnection(join(dir, 'enlarger.db'));
    db.pragma('user_version = 99');
    db.close();
    expect(() => openStore(dir)).toThrow(/of version 99.*newer Enlarger.*\.$/);
  });
});

describe('keys', () => {
  it('are valid until they are revoked, and only their hash is stored', () => {
    const { keys } = openInMemory();
    const { id, key } = keys.create('Lightroom', 1000);
    expect(keys.verify(key, 2000)).toEqual({
      id,
      name: 'Lightroom',
      localCallbacks: false,
      createdAt: 1000,
    });
    expect(keys.verify(`${key}x`, 2000)).toBeUndefined();
    expect(keys.verify('', 2000)).toBeUndefined();
    expect(keys.list()).toEqual([
      { id, name: 'Lightroom', localCallbacks: false, createdAt: 1000, lastUsedAt: 2000 },
    ]);
    expect(JSON.stringify(keys.list())).not.toContain(key);
    expect(keys.revoke(id)).toBe(true);
    expect(keys.revoke(id)).toBe(false);
    expect(keys.verify(key, 3000)).toBeUndefined();
  });

  it('note their use at most once a minute', () => {
    const { keys } = openInMemory();
    const { key } = keys.create('a', 0);
    for (const now of [1000, 2000, 60_999, 61_000]) keys.verify(key, now);
    expect(keys.list()[0]?.lastUsedAt).toBe(61_000);
  });
});

describe('settings', () => {
  it('have defaults, are stored one by one, and outlive restarts', () => {
    const dir = temporaryFolder();
    const store = openStore(dir);
    expect(store.settings.get()).toMatchObject({ retentionHours: 24, grantedFolders: [] });
    const all = store.settings.patch({ grantedFolders: ['/photos'] });
    expect(all).toMatchObject({ retentionHours: 24, grantedFolders: ['/photos'] });
    store.close();
    const again = openStore(dir);
    onTestFinished(() => again.close());
    expect(again.settings.get()).toEqual(all);
  });

  it.each([
    [{ retentionHours: 1 }, /retentionHours must be >= 24/],
    [{ device: 'toaster' }, /device/],
    [{ nothing: 1 }, /There is no setting nothing/],
    [{ newPhotos: { scale: 3 } }, /newPhotos/],
    [{ page: { ground: 'red' } }, /page\.ground/],
  ])('refuse %j with a sentence, and store nothing of it', (patch, sentence) => {
    const { settings } = openInMemory();
    const before = settings.get();
    expect(() => settings.patch({ ...patch, maxWaitingTasks: 5 } as object)).toThrow(sentence);
    expect(settings.get()).toEqual(before);
  });

  it('that are stored and no longer valid fall back to their defaults', () => {
    const dir = temporaryFolder();
    const store = openStore(dir);
    store.settings.patch({ maxWaitingTasks: 7 });
    store.close();
    const db = openConnection(join(dir, 'enlarger.db'));
    db.exec(`INSERT INTO settings VALUES ('device', '"toaster"'), ('former', '1')`);
    db.close();
    const again = openStore(dir);
    onTestFinished(() => again.close());
    expect(again.settings.get()).toMatchObject({ device: 'auto', maxWaitingTasks: 7 });
  });
});

describe('settings that are objects', () => {
  it('are changed field by field', () => {
    const { settings } = openInMemory();
    settings.patch({ newPhotos: { scale: 8 } });
    const { newPhotos, page } = settings.patch({ newPhotos: { format: 'png' } });
    expect(newPhotos).toEqual({ ...defaultChoices, scale: 8, format: 'png' });
    expect(page).toEqual(defaultPageSettings);
  });

  it('keep the fields that are still known when another version wrote them', () => {
    const dir = temporaryFolder();
    openStore(dir).close();
    const db = openConnection(join(dir, 'enlarger.db'));
    const page = { ground: '#ffffff', former: 1 };
    db.exec(`INSERT INTO settings VALUES ('page', '${JSON.stringify(page)}')`);
    db.close();
    const again = openStore(dir);
    onTestFinished(() => again.close());
    expect(again.settings.get().page).toEqual({ ...defaultPageSettings, ground: '#ffffff' });
  });
});

describe('the other tables', () => {
  it('keep a secret for ever', () => {
    const dir = temporaryFolder();
    const store = openStore(dir);
    const secret = store.secrets.get('links');
    expect(secret).toHaveLength(32);
    expect(store.secrets.get('links')).toEqual(secret);
    expect(store.secrets.get('other')).not.toEqual(secret);
    store.close();
    const again = openStore(dir);
    onTestFinished(() => again.close());
    expect(again.secrets.get('links')).toEqual(secret);
  });

  it('keep all of a transaction or nothing', () => {
    const store = openInMemory();
    const fail = () =>
      store.transaction(() => {
        store.flags.set('paused', true);
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    expect(store.flags.get('paused')).toBe(false);
  });

  it('release an unused upload after its time, and a used one when its last task lets go', () => {
    const store = openInMemory();
    const { uploads, tasks } = store;
    const upload = (uploadId: string, createdOn: number) =>
      uploads.insert({
        uploadId,
        path: `/${uploadId}`,
        name: 'a',
        sizeBytes: 1,
        createdOn,
      });
    const submit = (taskId: string) =>
      store.transaction(() => {
        uploads.markUsed('used');
        return tasks.insert({
          taskId,
          photo: taskId,
          operation: 'upscale',
          source: { kind: 'upload', path: '/used', name: 'a', uploadId: 'used' },
          options,
          priority: 0,
          createdAt: 1,
          queuedOn: 1,
        });
      });
    upload('old', 10);
    upload('new', 20);
    upload('used', 1);
    submit('a');
    submit('b');
    const releasable = () => uploads.releasable(15, 9).map(({ uploadId }) => uploadId);
    expect(releasable()).toEqual(['old']);
    for (const id of ['a', 'b']) {
      expect(releasable()).toEqual(['old']);
      tasks.moveToRemoved(id, 0);
      expect(releasable()).toEqual(['old']);
      tasks.forgetRemoved(id);
    }
    expect(releasable()).toEqual(expect.arrayContaining(['old', 'used']));
    upload('behind', 10);
    submit('c');
    store.transaction(() => {
      expect(uploads.noteBackground('c', 'behind')).toBe(true);
      expect(uploads.noteBackground('c', 'gone')).toBe(false);
      expect(uploads.noteBackground('c', 'behind')).toBe(true);
    });
    expect(releasable()).not.toContain('behind');
    expect(uploads.remove('behind')).toBe(false);
    tasks.moveToRemoved('c', 0);
    expect(releasable()).not.toContain('behind');
    tasks.forgetRemoved('c');
    expect(releasable()).toContain('behind');
    expect(uploads.hasFile('/used')).toBe(true);
    expect(uploads.remove('used')).toBe(true);
    expect(uploads.get('used')).toBeUndefined();
  });
});
