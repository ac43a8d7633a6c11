/** Heartbeats are read in bounded number and size, whoever wrote them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Heartbeat } from '../../../../packages/pool/src/messages.ts';
import { createRegistry, openPoolServer } from '../../../../packages/pool/src/queue/queue.ts';
import { quick } from '../../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../../support/redis.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';

const heartbeat = (id: string): Heartbeat => ({
  version: 1,
  id,
  name: 'helper',
  skills: [],
  slots: 2,
  doing: [],
  finished: 0,
});

describe.skipIf(!redisProgram)(`the registry of a pool${left}`, () => {
  test('hears helpers, and of a crowd or of huge heartbeats no more than a pool has', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    onTestFinished(() => server.close());
    await expect.poll(() => server.isReady(), quick).toBe(true);
    const registry = createRegistry(server.quick);
    const heard = async () => (await registry.helpers()).map(({ heartbeat }) => heartbeat.id);
    await registry.beat(heartbeat('a'.repeat(16)));
    await registry.beat(heartbeat('b'.repeat(16)));
    expect((await heard()).sort()).toEqual(['a'.repeat(16), 'b'.repeat(16)]);

    await registry.beat({ ...heartbeat('c'.repeat(16)), name: 'x'.repeat(10_000_000) });
    await registry.beat({ ...heartbeat('d'.repeat(16)), id: 'd'.repeat(1_000_000) });
    expect((await heard()).sort()).toEqual(['a'.repeat(16), 'b'.repeat(16)]);
    expect(await redis.send('HLEN enlarger:helpers')).toBe(':2\r\n');

    for (let i = 0; i < 500; i += 1)
      await registry.beat(heartbeat(i.toString(16).padStart(16, '0')));
    expect((await heard()).length).toBe(200);
  });

  test('hears no heartbeat of the future, which would never fall silent', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    onTestFinished(() => server.close());
    await expect.poll(() => server.isReady(), quick).toBe(true);
    const registry = createRegistry(server.quick);
    const stamped = { atMs: Date.now() + 3_600_000, word: heartbeat('a'.repeat(16)) };
    await server.quick.hset('enlarger:helpers', 'a'.repeat(16), JSON.stringify(stamped));
    expect(await registry.helpers()).toEqual([]);
    expect(await redis.send('HLEN enlarger:helpers')).toBe(':0\r\n');
  });

  test('hears no name with control characters, which a terminal would obey', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    onTestFinished(() => server.close());
    await expect.poll(() => server.isReady(), quick).toBe(true);
    const registry = createRegistry(server.quick);
    await registry.beat({ ...heartbeat('a'.repeat(16)), name: '\u001b]0;owned\u0007' });
    expect(await registry.helpers()).toEqual([]);
  });
});
