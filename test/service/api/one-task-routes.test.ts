import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import { dataUrl, openService, type TestService } from '../../support/service.ts';
import { eventsIn, openStream } from '../../support/sse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const list = async (service: TestService, query = '') =>
  (await service.call('GET', `/api/tasks${query}`)).body as TaskList;

async function paused(count: number): Promise<{ service: TestService; ids: string[] }> {
  const service = await openService();
  await service.call('POST', '/api/queue/pause');
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await service.submit());
  return { service, ids };
}

describe('the list of tasks', () => {
  it('is newest first, in pages, with counts', async () => {
    const { service, ids } = await paused(5);
    const first = await list(service, '?limit=2');
    expect(first.tasks.map(({ taskId }) => taskId)).toEqual([ids[4], ids[3]]);
    expect(first.counts).toEqual({
      PENDING: 5,
      PROCESSING: 0,
      FINISHED: 0,
      FAILED: 0,
      CANCELLED: 0,
    });
    expect(first.paused).toBe(true);
    const second = await list(service, `?limit=2&cursor=${first.nextCursor}`);
    const third = await list(service, `?limit=2&cursor=${second.nextCursor}`);
    expect([...second.tasks, ...third.tasks].map(({ taskId }) => taskId)).toEqual(
      ids.slice(0, 3).toReversed(),
    );
    expect(third.nextCursor).toBeUndefined();
    expect(first.tasks[0]?.place).toBe(5);
  });

  it('can be of one status', async () => {
    const { service, ids } = await paused(2);
    await service.call('POST', `/api/task/${ids[0]}/cancel`);
    expect((await list(service, '?status=FAILED')).tasks.map(({ taskId }) => taskId)).toEqual([
      ids[0],
    ]);
  });

  it('refuses what is no limit, status or cursor', async () => {
    const service = await openService();
    for (const query of [
      'limit=0',
      'limit=x',
      'limit=501',
      'status=DONE',
      'cursor=!',
      'cursor=zzz',
    ])
      expect([query, (await service.call('GET', `/api/tasks?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    expect((await service.call('GET', '/api/tasks?limit=501')).text).toContain(
      'Expected limit to be a whole number from 1 to 500',
    );
  });

  it('refuses query parameters that a call does not have, which a submit of part 1 ignores', async () => {
    const service = await openService();
    const { body } = await service.call('GET', '/api/tasks?stat=FAILED');
    expect(body).toMatchObject({
      statusCode: 400,
      message: 'Expected only the query parameters status, photo, limit, cursor but received stat.',
    });
    const route = '/api/image-upscaler?scal=4';
    const { taskId } = (await service.call('POST', route, { imageUrl: dataUrl })).body as {
      taskId: string;
    };
    const removal = await service.call('DELETE', `/api/task/${taskId}?nwo=true`);
    expect(removal.status).toBe(400);
    expect((await service.record(taskId)).options).toMatchObject({ scale: 2 });
    const upload = await service.call('POST', '/api/uploads?nam=a.jpg', new Uint8Array([1]));
    expect(upload.status).toBe(400);
  });
});

describe('what can be done to a task', () => {
  it('cancel ends it as CANCELLED and retry makes a new attempt of it', async () => {
    const service = await openService({
      script: (_id, attempt) => ({ do: attempt === 1 ? 'hold' : 'finish' }),
    });
    const taskId = await service.submit();
    await expect.poll(() => service.engine.isHeld(taskId)).toBe(true);
    const cancelled = await service.call('POST', `/api/task/${taskId}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'FAILED', error: { code: 'CANCELLED' } });
    expect((await service.call('POST', `/api/task/${taskId}/cancel`)).status).toBe(409);
    expect((await service.call('POST', `/api/task/${taskId}/retry`)).status).toBe(200);
    await service.until(taskId, 'FINISHED');
    expect((await service.record(taskId)).attempts).toBe(2);
    expect((await service.call('POST', `/api/task/${taskId}/retry`)).status).toBe(409);
  });

  it('a place in the queue, by itself or beside another', async () => {
    const { service, ids } = await paused(3);
    const [a = '', b = '', c = ''] = ids;
    const order = async () =>
      (await list(service)).tasks
        .toSorted((one, two) => (one.place ?? 0) - (two.place ?? 0))
        .map(({ taskId }) => taskId);
    await service.call('PATCH', `/api/task/${c}`, { place: 'first' });
    expect(await order()).toEqual([c, a, b]);
    await service.call('PATCH', `/api/task/${c}`, { place: { after: a } });
    expect(await order()).toEqual([a, c, b]);
    await service.call('PATCH', `/api/task/${b}`, { priority: 5 });
    expect(await order()).toEqual([b, a, c]);
    for (const body of [{}, { place: 'middle' }, { place: { before: 1 } }, { priority: 11 }])
      expect((await service.call('PATCH', `/api/task/${a}`, body)).status).toBe(400);
  });

  it('deletion, after which it is not there', async () => {
    const service = await openService();
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    const response = await service.call('DELETE', `/api/task/${taskId}`);
    expect([response.status, response.text]).toEqual([204, '']);
    for (const route of [`/api/task/${taskId}`, `/api/tasks/${taskId}`])
      expect((await service.call('GET', route)).status).toBe(404);
  });

  it('undoing a deletion, with its result and its links', async () => {
    const service = await openService();
    const taskId = await service.submit();
    const before = await service.until(taskId, 'FINISHED');
    const stream = openStream(service.url, '/api/tasks/sse', service.key);
    await stream.until('\r\n\r\n');
    await service.call('DELETE', `/api/task/${taskId}`);
    await stream.until('"removed":true');
    const link = before.imageUrl ?? '';
    expect((await service.call('GET', link)).status).toBe(404);
    const restored = await service.call('POST', `/api/task/${taskId}/restore`);
    expect([restored.status, restored.body]).toEqual([200, before]);
    expect((await service.call('GET', link)).status).toBe(200);
    await stream.until('FINISHED","imageUrl');
    await stream.until('"notes":');
    const record = (await service.call('GET', `/api/tasks/${taskId}`)).body;
    // It is read off two clocks at each answer, so it may differ by a millisecond.
    const aMoment = expect.stringMatching(/Z$/) as string;
    // The queue's own events may come behind the task's.
    const newest = () =>
      stream.body().endsWith('\n\n') &&
      eventsIn(stream.body()).findLast(({ data }) => data['taskId'] === taskId)?.data;
    await expect.poll(newest, { timeout: 20_000 }).toMatchObject({
      taskId,
      status: 'FINISHED',
      record: { ...(record as object), expiresAt: aMoment },
    });
    expect((await service.call('POST', `/api/task/${taskId}/restore`)).status).toBe(404);
  });

  it('deletion for good, which nothing undoes', async () => {
    const service = await openService();
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    expect((await service.call('DELETE', `/api/task/${taskId}?now=true`)).status).toBe(204);
    expect(await readdir(path.join(service.dataDir, 'results'))).toEqual([]);
    expect((await service.call('POST', `/api/task/${taskId}/restore`)).body).toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
    expect((await service.call('DELETE', `/api/task/${taskId}?now=perhaps`)).status).toBe(400);
  });

  it('answers 404 for every id that is none', async () => {
    const service = await openService();
    for (const id of ['nope', '%00', '..%2f..', 'x'.repeat(400), crypto.randomUUID()])
      expect([id, (await service.call('GET', `/api/task/${id}`)).status]).toEqual([id, 404]);
    const id = crypto.randomUUID();
    for (const [method, route] of [
      ['POST', `/api/task/${id}/cancel`],
      ['POST', `/api/task/${id}/retry`],
      ['POST', `/api/task/${id}/restore`],
      ['DELETE', `/api/task/${id}`],
      ['GET', `/api/tasks/${id}`],
    ] as const)
      expect((await service.call(method, route)).body).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});

describe('the queue', () => {
  it('takes nothing while it is paused', async () => {
    const { service, ids } = await paused(1);
    expect((await service.call('GET', '/api/queue')).body).toMatchObject({ paused: true });
    expect((await service.task(ids[0] ?? '')).status).toBe('PENDING');
    expect((await service.call('POST', '/api/queue/resume')).body).toMatchObject({ paused: false });
    await service.until(ids[0] ?? '', 'FINISHED');
  });
});

describe('the stream of all tasks', () => {
  it('carries every change with an id', async () => {
    const service = await openService();
    const stream = openStream(service.url, '/api/tasks/sse', service.key);
    await stream.until('\r\n\r\n');
    const [a, b] = [await service.submit(), await service.submit()];
    await service.until(a, 'FINISHED');
    await service.until(b, 'FINISHED');
    await service.call('DELETE', `/api/task/${a}`);
    await stream.until('"removed":true');
    const events = eventsIn(stream.body());
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((one, two) => one - two));
    const statesOf = (taskId: string) =>
      events.filter(({ data }) => data['taskId'] === taskId).map(({ data }) => data['status']);
    expect(statesOf(b)).toEqual(expect.arrayContaining(['PENDING', 'PROCESSING', 'FINISHED']));
  });

  it('goes on after the last event that a client saw', async () => {
    const service = await openService();
    const first = openStream(service.url, '/api/tasks/sse', service.key);
    await first.until('\r\n\r\n');
    await service.until(await service.submit(), 'FINISHED');
    await first.until('"status":"FINISHED"');
    const changesIn = (body: string) => eventsIn(body).filter(({ event }) => event === 'message');
    // Progress has no id: who missed it is told how the task stands now.
    const seen = changesIn(first.body()).filter(({ id }) => id !== undefined);
    const middle = seen[0]?.id ?? '';
    const again = openStream(service.url, '/api/tasks/sse', service.key, {
      'last-event-id': middle,
    });
    await again.until('"status":"FINISHED"');
    expect(seen.length).toBeGreaterThan(1);
    expect(changesIn(again.body())).toEqual(seen.slice(-1));
  });

  it('says so when the missed changes are no longer known', async () => {
    const service = await openService();
    for (const id of ['1', 'abc']) {
      const stream = openStream(service.url, '/api/tasks/sse', service.key, {
        'last-event-id': id,
      });
      await stream.until('event: reset\ndata: {}\n\n');
    }
  });
});

describe('an estimate', () => {
  it('says what a submit would make, and queues nothing', async () => {
    const service = await openService();
    const { body } = await service.call('POST', '/api/estimate', { imageUrl: dataUrl, scale: 4 });
    expect(body).toMatchObject({ width: 400, height: 200, format: 'jpeg' });
    expect(body).not.toHaveProperty('problem');
    expect((await list(service)).tasks).toEqual([]);
  });

  it('says what cannot work', async () => {
    const inspection = { format: 'jpeg', width: 9000, height: 10, bitDepth: 8, channels: 3 };
    const service = await openService({ inspection: { ...inspection, pages: 1, sizeBytes: 1 } });
    const estimate = async (fields: object) =>
      (await service.call('POST', '/api/estimate', { imageUrl: dataUrl, ...fields })).body;
    expect(await estimate({ scale: 2, format: 'webp' })).toMatchObject({
      problem: { code: 'IMAGE_TOO_LARGE', message: expect.stringContaining('tiff') as string },
    });
    expect(await estimate({ scale: 8 })).toMatchObject({ format: 'tiff' });
    expect(await estimate({ imageUrl: 'http://127.0.0.1:1/a.jpg' })).toMatchObject({
      problem: { code: 'SOURCE_REFUSED' },
    });
  });
});

describe('what was told of a task', () => {
  it('stands in its record when it is finished', async () => {
    const estimate = { width: 200, height: 100, format: 'jpeg', fileSizeBytes: 9, scratchBytes: 9 };
    const service = await openService({ script: () => ({ do: 'finish', estimate }) });
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    expect((await service.record(taskId)).estimate).toEqual(estimate);
  });

  it('says that a taken name was skipped', async () => {
    const folder = temporaryFolder();
    const service = await openService({ allowFolders: [folder] });
    const save = async () => {
      const taskId = await service.submit(dataUrl, { saveTo: folder, onConflict: 'skip' });
      await service.until(taskId, 'FINISHED');
      return service.record(taskId);
    };
    const first = await save();
    expect(first.savedTo).toBeDefined();
    const { notes, savedTo } = await save();
    expect(savedTo).toBeUndefined();
    expect(notes.join()).toContain('a file of its name is there, and onConflict is skip');
    expect(await readdir(folder)).toHaveLength(1);
  });
});
