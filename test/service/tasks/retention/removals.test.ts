import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../electron/service/store/store.ts';
import type { Task } from '../../../../electron/service/store/tasks/task.ts';
import { createTestClock, newTask, openQueue, soon } from '../open-queue.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const notFound = expect.objectContaining({ code: 'TASK_NOT_FOUND' }) as Error;
const hold = () => ({ do: 'hold' }) as const;

async function submitData(queue: Awaited<ReturnType<typeof openQueue>>): Promise<string> {
  const path = join(queue.folder.sources, 'picture');
  await writeFile(path, 'bytes');
  const source = { kind: 'data', path, name: 'image' } as const;
  return (await queue.tasks.submit(newTask({ source }))).taskId;
}

describe('a removed task', () => {
  it('is gone from every list, count and place at once', async () => {
    const { tasks, events } = await openQueue({ start: false });
    const [a, b] = [await tasks.submit(newTask()), await tasks.submit(newTask())];
    tasks.remove(a.taskId);
    expect(tasks.get(a.taskId)).toBeUndefined();
    expect(tasks.list({ limit: 9 }).rows.map(({ taskId }) => taskId)).toEqual([b.taskId]);
    expect(tasks.counts().PENDING).toBe(1);
    expect(tasks.queuePositionOf(b)).toBe(1);
    expect(events.at(-1)).toMatchObject({ removed: true, task: { taskId: a.taskId } });
    for (const call of [
      () => tasks.remove(a.taskId),
      () => tasks.cancel(a.taskId),
      () => tasks.retry(a.taskId),
    ])
      expect(call).toThrow(notFound);
    await expect(tasks.delete(a.taskId)).rejects.toThrow(notFound);
  });

  it('comes back as it was, its place between its neighbours included', async () => {
    const { tasks, events } = await openQueue({ start: false });
    const rows: Task[] = [];
    for (const priority of [0, 2, 0]) rows.push(await tasks.submit(newTask({ priority })));
    for (const row of rows) {
      tasks.remove(row.taskId);
      expect(tasks.restore(row.taskId)).toEqual(row);
      expect(events.at(-1)).toEqual({ eventId: expect.any(Number) as number, task: row });
    }
    expect(rows.map((row) => tasks.queuePositionOf(row))).toEqual([2, 1, 3]);
    expect(tasks.counts().PENDING).toBe(3);
    expect(() => tasks.restore(rows[0]?.taskId ?? '')).toThrow(notFound);
  });

  it('keeps its result for a minute, and not longer', async () => {
    const clock = createTestClock();
    const queue = await openQueue({ clock });
    const { taskId } = await queue.tasks.submit(newTask());
    const finished = await queue.until(taskId, 'FINISHED');
    queue.tasks.remove(taskId);
    clock.pass(59_000);
    expect(queue.tasks.restore(taskId)).toMatchObject({
      status: 'FINISHED',
      files: finished.files,
    });
    expect(await readdir(join(queue.folder.results, taskId))).toHaveLength(3);
    queue.tasks.remove(taskId);
    clock.pass(60_000);
    expect(() => queue.tasks.restore(taskId)).toThrow(notFound);
    await expect.poll(() => readdir(queue.folder.results)).toEqual([]);
  });

  it('that ran is stopped, and comes back waiting in its place', async () => {
    const queue = await openQueue({ script: hold });
    const { taskId } = await queue.tasks.submit(newTask());
    for (const other of [newTask(), newTask()]) await queue.tasks.submit(other);
    await expect.poll(() => queue.engine.isHeld(taskId)).toBe(true);
    queue.tasks.pause();
    queue.tasks.remove(taskId);
    const row = queue.tasks.restore(taskId);
    expect(row).toMatchObject({ status: 'PENDING', engineDeaths: 0 });
    expect(queue.tasks.progressOf(row).progress).toBe(0);
    await expect.poll(() => queue.engine.inFlight).toBe(1);
    expect(queue.tasks.queuePositionOf(row)).toBe(1);
    queue.tasks.resume();
    const attempts = () => queue.engine.jobs.filter(({ jobId }) => jobId.startsWith(taskId));
    await expect.poll(() => attempts().length).toBe(2);
    await soon();
    queue.engine.settle(taskId, { do: 'finish' });
    await queue.until(taskId, 'FINISHED');
    expect(await readdir(join(queue.folder.results, taskId))).toHaveLength(3);
  });

  it('keeps its data: file and its upload as long as it can be restored', async () => {
    const clock = createTestClock();
    const queue = await openQueue({ clock, start: false });
    const { uploads } = queue.store;
    uploads.insert({
      uploadId: 'u',
      path: '/x',
      name: 'a',
      sizeBytes: 1,
      createdOn: 0,
    });
    const source = { kind: 'upload', path: '/x', name: 'a', uploadId: 'u' } as const;
    const uploaded = (await queue.tasks.submit(newTask({ source }))).taskId;
    const data = await submitData(queue);
    for (const taskId of [uploaded, data]) queue.tasks.remove(taskId);
    expect([uploads.releasable(Infinity, 9), uploads.remove('u')]).toEqual([[], false]);
    expect(queue.store.tasks.holdsFile(join(queue.folder.sources, 'picture'))).toBe(true);
    expect(queue.tasks.restore(data).holdsSource).toBe(true);
    queue.tasks.remove(data);
    clock.pass(60_000);
    await expect.poll(() => readdir(queue.folder.sources)).toEqual([]);
    await expect.poll(() => uploads.releasable(0, 9)).toHaveLength(1);
  });

  it('has no files any more when the service ends', async () => {
    const queue = await openQueue();
    const data = await submitData(queue);
    const { taskId } = await queue.tasks.submit(newTask());
    for (const id of [data, taskId]) await queue.until(id, 'FINISHED');
    for (const id of [data, taskId]) queue.tasks.remove(id);
    await queue.close();
    expect(await readdir(queue.folder.results)).toEqual([]);
    expect(await readdir(queue.folder.sources)).toEqual([]);
    const store = openStore(queue.folder.root);
    expect([store.tasks.isRemoved(data), store.tasks.get(data)]).toEqual([false, undefined]);
    store.close();
  });

  it('of a service that was killed is swept at the next start', async () => {
    const dir = temporaryFolder();
    const first = await openQueue({ dir });
    const { taskId } = await first.tasks.submit(newTask());
    await first.until(taskId, 'FINISHED');
    first.tasks.remove(taskId);
    await first.kill();
    expect(await readdir(first.folder.results)).toEqual([taskId]);
    const second = await openQueue({ dir });
    expect(() => second.tasks.restore(taskId)).toThrow(notFound);
    await expect.poll(() => readdir(second.folder.results)).toEqual([]);
  });
});
