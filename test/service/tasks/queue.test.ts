import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { awaitedPriority } from '../../../packages/contract/src/priority.ts';
import type { NewTask, TaskEvent } from '../../../electron/service/tasks/tasks.ts';
import { createTestClock, newTask, openQueue, soon, submitMany, type Queue } from './open-queue.ts';
import { openFolderInside } from '../../../packages/files/src/folder-handle.ts';
import { options, taskIdOf, type Act } from './scripted-engine.ts';

const here = { kind: 'file', path: '/photos/beach.jpg' } as const;
const hold = (): Act => ({ do: 'hold' });
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error;

async function submitAndHold(queue: Queue): Promise<string> {
  const { taskId } = await queue.tasks.submit(newTask());
  await expect.poll(() => queue.engine.isHeld(taskId)).toBe(true);
  return taskId;
}

/** While a task runs that met a death of the engine, nothing else does. */
function expectLoneRuns(events: TaskEvent[]): void {
  const running = new Map<string, number>();
  for (const { task, isProgress } of events) {
    if (isProgress) continue;
    if (task.status === 'PROCESSING') running.set(task.taskId, task.engineDeaths);
    else running.delete(task.taskId);
    if ([...running.values()].some((deaths) => deaths > 0)) expect(running.size).toBe(1);
  }
}

describe('the dispatcher', () => {
  it('has at most two tasks in flight, in order', async () => {
    const queue = await openQueue({ script: () => ({ do: 'finish', afterMs: 5 }), start: false });
    const ids = await submitMany(queue, 8);
    queue.tasks.start();
    await Promise.all(ids.map((id) => queue.until(id, 'FINISHED')));
    expect(queue.engine.maxInFlight).toBe(2);
    expect(
      queue.events
        .filter(({ task, isProgress }) => task.status === 'PROCESSING' && !isProgress)
        .map(({ task }) => task.taskId),
    ).toEqual(ids);
  });

  it('lets one task for which a person waits run beside full slots, if it needs none', async () => {
    const queue = await openQueue({ script: hold });
    const [first, second, third] = (await submitMany(queue, 3)) as [string, string, string];
    await expect.poll(() => queue.engine.inFlight).toBe(2);
    const submit = async (change: Partial<NewTask>) =>
      (await queue.tasks.submit(newTask({ source: here, priority: awaitedPriority, ...change })))
        .taskId;
    const large = await submit({});
    const combined = await submit({
      operation: 'remove-bg',
      options: { ...options, enlarge: { scale: 2, model: 'test', first: 'cutout' } },
    });
    const usual = await submit({ operation: 'remove-bg', priority: 0 });
    const touched = await submit({ operation: 'remove-bg' });
    await expect.poll(() => queue.engine.isHeld(touched)).toBe(true);
    const saved = await submit({ operation: 'convert' });
    await soon();
    expect(queue.engine.inFlight).toBe(3);
    expect(queue.engine.jobs.at(-1)).toMatchObject({ preempts: true });
    queue.engine.settle(touched, { do: 'finish' });
    await expect.poll(() => queue.engine.isHeld(saved)).toBe(true);
    for (const waiting of [third, large, combined, usual])
      expect(queue.tasks.get(waiting)?.status).toBe('PENDING');
    queue.engine.settle(saved, { do: 'finish' });
    for (const running of [first, second]) queue.engine.settle(running, { do: 'finish' });
    await expect.poll(() => queue.engine.isHeld(combined)).toBe(true);
    expect(queue.engine.inFlight).toBe(2);
    expect(queue.engine.jobs.at(-1)).not.toHaveProperty('preempts');
  });

  it('runs a task again, alone and on the CPU, after the engine died on it', async () => {
    const died = new Set<string>();
    const queue = await openQueue({
      script: (taskId, attempt) => {
        if (attempt > 1 || died.size === 2) return { do: 'finish', afterMs: 5 };
        died.add(taskId);
        return { do: 'die', blamed: true };
      },
      start: false,
    });
    const ids = await submitMany(queue, 5);
    queue.tasks.start();
    const rows = await Promise.all(ids.map((id) => queue.until(id, 'FINISHED')));
    expect(rows.map((row) => row.attempts)).toEqual([2, 2, 1, 1, 1]);
    expectLoneRuns(queue.events);
    const jobs = queue.engine.jobs.filter((job) => died.has(taskIdOf(job)));
    expect(jobs.map(({ device }) => device).toSorted()).toEqual(['auto', 'auto', 'cpu', 'cpu']);
  });

  it('gives a task up at the second death that is its own, and goes on', async () => {
    const queue = await openQueue({ script: () => ({ do: 'die', blamed: true }) });
    const { taskId } = await queue.tasks.submit(newTask());
    const row = await queue.until(taskId, 'FAILED');
    expect(row).toMatchObject({ attempts: 2, error: { code: 'ENGINE_CRASHED' } });
    expect(row.error?.message).toMatch(/^The engine .*\.$/);
  });

  it("does not count deaths that are another task's", async () => {
    const queue = await openQueue({
      script: (_id, attempt) => (attempt < 5 ? { do: 'die', blamed: false } : { do: 'finish' }),
    });
    const { taskId } = await queue.tasks.submit(newTask());
    expect(await queue.until(taskId, 'FINISHED')).toMatchObject({ attempts: 5, engineDeaths: 0 });
  });

  it('takes nothing while paused, and lets what runs go on; also after a restart', async () => {
    const queue = await openQueue({ script: hold });
    const first = await submitAndHold(queue);
    queue.tasks.pause();
    const second = (await queue.tasks.submit(newTask())).taskId;
    queue.engine.settle(first, { do: 'finish' });
    await queue.until(first, 'FINISHED');
    await soon();
    expect(queue.tasks.get(second)?.status).toBe('PENDING');
    await queue.close();
    const again = await openQueue({ dir: queue.folder.root });
    await soon();
    expect(again.tasks.paused).toBe(true);
    expect(again.tasks.get(second)?.status).toBe('PENDING');
    again.tasks.resume();
    await again.until(second, 'FINISHED');
  });
});

describe('sources that are slow to come', () => {
  const drip = { kind: 'url', url: 'http://slow.example/a.jpg' } as const;
  const near = { kind: 'url', url: 'http://near.example/a.jpg' } as const;

  /** Those of slow.example come when `arrive` is called. */
  async function openSlow(script: () => Act = () => ({ do: 'finish' })) {
    const waiting: (() => void)[] = [];
    const queue = await openQueue({
      patienceMs: 20,
      script,
      fetchSource: (toPath, signal, source) =>
        new Promise((resolve, reject) => {
          const come = () => void writeFile(toPath, 'a picture').then(resolve, reject);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          if (source.kind === 'url' && source.url === drip.url) waiting.push(come);
          else come();
        }),
    });
    return { queue, waiting, arrive: () => waiting.splice(0).forEach((come) => come()) };
  }

  it('hold up nobody but themselves: what is here already is enlarged', async () => {
    const { queue, waiting, arrive } = await openSlow();
    const slow: string[] = [];
    for (let i = 0; i < 9; i++)
      slow.push((await queue.tasks.submit(newTask({ source: drip }))).taskId);
    const here = { kind: 'file', path: '/somewhere' } as const;
    for (let i = 0; i < 3; i++) {
      const { taskId } = await queue.tasks.submit(newTask({ source: here }));
      await queue.until(taskId, 'FINISHED');
    }
    expect(waiting).toHaveLength(4);
    const drain = setInterval(arrive, 5);
    for (const taskId of slow) await queue.until(taskId, 'FINISHED');
    clearInterval(drain);
    expect(queue.engine.maxInFlight).toBeLessThanOrEqual(2);
  });

  it('let the next of another server go before them', async () => {
    const { queue } = await openSlow();
    for (let i = 0; i < 3; i++) await queue.tasks.submit(newTask({ source: drip }));
    const { taskId } = await queue.tasks.submit(newTask({ source: near }));
    await queue.until(taskId, 'FINISHED');
  });

  it('use the engine only when there is room again, and can be cancelled at its door', async () => {
    const { queue, arrive } = await openSlow(hold);
    const one = (await queue.tasks.submit(newTask({ source: drip }))).taskId;
    const two = (await queue.tasks.submit(newTask({ source: drip }))).taskId;
    const others = await submitMany(queue, 2);
    await expect.poll(() => others.every((id) => queue.engine.isHeld(id))).toBe(true);
    arrive();
    await soon(20);
    expect(queue.engine.isHeld(one) || queue.engine.isHeld(two)).toBe(false);
    expect(queue.tasks.cancel(one).status).toBe('FAILED');
    for (const taskId of others) queue.engine.settle(taskId, { do: 'finish' });
    await expect.poll(() => queue.engine.isHeld(two)).toBe(true);
    queue.engine.settle(two, { do: 'finish' });
    await queue.until(two, 'FINISHED');
    expect(queue.engine.maxInFlight).toBe(2);
    expect(queue.engine.jobs).toHaveLength(3);
  });
});

describe('cancel', () => {
  it('ends a waiting task at once', async () => {
    const queue = await openQueue({ start: false });
    const { taskId } = await queue.tasks.submit(newTask());
    expect(queue.tasks.cancel(taskId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'CANCELLED' },
    });
    queue.tasks.start();
    await soon();
    expect(queue.engine.jobs).toEqual([]);
    expect(() => queue.tasks.cancel(taskId)).toThrow(code('CONFLICT'));
  });

  it('stops a running one, and leaves no file of it', async () => {
    const queue = await openQueue({ script: hold });
    const taskId = await submitAndHold(queue);
    expect(queue.tasks.cancel(taskId).status).toBe('FAILED');
    await expect.poll(() => queue.engine.inFlight).toBe(0);
    await queue.close();
    expect(queue.events.at(-1)?.task).toMatchObject({
      status: 'FAILED',
      error: { code: 'CANCELLED' },
    });
    expect(await readdir(queue.folder.results)).toEqual([]);
    expect(await readdir(queue.folder.scratch)).toEqual([]);
  });

  it('while the source is fetched stops the fetch', async () => {
    const queue = await openQueue({
      fetchSource: (_path, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    });
    const { taskId } = await queue.tasks.submit(newTask());
    await queue.until(taskId, 'PROCESSING');
    queue.tasks.cancel(taskId);
    await queue.close();
    expect(queue.engine.jobs).toEqual([]);
    expect(queue.logged).toEqual([]);
  });

  it('then retry runs it again, after the former attempt has ended', async () => {
    const queue = await openQueue({
      script: (_id, attempt) => (attempt === 1 ? hold() : { do: 'finish' }),
    });
    const taskId = await submitAndHold(queue);
    queue.tasks.cancel(taskId);
    const again = queue.tasks.retry(taskId);
    expect(again.status).toBe('PENDING');
    expect(queue.tasks.progressOf(again).progress).toBe(0);
    const row = await queue.until(taskId, 'FINISHED');
    expect(row.attempts).toBe(2);
    expect(await readdir(join(queue.folder.results, taskId))).toEqual([
      '2-thumb.webp',
      '2.jpg',
      'task.json',
    ]);
  });
});

describe('retry, remove and move', () => {
  it('say TASK_NOT_FOUND and CONFLICT', async () => {
    const queue = await openQueue({ start: false });
    const waiting = (await queue.tasks.submit(newTask())).taskId;
    const other = (await queue.tasks.submit(newTask())).taskId;
    const ended = (await queue.tasks.submit(newTask())).taskId;
    queue.tasks.cancel(ended);
    for (const call of [
      () => queue.tasks.cancel('nobody'),
      () => queue.tasks.retry('nobody'),
      () => queue.tasks.move('nobody', { place: 'first' }),
      () => queue.tasks.move(waiting, { place: { after: 'nobody' } }),
    ]) {
      expect(call).toThrow(code('TASK_NOT_FOUND'));
    }
    await expect(queue.tasks.delete('nobody')).rejects.toThrow(code('TASK_NOT_FOUND'));
    expect(() => queue.tasks.retry(waiting)).toThrow(code('CONFLICT'));
    expect(() => queue.tasks.move(ended, { place: 'first' })).toThrow(code('CONFLICT'));
    expect(() => queue.tasks.move(waiting, { place: { before: ended } })).toThrow(code('CONFLICT'));
    expect(
      queue.tasks.queuePositionOf(queue.tasks.move(waiting, { place: { after: other } })),
    ).toBe(2);
    expect(queue.tasks.queuePositionOf(queue.tasks.move(waiting, { priority: 3 }))).toBe(1);
  });

  it('delete stops what runs, and deletes the row, its results and its data: file', async () => {
    const queue = await openQueue({ script: hold });
    const path = join(queue.folder.sources, 'picture');
    await writeFile(path, 'bytes');
    const { taskId } = await queue.tasks.submit(
      newTask({ source: { kind: 'data', path, name: 'image' } }),
    );
    await expect.poll(() => queue.engine.isHeld(taskId)).toBe(true);
    await queue.tasks.delete(taskId);
    expect(queue.tasks.get(taskId)).toBeUndefined();
    expect(queue.events.at(-1)).toMatchObject({ removed: true, task: { taskId } });
    expect(await readdir(queue.folder.results)).toEqual([]);
    await expect(access(path)).rejects.toThrow();
    expect(queue.tasks.counts()).toEqual({
      PENDING: 0,
      PROCESSING: 0,
      FINISHED: 0,
      FAILED: 0,
      CANCELLED: 0,
    });
  });
});

describe('submit', () => {
  const idempotency = { key: 'k', keyId: 'me', fingerprint: 'body' };

  it('under the same idempotency key answers the same task, and another body is a CONFLICT', async () => {
    const queue = await openQueue({ start: false });
    const first = await queue.tasks.submit(newTask(), idempotency);
    const again = await queue.tasks.submit(newTask(), idempotency);
    expect(again.taskId).toBe(first.taskId);
    const changed = queue.tasks.submit(newTask(), { ...idempotency, fingerprint: 'other' });
    await expect(changed).rejects.toThrow(code('CONFLICT'));
    const yours = await queue.tasks.submit(newTask(), { ...idempotency, keyId: 'you' });
    expect(yours.taskId).not.toBe(first.taskId);
    expect(queue.tasks.counts().PENDING).toBe(2);
  });

  it('forgets an idempotency key after a day, and with its task', async () => {
    const clock = createTestClock();
    const queue = await openQueue({ start: false, clock });
    const first = await queue.tasks.submit(newTask(), idempotency);
    clock.pass(24 * 3_600_000);
    const second = await queue.tasks.submit(newTask(), { ...idempotency, fingerprint: 'other' });
    expect(second.taskId).not.toBe(first.taskId);
    await queue.tasks.delete(second.taskId);
    const third = await queue.tasks.submit(newTask(), idempotency);
    expect(third.taskId).not.toBe(second.taskId);
  });

  it('that answers an earlier task does not keep the data: file of the repetition', async () => {
    const queue = await openQueue({ start: false });
    const [first, second] = ['first', 'second'].map((name) => join(queue.folder.sources, name));
    for (const path of [first ?? '', second ?? '']) {
      await writeFile(path, 'bytes');
      await queue.tasks.submit(
        newTask({ source: { kind: 'data', path, name: 'image' } }),
        idempotency,
      );
    }
    await expect.poll(() => readdir(queue.folder.sources)).toEqual(['first']);
  });

  it('is QUEUE_FULL at the limit, and stores nothing then, its data: file neither', async () => {
    const queue = await openQueue({ start: false });
    queue.store.settings.patch({ maxWaitingTasks: 2 });
    await queue.tasks.submit(newTask(), idempotency);
    await queue.tasks.submit(newTask());
    const path = join(queue.folder.sources, 'picture');
    await writeFile(path, 'bytes');
    const source = { kind: 'data', path, name: 'image' } as const;
    await expect(queue.tasks.submit(newTask({ source }))).rejects.toThrow(code('QUEUE_FULL'));
    await expect.poll(() => readdir(queue.folder.sources)).toEqual([]);
    expect((await queue.tasks.submit(newTask(), idempotency)).status).toBe('PENDING');
    expect(queue.tasks.counts().PENDING).toBe(2);
  });

  it('of an upload that is gone is INVALID_REQUEST, and of one that is there holds it', async () => {
    const queue = await openQueue({ start: false });
    const source = { kind: 'upload', path: '/x', name: 'a.jpg', uploadId: 'u' } as const;
    await expect(queue.tasks.submit(newTask({ source }))).rejects.toThrow(code('INVALID_REQUEST'));
    queue.store.uploads.insert({
      uploadId: 'u',
      path: '/x',
      name: 'a.jpg',
      sizeBytes: 1,
      createdOn: 0,
    });
    const { taskId } = await queue.tasks.submit(newTask({ source }));
    expect(queue.store.uploads.releasable(Infinity, 9)).toEqual([]);
    expect(queue.store.uploads.remove('u')).toBe(false);
    await queue.tasks.delete(taskId);
    expect(queue.store.uploads.releasable(0, 9)).toHaveLength(1);
    expect(queue.store.uploads.remove('u')).toBe(true);
  });

  it('after close() is SHUTTING_DOWN', async () => {
    const queue = await openQueue();
    await queue.tasks.close();
    await expect(queue.tasks.submit(newTask())).rejects.toThrow(code('SHUTTING_DOWN'));
  });
});

describe('a list', () => {
  it('has pages that go on where the last one ended', async () => {
    const queue = await openQueue({ start: false });
    const ids = (await submitMany(queue, 5)).reverse();
    const first = queue.tasks.list({ limit: 2 });
    const second = queue.tasks.list({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.rows, ...second.rows].map((row) => row.taskId)).toEqual(ids);
    expect(second.nextCursor).toBeUndefined();
    expect(() => queue.tasks.list({ limit: 2, cursor: 'Ä' })).toThrow(code('INVALID_REQUEST'));
  });
});

describe('a clean end', () => {
  it('puts running tasks back, which counts against nothing', async () => {
    const queue = await openQueue({ script: hold });
    const taskId = await submitAndHold(queue);
    await queue.close();
    const again = await openQueue({ dir: queue.folder.root, start: false });
    expect(again.tasks.get(taskId)).toMatchObject({
      status: 'PENDING',
      serviceDeaths: 0,
      engineDeaths: 0,
    });
    again.tasks.start();
    await again.until(taskId, 'FINISHED');
    expect(queue.logged).toEqual([]);
  });

  it('lets a task that is being published come to its end', async () => {
    let closing: Promise<void> | undefined;
    const queue = await openQueue({
      openGrantedFolder: (folder) => {
        closing = queue.tasks.close();
        return openFolderInside(folder, []);
      },
    });
    const saveTo = queue.folder.root;
    const { taskId } = await queue.tasks.submit(newTask({ options: { ...options, saveTo } }));
    await queue.until(taskId, 'FINISHED');
    await closing;
    expect(queue.tasks.get(taskId)).toMatchObject({ attempts: 1, status: 'FINISHED' });
  });
});
