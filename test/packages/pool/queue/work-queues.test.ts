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
});
