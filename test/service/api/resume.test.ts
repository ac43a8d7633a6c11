/** A stream that is cut off and goes on by Last-Event-ID: no change is missed, whatever came between. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { TaskChange, TaskRecord } from '../../../packages/contract/src/task.ts';
import { openStore } from '../../../electron/service/store/store.ts';
import { createEventLog } from '../../../electron/service/tasks/events/event-log.ts';
import { dataUrl, openService, type TestService } from '../../support/service.ts';
import { eventsIn, openStream } from '../../support/sse.ts';
import { newTask, openQueue } from '../tasks/open-queue.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What one reader knows: the last change of each task, by what it was sent over all its connections. */
function createReader() {
  const known = new Map<string, TaskChange>();
  let lastId: string | undefined;
  let resets = 0;
  return {
    known,
    resets: () => resets,
    lastId: () => lastId,
    take(body: string): void {
      for (const { event, id, data } of eventsIn(
        `${body.slice(0, body.lastIndexOf('\n\n'))}\n\n`,
      )) {
        lastId = id ?? lastId;
        if (event === 'reset') resets += 1;
        if (event === 'message') known.set(String(data['taskId']), data as unknown as TaskChange);
      }
    },
    headers: (): Record<string, string> =>
      lastId === undefined ? {} : { 'last-event-id': lastId },
  };
}

async function listAll(service: TestService): Promise<TaskRecord[]> {
  const { body } = await service.call('GET', '/api/tasks?limit=500');
  return (body as { tasks: TaskRecord[] }).tasks;
}

async function readUntil(
  service: TestService,
  reader: ReturnType<typeof createReader>,
  part: string,
): Promise<void> {
  const stream = openStream(service.url, '/api/tasks/sse', service.key, reader.headers());
  await stream.until(part);
  stream.socket.destroy();
  await once(stream.socket, 'close').catch(() => undefined);
  reader.take(stream.body());
}

describe('a stream that was cut off', () => {
  it('goes on from the database, also over a restart and after tasks that are gone', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    const reader = createReader();
    const early = await first.submit();
    await first.until(early, 'FINISHED');
    const stream = openStream(first.url, '/api/tasks/sse', first.key);
    await stream.until('event: queue');
    const seen = await first.submit();
    await stream.until('"status":"FINISHED"');
    reader.take(stream.body());
    stream.socket.destroy();

    const gone = await first.submit();
    await first.until(gone, 'FINISHED');
    await first.call('DELETE', `/api/task/${seen}?now=true`);
    await first.call('DELETE', `/api/task/${gone}?now=true`);
    await first.close();
    const service = await openService({ dataDir });
    const missed = await Promise.all(Array.from({ length: 5 }, () => service.submit()));
    for (const taskId of missed) await service.until(taskId, 'FINISHED');
    for (let i = 0; i < 5; i += 1)
      for (const mark of ['accepted', null])
        await service.call('PUT', `/api/task/${missed[0] ?? ''}/mark`, { mark });
    await readUntil(service, reader, 'event: queue');
    expect(reader.resets()).toBe(0);
    expect(reader.known.get(seen)?.removed).toBe(true);
    expect(reader.known.get(gone)?.removed).toBe(true);
    for (const { taskId, status, imageUrl } of await listAll(service))
      if (taskId !== early)
        expect(reader.known.get(taskId)).toMatchObject({ status, imageUrl, record: { taskId } });
  });

  it('misses nothing of work that goes on while it is cut off again and again', async () => {
    const service = await openService({ script: () => ({ do: 'finish', afterMs: 3 }) });
    const reader = createReader();
    const before = openStream(service.url, '/api/tasks/sse', service.key);
    const first = await service.submit();
    await before.until(first);
    reader.take(before.body());
    before.socket.destroy();
    const over = new AbortController();
    const isOver = () => over.signal.aborted;
    const reading = (async () => {
      for (;;) {
        if (isOver()) return;
        const stream = openStream(service.url, '/api/tasks/sse', service.key, reader.headers());
        await new Promise((resolve) => setTimeout(resolve, 60));
        stream.socket.destroy();
        await once(stream.socket, 'close').catch(() => undefined);
        if (stream.text().includes('\n\n')) reader.take(stream.body());
      }
    })();
    const told = new Set<string>();
    const gone = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const taskIds = await Promise.all([service.submit(), service.submit(), service.submit()]);
      for (const taskId of taskIds) told.add(taskId);
      const [some] = taskIds;
      if (round % 3 === 0) {
        await service.call('DELETE', `/api/task/${some}?now=true`);
        gone.add(some);
      }
      if (round % 3 === 1) await service.call('POST', `/api/task/${some}/cancel`);
    }
    await expect
      .poll(async () => (await listAll(service)).every(({ finishedAt }) => finishedAt), {
        timeout: 30_000,
      })
      .toBe(true);
    over.abort();
    await reading;
    await readUntil(service, reader, 'event: queue');
    expect(reader.resets()).toBe(0);
    for (const taskId of gone) expect(reader.known.get(taskId)?.removed).toBe(true);
    const records = await listAll(service);
    expect(records).toHaveLength(1 + told.size - gone.size);
    for (const { taskId, status } of records) expect(reader.known.get(taskId)?.status).toBe(status);
  });

  it('is told to list anew after an id of another database, and after what is no id', async () => {
    const service = await openService();
    await service.submit();
    for (const id of ['0', '17', 'x', '-1', '1.5', String(Number.MAX_SAFE_INTEGER), '1e400']) {
      const stream = openStream(service.url, '/api/tasks/sse', service.key, {
        'last-event-id': id,
      });
      await stream.until('event: queue');
      expect(eventsIn(stream.body())[0]).toEqual({ event: 'reset', data: {} });
      stream.socket.destroy();
    }
  });

  it('gets what it missed as fast as it reads, and no faster', async () => {
    const service = await openService();
    await service.call('POST', '/api/queue/pause');
    const stream = openStream(service.url, '/api/tasks/sse', service.key);
    const first = await service.submit();
    await stream.until(first);
    const reader = createReader();
    reader.take(stream.body());
    stream.socket.destroy();
    const count = 600;
    const options = { scale: 4 };
    for (let i = 0; i < count; i += 100)
      await Promise.all(Array.from({ length: 100 }, () => service.submit(dataUrl, options)));
    const slow = openStream(service.url, '/api/tasks/sse', service.key, reader.headers());
    slow.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    slow.socket.resume();
    await slow.until('event: queue');
    reader.take(slow.body());
    expect(reader.known.size).toBe(count + 1);
  });
});

describe('the ids of events', () => {
  it('rise also where a change is told later than one that came after it, or changed no row', async () => {
    const store = openStore(':memory:');
    const { tasks } = await openQueue({ start: false });
    const row = await tasks.submit(newTask());
    const ids: number[] = [];
    const events = createEventLog({
      changes: store.changes,
      find: () => row,
      log: () => undefined,
    });
    events.subscribe(undefined, ({ eventId }) => ids.push(eventId ?? NaN));
    for (const taskId of ['a', 'b', 'a', 'a', 'b']) events.publish({ ...row, taskId });
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(5);
    const since = (id = 0) => events.since(id, 10)?.map(({ eventId }) => eventId);
    expect(since(ids[2])).toEqual(ids.slice(3));
    expect(since(ids[4])).toEqual([]);
    expect(since((ids[4] ?? 0) + 1)).toBeUndefined();
  });

  it('are remembered of removed tasks for a bounded number of changes, and then answer a reset', async () => {
    const { createChangeTable } = await import('../../../electron/service/store/tasks/changes.ts');
    const { default: Database } = await import('better-sqlite3');
    const { migrate } = await import('../../../electron/service/store/migrations.ts');
    const db = new Database(':memory:');
    migrate(db);
    const changes = createChangeTable(db, 10);
    const first = changes.newest();
    const insert =
      db.prepare(`INSERT INTO tasks (task_id, operation, status, priority, place, source, options,
      created_at, queued_on) VALUES (?, 'upscale', 'PENDING', 0, 0, '{}', '{}', 0, 0)`);
    for (let i = 0; i < 20; i += 1) {
      insert.run(`task ${i}`);
      db.prepare('DELETE FROM tasks WHERE task_id = ?').run(`task ${i}`);
    }
    changes.sweep();
    expect(changes.since(first, 100)).toBeUndefined();
    const kept = changes.since(changes.newest() - 10, 100) ?? [];
    expect(kept.map(({ taskId }) => taskId)).toEqual([15, 16, 17, 18, 19].map((n) => `task ${n}`));
    expect(kept.every(({ removedAs }) => removedAs === 'PENDING')).toBe(true);
    expect(db.prepare('SELECT count(*) FROM changes').pluck().get()).toBe(6);
    db.close();
  });
});
