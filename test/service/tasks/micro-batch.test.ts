import { describe, expect, it } from 'vitest';
import { newTask, openQueue } from './open-queue.ts';

describe('submits at the same moment', () => {
  it('are all taken, in their order, each once', async () => {
    const { tasks } = await openQueue({ start: false });
    const rows = await Promise.all(Array.from({ length: 20 }, () => tasks.submit(newTask())));
    expect(new Set(rows.map(({ taskId }) => taskId)).size).toBe(20);
    expect(rows.map((row) => tasks.queuePositionOf(row))).toEqual(rows.map((_, i) => i + 1));
  });

  it('are refused one by one: the others are taken', async () => {
    const { tasks, store, events } = await openQueue({ start: false });
    store.settings.patch({ maxWaitingTasks: 2 });
    const once = (fingerprint: string) => ({ key: 'order-7', keyId: 'a', fingerprint });
    const responses = await Promise.allSettled([
      tasks.submit(newTask(), once('one')),
      tasks.submit(newTask(), once('other')),
      tasks.submit(newTask(), once('one')),
      tasks.submit(newTask()),
      tasks.submit(newTask()),
    ]);
    const outcomes = responses.map((response) =>
      response.status === 'fulfilled'
        ? response.value.seq
        : (response.reason as { code: string }).code,
    );
    expect(outcomes).toEqual([1, 'CONFLICT', 1, 2, 'QUEUE_FULL']);
    expect(events).toHaveLength(2);
    expect(tasks.counts().PENDING).toBe(2);
  });

  it('are all refused when they cannot be stored, and nobody is told of them', async () => {
    const { tasks, store, events } = await openQueue({ start: false });
    const insert = store.tasks.insert.bind(store.tasks);
    let inserted = 0;
    store.tasks.insert = (task) => {
      if (++inserted === 2) throw new Error('The disk is gone.');
      return insert(task);
    };
    const responses = await Promise.allSettled([tasks.submit(newTask()), tasks.submit(newTask())]);
    expect(responses.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([events, tasks.counts().PENDING]).toEqual([[], 0]);
  });

  it('are refused once the queue closes', async () => {
    const queue = await openQueue();
    await queue.close();
    await expect(queue.tasks.submit(newTask())).rejects.toMatchObject({
      code: 'SHUTTING_DOWN',
    });
  });
});
