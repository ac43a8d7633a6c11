import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import type { Capability } from '../../../packages/pool/src/messages.ts';
import { lies, startLyingHelper } from '../../support/lying-helper.ts';
import { asSharp, photo, readPixels, type Pixels } from '../../support/images.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';
import { subjectPhoto } from '../../support/subjects.ts';
import {
  helperIds,
  helperStates,
  join,
  openPool,
  poolOf,
  quick,
  quickPool,
  type TestPool,
} from '../../support/pool.ts';
import { redisProgram } from '../../support/redis.ts';
import { ended, openRealService } from '../../support/real-service.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';

/** A photo of a size of its own, so that a result of another one is noticed. */
async function submitPhotos({ submitter }: TestPool, count: number) {
  const photos: { taskId: string; picture: Pixels }[] = [];
  for (let i = 0; i < count; i += 1) {
    const picture = photo(200 + i, 160);
    const file = path.join(submitter.folder, `photo-${i}.png`);
    await asSharp(picture).png().toFile(file);
    photos.push({ taskId: await submitter.submit(pathToFileURL(file).href), picture });
  }
  return photos;
}

/** That each ended well, with the right pixels. Answers the records. */
async function expectAll(
  { submitter }: TestPool,
  photos: Awaited<ReturnType<typeof submitPhotos>>,
): Promise<TaskRecord[]> {
  const records: TaskRecord[] = [];
  for (const { taskId, picture } of photos) {
    const record = await ended(submitter, taskId);
    expect(record.error).toBeUndefined();
    const file = path.join(submitter.folder, `${taskId}.png`);
    const bytes = await (await fetch(record.imageUrl!)).arrayBuffer();
    await writeFile(file, Buffer.from(bytes));
    expect(differenceOf(await readPixels(file), repeated(picture, 2)).most).toBeLessThanOrEqual(1);
    records.push(record);
  }
  return records;
}

const elsewhere = (records: TaskRecord[]) => records.filter(({ ranOn }) => ranOn);

/** Small photos may all be done here before a helper asks for one; of several batches it gets some. */
async function expectShared(pool: Awaited<ReturnType<typeof openPool>>): Promise<void> {
  for (let batch = 0; batch < 15; batch += 1) {
    const records = await expectAll(pool, await submitPhotos(pool, 8));
    if (elsewhere(records).length > 0) return;
  }
  throw new Error('No helper was given a task of fifteen batches.');
}

/** Submits batches until both helpers had some, and expects nothing of them to be left. */
async function expectSharedByBoth(pool: TestPool): Promise<void> {
  const records = await expectAll(pool, await submitPhotos(pool, 12));
  const namesOf = (some: TaskRecord[]) => new Set(elsewhere(some).map(({ ranOn }) => ranOn?.id));
  // On a busy machine one helper may be through before the other asks.
  for (let batch = 1; batch < 15 && namesOf(records).size < 2; batch += 1)
    records.push(...(await expectAll(pool, await submitPhotos(pool, 12))));
  expect(namesOf(records).size).toBe(2);
  expect(elsewhere(records).length).toBeLessThan(records.length);
  await expect.poll(() => readdir(pool.share), quick).toEqual([]);
  const outstanding = () => pool.redis.send('KEYS enlarger:outstanding:*');
  await expect.poll(async () => (await outstanding()).trim(), quick).toBe('*0');
  const finished = async () =>
    (await poolOf(pool.submitter)).helpers.reduce((sum, one) => sum + one.finished, 0);
  await expect.poll(finished, quick).toBeGreaterThanOrEqual(elsewhere(records).length);
  await expect.poll(async () => (await poolOf(pool.submitter)).speedup, quick).toBeGreaterThan(1);
  const { helpers } = await poolOf(pool.submitter);
  expect(helpers.every(({ speeds }) => speeds.some((one) => one.megapixelsPerSecond))).toBe(true);
}

/** Each task is given its own time, as a network's first use measures it. */
const patient = { timeout: 300_000 };

describe.skipIf(!redisProgram)(`a pool${left}`, patient, () => {
  /** Opens one pool for all tests of a block. */
  function withPool(helpers: number, use: (pool: TestPool) => unknown): void {
    const closings: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      await use(await openPool(helpers, {}, 'made', {}, (close) => closings.unshift(close)));
    });
    afterAll(async () => {
      for (const close of closings) await close();
    });
  }

  /** The last tests close one of the helpers, and have the other one leave. */
  describe('of two helpers', () => {
    let pool: TestPool;
    withPool(2, (opened) => (pool = opened));

    test('shares a batch and leaves nothing behind', () => expectSharedByBoth(pool));

    test('runs tasks here when its server vanishes, and in the pool again when it is back', async () => {
      const photos = await submitPhotos(pool, 12);
      await pool.redis.kill();
      await expectAll(pool, photos);
      await expect
        .poll(async () => (await poolOf(pool.submitter)).state, quick)
        .toBe('unreachable');
      await pool.redis.start();
      // Until then the helpers are seen that were there before.
      await expect.poll(() => pool.redis.send('HLEN enlarger:helpers'), quick).toBe(':2\r\n');
      await expect.poll(() => helperStates(pool.submitter), quick).toEqual(['idle', 'idle']);
      await expectShared(pool);
    });

    test('loses nothing when its server is emptied', async () => {
      const photos = await submitPhotos(pool, 20);
      for (let i = 0; i < 3; i += 1) {
        expect(await pool.redis.send('FLUSHALL')).toBe('+OK\r\n');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      await expectAll(pool, photos);
      await expectShared(pool);
    });

    test('goes on without a helper that leaves in the middle', async () => {
      const photos = await submitPhotos(pool, 12);
      await pool.helpers[0]!.close();
      const records = await expectAll(pool, photos);
      await expect.poll(() => helperStates(pool.submitter), quick).toHaveLength(1);
      expect(records).toHaveLength(12);
    });

    test('is left when its address is taken out, and says why it cannot be entered', async () => {
      await join(pool.helpers[1]!, { address: '' });
      await expect.poll(() => helperStates(pool.submitter), quick).toEqual([]);
      expect(await poolOf(pool.helpers[1]!)).toMatchObject({ state: 'off' });
      await join(pool.submitter, { storage: path.join(pool.share, 'gone') });
      await expect
        .poll(() => poolOf(pool.submitter), quick)
        .toMatchObject({
          state: 'unreachable',
          reason: expect.stringMatching(/Mount the share/) as string,
        });
      expect(elsewhere(await expectAll(pool, await submitPhotos(pool, 3)))).toEqual([]);
    });
  });

  /** The submitter's own skill: a liar says that it has the same networks. */
  const skillsOf = async (pool: TestPool) => {
    const { helpers } = await poolOf(pool.submitter);
    const word = JSON.parse(
      (await pool.redis.send(`HGET enlarger:helpers ${helpers[0]!.id}`)).split('\r\n')[1]!,
    ) as { word: { skills: Capability[] } };
    return word.word.skills;
  };

  /** After the second test the helper is closed. */
  describe('of one helper', () => {
    let pool: TestPool;
    let ownSkills: Capability[];
    withPool(1, async (opened) => {
      pool = opened;
      ownSkills = await skillsOf(pool);
    });

    test('takes no more of a task that was cancelled', async () => {
      const photos = await submitPhotos(pool, 10);
      for (const { taskId } of photos)
        await pool.submitter.call('POST', `/api/task/${taskId}/cancel`);
      for (const { taskId } of photos) await ended(pool.submitter, taskId);
      await expect.poll(() => readdir(pool.share), quick).toEqual([]);
    });

    test('has a helper again that was started again', async () => {
      const helper = pool.helpers[0]!;
      await helper.close();
      await expect.poll(() => helperStates(pool.submitter), quick).toEqual([]);
      await openRealService('made', { dataDir: helper.dataDir, poolTimes: quickPool });
      await expect.poll(() => helperStates(pool.submitter), quick).toEqual(['idle']);
      await expectShared(pool);
    });

    test('finds out helpers that lie, and sets each aside', async () => {
      const { address } = pool.redis;
      for (const [i, lie] of lies.entries()) {
        const id = `${i}`.repeat(16);
        const liar = await startLyingHelper({
          address,
          storage: pool.share,
          lie,
          skills: ownSkills,
          id,
        });
        // The one that left before may be seen for a moment longer.
        await expect.poll(() => helperIds(pool.submitter), quick).toEqual([id]);
        await expect.poll(() => helperStates(pool.submitter), quick).toEqual(['idle']);
        // Small photos may be done here before it is through with three.
        const isAside = async () => (await helperStates(pool.submitter)).includes('aside');
        for (let batch = 0; batch < 10 && !(await isAside()); batch += 1)
          expect(elsewhere(await expectAll(pool, await submitPhotos(pool, 6)))).toEqual([]);
        expect(liar.taken()).toBeGreaterThanOrEqual(3);
        await expect
          .poll(async () => (await poolOf(pool.submitter)).helpers, { ...quick, message: lie })
          .toMatchObject([
            {
              id,
              state: 'aside',
              reason: expect.stringMatching(/^It is set aside after 3 failures/) as string,
            },
          ]);
        await liar.close();
      }
      await expect.poll(() => readdir(pool.share), quick).toEqual([]);
    });

    test('gives nothing to a helper whose networks differ, and says so', async () => {
      const skills = [{ ...ownSkills[0]!, digest: '0123456789abcdef' }];
      const { address } = pool.redis;
      const id = 'b'.repeat(16);
      const other = await startLyingHelper({
        address,
        storage: pool.share,
        lie: 'flat',
        skills,
        id,
      });
      onTestFinished(() => other.close());
      await expect.poll(() => helperIds(pool.submitter), quick).toEqual([id]);
      await expect.poll(() => helperStates(pool.submitter), quick).toEqual(['idle']);
      expect(elsewhere(await expectAll(pool, await submitPhotos(pool, 8)))).toEqual([]);
      expect(other.taken()).toBe(0);
      const { helpers } = await poolOf(pool.submitter);
      expect(helpers[0]?.reason).toMatch(/another version than this machine's/);
    });
  });

  test('shares a batch, its pictures encrypted, and leaves nothing behind', async () => {
    await expectSharedByBoth(await openPool(2, { key: randomBytes(32).toString('base64url') }));
  });

  test('cuts out and enlarges in one task elsewhere, where a helper has both networks', async () => {
    const pool = await openPool(1, {}, 'made with remover');
    // It enlarges, and finds no subjects.
    const half = await openRealService('made', { poolTimes: quickPool });
    await join(half, {
      ...{ address: pool.redis.address, storage: pool.share },
      ...{ submit: false, help: true },
    });
    await expect.poll(() => helperStates(pool.submitter), quick).toHaveLength(2);
    const file = path.join(pool.submitter.folder, 'box.png');
    const box = { x: 60, y: 40, width: 80, height: 60 };
    await asSharp(subjectPhoto(200, 150, box))
      .png()
      .toFile(file);
    const submit = async () => {
      const body = { imageUrl: pathToFileURL(file).href, crop: 5, enlarge: { scale: 2 } };
      const response = await pool.submitter.call('POST', '/api/remove-bg', body);
      return (response.body as { taskId: string }).taskId;
    };
    const records: TaskRecord[] = [];
    for (let batch = 0; batch < 4 && elsewhere(records).length === 0; batch += 1) {
      const ids = [];
      for (let i = 0; i < 12; i += 1) ids.push(await submit());
      for (const id of ids) records.push(await ended(pool.submitter, id));
    }
    const [first] = elsewhere(records);
    const able = (await poolOf(pool.helpers[0]!)).helpers.find(({ isThis }) => isThis);
    expect(first?.ranOn?.id).toBe(able?.id);
    for (const { error, output, crop, ranOn } of records) {
      expect(error).toBeUndefined();
      expect([output?.width, output?.height]).toEqual([2 * crop!.width, 2 * crop!.height]);
      expect([undefined, first?.ranOn?.id]).toContain(ranOn?.id);
    }
  });

  test('does without a helper that has another key', async () => {
    const pool = await openPool(0, { key: randomBytes(32).toString('base64url') });
    const helper = await openRealService('made', { poolTimes: quickPool });
    const { address, storage } = { address: pool.redis.address, storage: pool.share };
    await join(helper, { address, storage, submit: false, help: true });
    await expect.poll(() => helperStates(pool.submitter), quick).toEqual(['idle']);
    expect(elsewhere(await expectAll(pool, await submitPhotos(pool, 6)))).toEqual([]);
  });

  test('gives what a silent helper holds to another one', async () => {
    const pool = await openPool(1, {}, 'made', { checkMs: 500 });
    const { address } = pool.redis;
    const skills = await skillsOf(pool);
    const silent = await startLyingHelper({
      ...{ address, storage: pool.share, lie: 'silent', skills },
      times: { leaseMs: 2000, checkMs: 500 },
    });
    onTestFinished(() => silent.close());
    await expect.poll(() => helperStates(pool.submitter), quick).toHaveLength(2);
    for (let batch = 0; batch < 15 && silent.taken() === 0; batch += 1)
      await expectAll(pool, await submitPhotos(pool, 10));
    expect(silent.taken()).toBeGreaterThanOrEqual(1);
  });
});
