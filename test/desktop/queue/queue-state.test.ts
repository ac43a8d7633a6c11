/** What tray, taskbar and notification are told of the queue, over a real service. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import {
  goesOnAlone,
  idleQueue,
  isBusy,
  isWorking,
  progressOf,
  applyChange,
  applyCounts,
  type BatchSummary,
  type QueueStatus,
} from '../../../electron/desktop/queue/queue-state.ts';
import { watchQueue } from '../../../electron/desktop/queue/watch-queue.ts';
import { openService } from '../../support/service.ts';

describe('the state of the queue', () => {
  const counted = (PENDING: number, PROCESSING: number, paused = false) =>
    applyCounts(idleQueue, { counts: { PENDING, PROCESSING }, paused }).state;

  const done = { counts: { PENDING: 0, PROCESSING: 0 }, paused: false };

  it('reckons progress from what ended, what runs and what waits', () => {
    let state = counted(2, 1);
    state = applyChange(state, { taskId: 'a', status: 'FINISHED' });
    state = applyChange(state, { taskId: 'b', status: 'PROCESSING', progress: 50 });
    expect(progressOf(state)).toBeCloseTo(1.5 / 4);
    expect(progressOf(idleQueue)).toBeUndefined();
  });

  it('is busy while something waits, and at work unless that is paused', () => {
    expect([isBusy(idleQueue), isBusy(counted(1, 0, true))]).toEqual([false, true]);
    expect(isWorking(counted(1, 0, true))).toBe(false);
    expect(isWorking(counted(1, 1, true))).toBe(true);
    expect(isWorking(counted(1, 0))).toBe(true);
    expect(goesOnAlone({ ...idleQueue, watching: 1 })).toBe(true);
    expect(isWorking({ ...idleQueue, watching: 1 })).toBe(false);
  });

  it('ends a batch once, without what was cancelled or removed', () => {
    let state = counted(0, 2);
    const cancelled = { code: 'CANCELLED', message: '' };
    state = applyChange(state, { taskId: 'a', status: 'FAILED', error: cancelled });
    state = applyChange(state, { taskId: 'b', status: 'FINISHED', removed: true });
    const none = applyCounts(state, done);
    expect(none.ended).toBeUndefined();
    state = applyChange(counted(0, 1), { taskId: 'c', status: 'FINISHED' });
    const one = applyCounts(state, done);
    expect(one.ended).toEqual({ finished: 1, failed: 0 });
    expect(applyCounts(one.state, done).ended).toBeUndefined();
  });
});

describe('watching the queue', () => {
  it('tells of work, of the end of the batch with its counts, and of the pause', async () => {
    const seen = new Map<string, number>();
    const service = await openService({
      script: (taskId) => {
        seen.set(taskId, seen.size);
        return seen.get(taskId) === 1 ? { do: 'fail', code: 'UNREADABLE_IMAGE' } : { do: 'finish' };
      },
    });
    const client = createClient({ url: service.url, key: service.key });
    await client.switchQueue('pause');
    const states: QueueStatus[] = [];
    const ends: BatchSummary[] = [];
    const watch = watchQueue({
      client: () => client,
      onState: (state) => void states.push(state),
      onBatchEnd: (end) => void ends.push(end),
      onLost: () => wait(50),
    });
    onTestFinished(() => watch.close());
    for (let count = 0; count < 3; count += 1) await service.submit();
    await expect
      .poll(() => states.at(-1), { timeout: 10_000 })
      .toMatchObject({
        waiting: 3,
        paused: true,
      });
    await client.switchQueue('resume');
    await expect.poll(() => ends, { timeout: 10_000 }).toEqual([{ finished: 2, failed: 1 }]);
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toEqual(idleQueue);
  });

  it('goes on when the stream is lost', async () => {
    const service = await openService();
    let url = 'http://127.0.0.1:9';
    let losses = 0;
    const states: QueueStatus[] = [];
    const watch = watchQueue({
      client: () => createClient({ url, key: service.key }),
      onState: (state) => void states.push(state),
      onBatchEnd: () => undefined,
      async onLost() {
        losses += 1;
        await wait(20);
        url = service.url;
      },
    });
    onTestFinished(() => watch.close());
    await expect.poll(() => states.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(losses).toBeGreaterThan(0);
  });
});
