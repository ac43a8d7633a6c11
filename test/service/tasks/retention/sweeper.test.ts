import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import {
  createServiceClock,
  type Clock,
  type ClockReading,
} from '../../../../electron/service/timing/clock.ts';
import { createResults } from '../../../../electron/service/results/results.ts';
import { createSweeper } from '../../../../electron/service/tasks/retention/sweeper.ts';
import { createTestClock, newTask, openQueue, type Queue } from '../open-queue.ts';
import { options } from '../scripted-engine.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const hour = 3_600_000;
const day = 24 * hour;
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error;

const isExpired = ({ tasks }: Queue, taskId: string) => {
  const task = tasks.get(taskId);
  return task && tasks.isExpired(task);
};

async function openAt(clock: ReturnType<typeof createTestClock>, dir?: string) {
  const queue = await openQueue({ clock, ...(dir === undefined ? {} : { dir }) });
  const serviceClock = createServiceClock(clock, queue.store.clock);
  const sweeper = createSweeper({
    store: queue.store,
    clock: serviceClock,
    results: createResults(queue.folder.results),
    keptDir: join(queue.folder.scratch, 'kept'),
    sweepUploads: () => Promise.resolve(),
    log: (_level, message) => queue.logged.push(message),
  });
  return { ...queue, sweeper, sweep: () => sweeper.sweep() };
}

describe('a result', () => {
  it('expires 24 hours after completion; its row goes 30 days later', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    const { taskId } = await queue.tasks.submit(newTask());
    const done = await queue.until(taskId, 'FINISHED');
    expect(queue.clock.toWallMs(done.expiresOn!)).toBe(clock.wallMs() + day);
    clock.pass(day - 1);
    await queue.sweep();
    expect(isExpired(queue, taskId)).toBe(false);
    expect(await readdir(queue.folder.results)).toEqual([taskId]);
    clock.pass(1);
    expect(isExpired(queue, taskId)).toBe(true);
    await queue.sweep();
    expect(await readdir(queue.folder.results)).toEqual([]);
    clock.pass(30 * day - 1);
    await queue.sweep();
    expect(queue.tasks.get(taskId)?.status).toBe('FINISHED');
    expect(isExpired(queue, taskId)).toBe(true);
    clock.pass(1);
    expect(queue.tasks.get(taskId)).toBeUndefined();
    expect(queue.tasks.list({ limit: 9 }).rows).toEqual([]);
    await queue.sweep();
    expect(queue.tasks.counts().FINISHED).toBe(0);
    expect(queue.logged).toEqual([]);
  });

  it('stays as long as the setting says', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    queue.store.settings.patch({ retentionHours: 48 });
    const { taskId } = await queue.tasks.submit(newTask());
    await queue.until(taskId, 'FINISHED');
    clock.pass(47 * hour);
    expect(isExpired(queue, taskId)).toBe(false);
  });

  it('that a person saved is never deleted', async () => {
    const clock = createTestClock();
    const dir = temporaryFolder();
    const saveTo = join(dir, 'mine');
    await mkdir(saveTo);
    const queue = await openAt(clock, join(dir, 'data'));
    queue.store.settings.patch({ grantedFolders: [saveTo] });
    const { taskId } = await queue.tasks.submit(newTask({ options: { ...options, saveTo } }));
    await queue.until(taskId, 'FINISHED');
    clock.pass(100 * day);
    await queue.sweep();
    await queue.sweep();
    expect(queue.tasks.get(taskId)).toBeUndefined();
    expect(await readdir(saveTo)).toEqual(['beach-2x.jpg']);
  });

  it('goes although the disk is full, so that it gets room again', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    const { taskId } = await queue.tasks.submit(newTask());
    await queue.until(taskId, 'FINISHED');
    clock.pass(day);
    const { clock: memory } = queue.store;
    const write = memory.write.bind(memory);
    memory.write = () => {
      throw new EnlargerError('STORAGE_FULL', 'The disk is full.');
    };
    await queue.sweep();
    memory.write = write;
    expect(await readdir(queue.folder.results)).toEqual([]);
    expect(queue.logged).toHaveLength(1);
  });

  it('of hundreds that expire together goes with all others', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    queue.tasks.pause();
    for (let i = 0; i < 250; i++) queue.tasks.cancel((await queue.tasks.submit(newTask())).taskId);
    clock.pass(31 * day);
    await queue.sweep();
    expect(queue.tasks.counts().FAILED).toBe(0);
  });
});

describe('the upload of a photo that was added in the page', () => {
  it('stays as long as its results, or for 30 days if it was not started', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    const { photos, uploads } = queue.store;
    const times = { addedAt: clock.wallMs(), addedOn: queue.clock.nowMs() };
    for (const photo of ['waiting', 'started']) {
      const row = { photo, name: photo, imageUrl: photo, choices: {}, isReady: true, ...times };
      uploads.insert({
        uploadId: photo,
        path: photo,
        name: photo,
        sizeBytes: 1,
        createdOn: times.addedOn,
      });
      photos.put([{ ...row, uploadId: photo }]);
    }
    const path = join(queue.folder.sources, 'started');
    await writeFile(path, 'bytes');
    const source = { kind: 'upload', uploadId: 'started', path, name: 'a.jpg' } as const;
    const { taskId } = await queue.tasks.submit(newTask({ photo: 'started', source }));
    await queue.until(taskId, 'FINISHED');
    const deletable = async () => {
      await queue.sweep();
      return uploads.releasable(queue.clock.nowMs(), 9).map(({ uploadId }) => uploadId);
    };
    clock.pass(day - 1);
    expect(await deletable()).toEqual([]);
    clock.pass(1);
    expect(await deletable()).toEqual(['started']);
    clock.pass(29 * day - 1);
    expect(await deletable()).toEqual(['started']);
    clock.pass(1);
    expect(await deletable()).toEqual(['started', 'waiting']);
  });
});

describe('an idempotency key', () => {
  it('goes after a day, though its task stays', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    queue.tasks.pause();
    const key = { key: 'k', keyId: 'me', fingerprint: 'body' };
    const { taskId } = await queue.tasks.submit(newTask(), key);
    await queue.sweep();
    expect(queue.store.idempotency.find(key, -1)?.taskId).toBe(taskId);
    clock.pass(day);
    await queue.sweep();
    expect(queue.store.idempotency.find(key, -1)).toBeUndefined();
    expect(queue.tasks.get(taskId)?.status).toBe('PENDING');
  });
});

describe('what a task left for later ones of its photo', () => {
  it('goes an hour later, and when the service ends', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    const keptDir = join(queue.folder.scratch, 'kept');
    await mkdir(keptDir, { recursive: true });
    const addedAt = async (name: string, wallMs: number) => {
      await writeFile(join(keptDir, name), 'pixels');
      await utimes(join(keptDir, name), wallMs / 1000, wallMs / 1000);
    };
    await addedAt('old', clock.wallMs());
    clock.pass(hour / 2);
    await addedAt('new', clock.wallMs());
    clock.pass(hour / 2 + 1000);
    await queue.sweep();
    expect(await readdir(keptDir)).toEqual(['new']);
    await queue.sweeper.close();
    expect(await readdir(queue.folder.scratch)).not.toContain('kept');
    expect(queue.logged).toEqual([]);
  });
});

describe('a failed task', () => {
  it('keeps its source until it expires, and can be retried until then', async () => {
    const clock = createTestClock();
    const queue = await openAt(clock);
    queue.tasks.pause();
    const path = join(queue.folder.sources, 'picture');
    await writeFile(path, 'bytes');
    const { taskId } = await queue.tasks.submit(
      newTask({ source: { kind: 'data', path, name: 'image' } }),
    );
    queue.tasks.cancel(taskId);
    clock.pass(day - 1);
    await queue.sweep();
    expect(queue.tasks.retry(taskId).status).toBe('PENDING');
    queue.tasks.cancel(taskId);
    clock.pass(day);
    expect(() => queue.tasks.retry(taskId)).toThrow(code('RESULT_EXPIRED'));
    await queue.sweep();
    await expect(access(path)).rejects.toThrow();
  });
});

describe("the service's clock", () => {
  const openClock = (clock: ReturnType<typeof createTestClock>, saved?: ClockReading) => {
    let memory = saved;
    const service = createServiceClock(clock, {
      read: () => memory,
      write: (reading) => {
        memory = reading;
      },
    });
    return { service, memory: () => memory };
  };

  it('goes on evenly while the wall clock jumps', () => {
    const clock = createTestClock(1_000_000);
    const { service } = openClock(clock);
    const start = service.nowMs();
    clock.pass(10);
    clock.jump(30 * day);
    clock.jump(-400 * day);
    clock.pass(10);
    expect(service.nowMs() - start).toBe(20);
    expect(service.hasJumped()).toBe(true);
    service.save();
    expect(service.hasJumped()).toBe(false);
  });

  it.each([
    ['counts the time that the service was off', 5 * hour, 5 * hour],
    ['counts nothing when the wall clock was set back meanwhile', -5 * hour, 0],
  ])('%s', (_what, jump, counted) => {
    const clock = createTestClock(1_000_000_000_000);
    const before = openClock(clock);
    clock.jump(7 * day);
    clock.pass(hour);
    before.service.save();
    const last = before.service.nowMs();
    clock.jump(jump);
    const after = openClock(clock, before.memory());
    expect(after.service.nowMs() - last).toBe(counted);
  });

  /** What the clock of a service shows that starts, runs for an hour and ends, after each jump while it is off. */
  const counted = (jumps: number[], whileRunning = 0): number => {
    const clock = createTestClock(Date.UTC(2026, 0, 1));
    const first = openClock(clock);
    const start = first.service.nowMs();
    let { memory } = first;
    for (const jump of jumps) {
      clock.jump(jump);
      const next = openClock(clock, memory());
      clock.pass(hour);
      clock.jump(whileRunning);
      next.service.save();
      ({ memory } = next);
    }
    return openClock(clock, memory()).service.nowMs() - start;
  };
  const years = 20 * 365 * day;

  it.each([
    ['20 years back for one start', [-years, years]],
    ['20 years ahead for one start', [years, -years]],
    ['a day back for one start', [-day, day]],
    ['back and ahead', [-day, years, -years, day]],
  ])('is not fooled by a wall clock that was set %s', (_what, jumps) => {
    expect(counted(jumps)).toBe(jumps.length * hour);
  });

  it('is not fooled by a jump while it runs either, whichever way the clock is put right later', () => {
    expect(counted([0, day], -day)).toBeLessThanOrEqual(2 * hour);
    expect(counted([0, -day], day)).toBeLessThanOrEqual(2 * hour);
  });

  it('counts the nights on which it is off', () => {
    expect(counted([16 * hour, 16 * hour, 16 * hour])).toBe(3 * 17 * hour);
  });

  it('counts nights again a day after the wall clock was set back for good', () => {
    const clock = createTestClock();
    const first = openClock(clock);
    clock.jump(-5 * day);
    for (let i = 0; i < 26; i += 1) {
      clock.pass(hour);
      first.service.save();
    }
    const last = first.service.nowMs();
    clock.jump(10 * hour);
    expect(openClock(clock, first.memory()).service.nowMs() - last).toBe(10 * hour);
  });

  it('says when its moments are, as the wall clock shows them now', () => {
    const clock = createTestClock(1_000_000);
    const { service } = openClock(clock);
    const moment = service.nowMs() + day;
    clock.jump(hour);
    expect(service.toWallMs(moment)).toBe(1_000_000 + day + hour);
  });

  it('says the same moment each time, though the clocks are read apart and drift', () => {
    let wall = 1_000_000.9;
    let monotonic = 0;
    const clock: Clock = { wallMs: () => wall, monotonicMs: () => monotonic };
    const memory = { read: () => undefined, write: () => undefined };
    const service = createServiceClock(clock, memory);
    const moment = service.nowMs() + day;
    const first = service.toWallMs(moment);
    for (let i = 0; i < 50; i += 1) {
      wall += 10.3;
      monotonic += 10;
      expect(service.toWallMs(moment)).toBe(first);
    }
  });

  it('makes a result outlive a jump of the wall clock, and a restart', async () => {
    const clock = createTestClock();
    const first = await openAt(clock);
    const { taskId } = await first.tasks.submit(newTask());
    await first.until(taskId, 'FINISHED');
    clock.jump(100 * day);
    await first.sweep();
    expect(isExpired(first, taskId)).toBe(false);
    await first.close();
    clock.jump(23 * hour);
    const second = await openAt(clock, first.folder.root);
    expect(isExpired(second, taskId)).toBe(false);
    clock.pass(hour);
    expect(isExpired(second, taskId)).toBe(true);
  });
});
