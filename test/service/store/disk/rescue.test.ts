/** A database that is damaged, cut off or gone, and one with rows that cannot be read. */
import {
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../electron/service/store/store.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const dbOf = (dataDir: string) => path.join(dataDir, 'enlarger.db');

/** A service that was used: three results, and one photo that waits. Closed again. */
async function used(): Promise<{ dataDir: string; finished: string[]; waiting: string }> {
  const service = await openService();
  const finished: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const taskId = await service.submit(undefined, { scale: 4 });
    await service.until(taskId, 'FINISHED');
    finished.push(taskId);
  }
  await service.call('POST', '/api/keys', { name: 'a program' });
  await service.call('POST', '/api/queue/pause');
  const waiting = await service.submit();
  await service.close();
  return { dataDir: service.dataDir, finished, waiting };
}

async function expectWhole(service: TestService, finished: string[]): Promise<void> {
  for (const taskId of finished) {
    const view = await service.task(taskId);
    expect(view.status).toBe('FINISHED');
    expect((await fetch(view.imageUrl ?? '')).status).toBe(200);
    expect((await service.record(taskId)).options.scale).toBe(4);
  }
  const next = await service.submit();
  await service.call('POST', '/api/queue/resume');
  expect((await service.until(next, 'FINISHED')).status).toBe('FINISHED');
}

const noticesOf = async (service: TestService) => {
  const { body } = await service.call('GET', '/api/queue');
  return (body as { notices: { code: string }[] }).notices.map(({ code }) => code);
};

describe('a database', () => {
  const damage: Record<string, (file: string) => void> = {
    'that is no database': (file) => writeFileSync(file, 'not a database, '.repeat(1000)),
    'that was cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    'of a single page': (file) => truncateSync(file, 4096),
    'whose schema is overwritten': (file) => overwrite(file, 100, 3900),
  };
  it.each(Object.entries(damage))(
    '%s is set aside, and results are found again',
    async (_what, harm) => {
      const { dataDir, finished } = await used();
      harm(dbOf(dataDir));
      const before = readFileSync(dbOf(dataDir));
      const service = await openService({ dataDir });
      await expectWhole(service, finished);
      expect(await noticesOf(service)).toContain('DATABASE_SET_ASIDE');
      const [folder = ''] = readdirSync(path.join(dataDir, 'set-aside'));
      const kept = readFileSync(path.join(dataDir, 'set-aside', folder, 'enlarger.db'));
      expect(kept.equals(before)).toBe(true);
    },
  );

  it('with a page of rubbish in its midst gives what stands around it: keys, and what waits', async () => {
    const { dataDir, finished, waiting } = await used();
    const db = new Database(dbOf(dataDir));
    const root = Number(
      db.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'presets'`).pluck().get(),
    );
    db.close();
    overwrite(dbOf(dataDir), (root - 1) * 4096, 4096);
    const service = await openService({ dataDir });
    expect((await service.task(waiting)).status).toBe('PENDING');
    const { body } = await service.call('GET', '/api/keys');
    expect((body as { keys: unknown[] }).keys).toHaveLength(1);
    await expectWhole(service, finished);
    expect(await noticesOf(service)).toEqual(['DATABASE_SET_ASIDE']);
    const again = await service.call('DELETE', '/api/notices/DATABASE_SET_ASIDE');
    expect(again.status).toBe(204);
    expect(await noticesOf(service)).toEqual([]);
  });

  it.each(['removed', 'emptied'])('that was %s costs no result', async (how) => {
    const { dataDir, finished } = await used();
    if (how === 'removed') rmSync(dbOf(dataDir));
    else truncateSync(dbOf(dataDir), 0);
    const service = await openService({ dataDir });
    await expectWhole(service, finished);
    expect(await noticesOf(service)).toEqual(['RESULTS_ADOPTED']);
  });
});

describe('a row that cannot be read', () => {
  it.each([
    ['options', '{'],
    ['options', '[]'],
    ['options', 'null'],
    ['options', '{"model":5}'],
    ['source', '{"kind":"url"}'],
    ['source', ''],
  ])('is its own fault: %s %s', async (column, value) => {
    const { dataDir, finished, waiting } = await used();
    const db = new Database(dbOf(dataDir));
    db.prepare(`UPDATE tasks SET ${column} = ? WHERE task_id = ?`).run(value, waiting);
    db.prepare(`UPDATE tasks SET ${column} = ? WHERE task_id = ?`).run(value, finished[0]);
    db.close();
    const service = await openService({ dataDir });
    const list = await service.call('GET', '/api/tasks');
    expect(list.status, list.text).toBe(200);
    expect((list.body as { tasks: unknown[] }).tasks).toHaveLength(4);
    expect((await service.call('POST', '/api/queue/estimate', {})).status).not.toBe(500);
    await expectWhole(service, finished.slice(1));
    const broken = await service.task(waiting);
    expect(broken).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL' } });
    for (const taskId of [waiting, finished[0]])
      expect((await service.call('DELETE', `/api/task/${taskId}?now=true`)).status).toBe(204);
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({
      counts: { PENDING: 0, PROCESSING: 0, FAILED: 0 },
    });
  });

  it('of settings, presets and photos has its default, and hides no other', () => {
    const dataDir = temporaryFolder();
    openStore(dataDir).close();
    const db = new Database(dbOf(dataDir));
    db.exec(`INSERT INTO settings VALUES ('retentionHours', '{'), ('grantedFolders', '["/a"]');
      UPDATE presets SET options = 'x' WHERE id = 'shipped-1'`);
    db.close();
    const store = openStore(dataDir);
    expect(store.settings.get()).toMatchObject({ retentionHours: 24, grantedFolders: ['/a'] });
    expect(store.presets.list()).toHaveLength(3);
    store.close();
  });
});

/** With bytes that mean nothing. */
function overwrite(file: string, from: number, count: number): void {
  expect(existsSync(file)).toBe(true);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(count, 0xa5), 0, count, from);
  closeSync(handle);
}
