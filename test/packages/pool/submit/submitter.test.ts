import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UserFacingError } from '../../../../packages/contract/src/error-messages.ts';
import { createRegistry, openPoolServer } from '../../../../packages/pool/src/queue/queue.ts';
import type { StoredFile } from '../../../../packages/pool/src/bytes/transfers.ts';
import type { FileRole } from '../../../../packages/pool/src/messages.ts';
import {
  helper,
  jobIn,
  openTestSubmitter,
  openTestWorker,
  reportOfJob,
} from '../../../support/pool-parts.ts';
import { join, poolOf, quick } from '../../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../../support/redis.ts';
import { openService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const watch = { signal: new AbortController().signal, onProgress: () => undefined };
const one = 'a'.repeat(16);
const other = 'b'.repeat(16);

describe.skipIf(!redisProgram)(`submitters of a pool${left}`, () => {
  test('are served in turns, however many tasks each has', async () => {
    const folder = temporaryFolder();
    const redis = await openTestRedis(folder);
    const { address } = redis;
    const [first, second] = [
      await openTestSubmitter(address, folder, one),
      await openTestSubmitter(address, folder, other),
    ];
    const outstanding = async (id: string) => redis.send(`HLEN enlarger:outstanding:${id}`);
    const runs: Promise<unknown>[] = [];
    const give = async ({ submitter }: typeof first, id: string, from: number, count: number) => {
      for (let i = 0; i < count; i += 1) {
        runs.push(submitter.run(jobIn(folder, from + i), watch));
        await expect.poll(() => outstanding(id), quick).toBe(`:${i + 1}\r\n`);
      }
    };
    await give(first, one, 100, 12);
    await give(second, other, 200, 4);
    const order: string[] = [];
    await openTestWorker(address, (job) => {
      order.push(job.submitter.id);
      return Promise.reject(new UserFacingError('It is not made.'));
    });
    const ends = await Promise.allSettled(runs);
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'rejected'));
    expect(order).toHaveLength(16);
    // Twelve waited when the four came; they are through after as many of the others, and one more.
    expect(order.slice(0, 9).filter((id) => id === other)).toHaveLength(4);
  });

  test('take out what a former start left, also when the server answers later', async () => {
    const folder = temporaryFolder();
    const redis = await openTestRedis(folder);
    await redis.send(`HSET enlarger:outstanding:${one} task-1 work-of-before`);
    const { submitter } = await openTestSubmitter(redis.address, folder, one, false);
    const run = submitter.run(jobIn(folder, 1), watch).catch(() => undefined);
    await expect
      .poll(() => redis.send(`HEXISTS enlarger:outstanding:${one} task-1`), { timeout: 8000 })
      .toBe(':0\r\n');
    await submitter.close();
    await run;
  });

  test('take no result of another attempt, and blame who gave it', async () => {
    const folder = temporaryFolder();
    const { address } = await openTestRedis(folder);
    const { submitter, quarantine } = await openTestSubmitter(address, folder, one);
    await openTestWorker(address, ({ attempt, source }) =>
      Promise.resolve({
        helper,
        attempt: attempt - 1,
        files: [{ role: 'result', parcel: source }],
        report: reportOfJob,
      }),
    );
    for (let turn = 0; turn < 3; turn += 1)
      await expect(submitter.run(jobIn(folder, turn, 2), watch)).rejects.toThrow(
        'its result is of another attempt.',
      );
    expect(quarantine.current(helper.id, Date.now())?.reason).toBe(
      'It is set aside after 3 failures. The last one: its result is of another attempt.',
    );
  });

  test('see their helpers, and end, while a sweep of the storage does not', async () => {
    const folder = temporaryFolder();
    const { address } = await openTestRedis(folder);
    let sweeps = 0;
    const { submitter } = await openTestSubmitter(address, folder, one, true, 20, {
      list() {
        sweeps += 1;
        return new Promise(() => undefined);
      },
    });
    await expect.poll(() => sweeps, quick).toBe(1);
    const server = openPoolServer(address);
    onTestFinished(() => server.close());
    await expect.poll(() => server.isReady(), quick).toBe(true);
    const heartbeat = {
      version: 1,
      ...helper,
      skills: [],
      slots: 2,
      doing: [],
      finished: 0,
    } as const;
    await createRegistry(server.quick).beat({ ...heartbeat, skills: [], doing: [] });
    await expect.poll(() => submitter.helpers.length, quick).toBe(1);
    await submitter.close();
    expect(sweeps).toBe(1);
  });

  test.each<[string, Partial<StoredFile>, RegExp, FileRole?]>([
    ['a file of another task', { name: `${other}/job/source` }, /is not in the folder of the task/],
    ['more bytes than any such picture has', { sizeBytes: 2 ** 40 }, /expected at most \d+/],
    ['a thumbnail of 5 MB', { sizeBytes: 5e6 }, /its thumb has 5000000 bytes/, 'thumb'],
    ['metadata of 50 MB', { sizeBytes: 5e7 }, /its metadata has 50000000/, 'metadata'],
  ])(
    'take no result that names %s, and blame who gave it',
    async (_what, lie, sentence, role = 'result') => {
      const folder = temporaryFolder();
      const { address } = await openTestRedis(folder);
      const { submitter, quarantine } = await openTestSubmitter(address, folder, one);
      await openTestWorker(address, ({ attempt, source }) =>
        Promise.resolve({
          helper,
          attempt,
          files: [{ role, parcel: { ...source, ...lie } }],
          report: reportOfJob,
        }),
      );
      for (let turn = 0; turn < 3; turn += 1)
        await expect(submitter.run(jobIn(folder, turn), watch)).rejects.toThrow(sentence);
      expect(quarantine.current(helper.id, Date.now())?.reason).toMatch(sentence);
    },
  );

  test('blame a helper whose result is not there or is a pipe, and wait for none', async () => {
    const folder = temporaryFolder();
    const { address } = await openTestRedis(folder);
    const { submitter, quarantine } = await openTestSubmitter(address, folder, one);
    let turn = 0;
    await openTestWorker(address, async ({ attempt, source, folder: own }) => {
      turn += 1;
      const parcel = { ...source, name: `${own}/result` };
      if (turn > 1) execFileSync('mkfifo', [path.join(folder, parcel.name)]);
      return Promise.resolve({
        helper,
        attempt,
        files: [{ role: 'result' as const, parcel }],
        report: reportOfJob,
      });
    });
    await expect(submitter.run(jobIn(folder, 1), watch)).rejects.toThrow(/is not in/);
    for (const task of [2, 3])
      await expect(submitter.run(jobIn(folder, task), watch)).rejects.toThrow(/a link, a pipe/);
    expect(quarantine.current(helper.id, Date.now())?.reason).toMatch(/after 3 failures/);
  });

  test('sweep folders of their own tasks, and nothing else that lies beside them', async () => {
    const folder = temporaryFolder();
    const { address } = await openTestRedis(folder);
    const orphan = `${randomUUID()}-1-1-${randomBytes(6).toString('hex')}`;
    for (const name of [orphan, 'holiday', 'holiday-1-1-000000000000', `${orphan}.old`]) {
      await mkdir(path.join(folder, one, name), { recursive: true });
      await writeFile(path.join(folder, one, name, 'beach.jpg'), 'a photo');
    }
    await openTestSubmitter(address, folder, one, true, 20);
    const names = async () => (await readdir(path.join(folder, one))).sort();
    await expect.poll(names, quick).not.toContain(orphan);
    expect(await names()).toEqual(['holiday', 'holiday-1-1-000000000000', `${orphan}.old`].sort());
  });

  test.skipIf(process.platform === 'win32')(
    'sweep nothing where a link stands in the place of their folder',
    async () => {
      const folder = temporaryFolder();
      const { address } = await openTestRedis(folder);
      const name = `${randomUUID()}-1-1-${randomBytes(6).toString('hex')}`;
      await mkdir(path.join(folder, 'Pictures', name), { recursive: true });
      await symlink(path.join(folder, 'Pictures'), path.join(folder, one));
      const { failedSweeps } = await openTestSubmitter(address, folder, one, true, 20);
      await expect.poll(failedSweeps, quick).toBeGreaterThanOrEqual(3);
      expect(await readdir(path.join(folder, 'Pictures'))).toEqual([name]);
    },
  );

  test('know two starts of one task apart, also those of the same moment', async () => {
    const folder = temporaryFolder();
    const { address } = await openTestRedis(folder);
    const { submitter } = await openTestSubmitter(address, folder, one);
    await openTestWorker(address, () => Promise.reject(new UserFacingError('It is not made.')));
    const runs = Array.from({ length: 20 }, () => submitter.run(jobIn(folder, 1), watch));
    expect((await reasons(runs)).filter((reason) => /It is not made/.test(reason))).toHaveLength(
      20,
    );
  });

  /** Why each was not done; none was. */
  const reasons = async (runs: Promise<unknown>[]) =>
    (await Promise.allSettled(runs)).map((end) => String('reason' in end && end.reason));

  test('say in a sentence that the server went away under a task', async () => {
    const folder = temporaryFolder();
    const redis = await openTestRedis(folder);
    const { submitter } = await openTestSubmitter(redis.address, folder, one);
    const told = reasons(
      Array.from({ length: 20 }, (_, i) => submitter.run(jobIn(folder, i), watch)),
    );
    await redis.kill();
    for (const reason of await told)
      expect(reason).toMatch(/The (queue of the pool closed|pool's server does not answer)/);
  });

  test('say in a sentence that the server has no memory left', async () => {
    const folder = temporaryFolder();
    const redis = await openTestRedis(folder, ['--maxmemory-policy', 'noeviction']);
    const { submitter } = await openTestSubmitter(redis.address, folder, one);
    await redis.send('CONFIG SET maxmemory 1');
    expect(await reasons([submitter.run(jobIn(folder, 1), watch)])).toEqual([
      'Error: The queue of the pool has no memory left: raise its maxmemory.',
    ]);
  });

  test('say what a user of the server lacks, also where it may connect', async () => {
    const folder = temporaryFolder();
    const redis = await openTestRedis(folder);
    await redis.send('ACL SETUSER other on >password ~other:* +@all');
    const ofOther = redis.address.replace('//', '//other:password@');
    const reason = 'The queue of the pool does not allow this user what a pool needs.';
    const { submitter } = await openTestSubmitter(ofOther, folder, one);
    expect(submitter.problem()).toBe(reason);
    const service = await openService();
    await join(service, { address: ofOther, storage: folder });
    const seen = () => poolOf(service);
    await expect.poll(seen, quick).toMatchObject({ state: 'unreachable', reason });
    await redis.send('ACL SETUSER other ~enlarger:* &enlarger:*');
    await expect.poll(seen, quick).toMatchObject({ state: 'connected' });
  });
});
