import { describe, expect, onTestFinished, test } from 'vitest';
import type { PoolJob } from '../../../../packages/pool/src/messages.ts';
import { createSubmitQueues, openPoolServer } from '../../../../packages/pool/src/queue/queue.ts';
import { quick } from '../../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../../support/redis.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const job = { version: 1 } as PoolJob;
const deaf = { onProgress() {}, onLost() {}, onEnded() {} };

describe.skipIf(!redisProgram)(`the queues of a pool${left}`, () => {
  test('take jobs of a queue that was first used while the server was away', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    const queues = createSubmitQueues(server, deaf);
    onTestFinished(async () => {
      await queues.close();
      server.close();
    });
    await expect.poll(() => server.isReady(), quick).toBe(true);
    await redis.kill();
    await expect.poll(() => server.isReady(), quick).toBe(false);
    await expect(queues.add('work', 'one', job, 1)).rejects.toThrow();
    await redis.start();
    await expect.poll(() => server.isReady(), quick).toBe(true);
    await queues.add('work', 'two', job, 1);
    expect(await queues.state('work', 'two')).toBe('waiting');
  });

  test('read of what a helper gave back no more than a result can have', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    const queues = createSubmitQueues(server, deaf);
    onTestFinished(async () => {
      await queues.close();
      server.close();
    });
    await expect.poll(() => server.isReady(), quick).toBe(true);
    await queues.add('work', 'one', job, 1);
    const ends = async (field: string, text: string) => {
      await server.quick.hset('enlarger:work:one', field, text);
      return queues.endOf('work', 'one');
    };
    const isFalse = { reason: 'what it gave back is not a result.', isFalse: true };
    expect(await queues.endOf('work', 'none')).toBeUndefined();
    expect(await queues.endOf('work', 'one')).toEqual(isFalse);
    expect(await ends('returnvalue', '{"helper":1}')).toEqual(isFalse);
    expect(await ends('returnvalue', 'x'.repeat(20e6))).toEqual(isFalse);
    expect(await ends('failedReason', 'It broke.')).toEqual({
      reason: 'It broke.',
      isFalse: false,
    });
    expect(await ends('failedReason', 'x'.repeat(20e6))).toEqual(isFalse);
  });
});
