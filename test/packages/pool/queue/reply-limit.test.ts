/** A reply of the pool's server that no pool needs is refused before it fills the memory. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPoolServer } from '../../../../packages/pool/src/queue/queue.ts';
import {
  createReplyLimit,
  maxReplyBytes,
} from '../../../../packages/pool/src/queue/reply-limit.ts';
import { quick } from '../../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../../support/redis.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const limit = 1000;

/** A reply of the protocol, as text of one byte a character. */
const { reply } = fc.letrec<{ reply: string }>((again) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('+OK\r\n', ':-12\r\n', '$-1\r\n', '*-1\r\n', '*0\r\n', '_\r\n', '-ERR no\r\n'),
    fc
      .string({ maxLength: 60, unit: 'binary-ascii' })
      .map((text) => `$${text.length}\r\n${text}\r\n`),
    fc.array(again('reply'), { maxLength: 4 }).map((all) => `*${all.length}\r\n${all.join('')}`),
    fc
      .array(again('reply'), { maxLength: 2 })
      .map((all) => `%${all.length}\r\n${all.map((one) => `+a\r\n${one}`).join('')}`),
  ),
}));

/** Whether all replies were within the limit, however the bytes come apart. */
function passes(replies: string, cuts: readonly number[]): boolean {
  const bytes = Buffer.from(replies, 'latin1');
  const isWithin = createReplyLimit(limit);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)];
  return places.every((from, i) => isWithin(bytes.subarray(from, places[i + 1] ?? bytes.length)));
}

test('replies within the limit pass, however many, and one beyond it does not', () => {
  const replies = fc.array(
    reply.filter(({ length }) => length <= limit),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(replies, fc.array(fc.nat(), { maxLength: 8 }), (all, cuts) => {
      expect(passes(all.join(''), cuts)).toBe(true);
      const large = `*2\r\n+a\r\n$${limit}\r\n${'x'.repeat(limit)}\r\n`;
      expect(passes(all.join('') + large, cuts)).toBe(false);
    }),
  );
});

test.each([
  ['one value', '$600000000\r\n'],
  ['a list', '*600000000\r\n'],
  ['pairs', '%300000000\r\n'],
  ['many small values', '*200\r\n' + '$2\r\nab\r\n'.repeat(200)],
  ['a line without an end', `+${'x'.repeat(limit + 1)}`],
  ['a list in a list', '*1\r\n*1\r\n*1\r\n*600000000\r\n'],
])('%s beyond it is refused as soon as it is known', (_what, bytes) => {
  expect(createReplyLimit(limit)(Buffer.from(bytes))).toBe(false);
});

describe.skipIf(!redisProgram)(`a connection to the pool's server${left}`, () => {
  test('ends at a value that is too large, says so, and is made anew', async () => {
    const redis = await openTestRedis(temporaryFolder());
    const server = openPoolServer(redis.address);
    const problems: string[] = [];
    server.onChange(() => problems.push(server.problem() ?? ''));
    onTestFinished(() => server.close());
    await expect.poll(() => server.isReady(), quick).toBe(true);
    await server.quick.set('enlarger:small', 'word');
    for (let part = 0; part < 5; part += 1)
      await server.quick.append('enlarger:large', 'x'.repeat(maxReplyBytes / 4));
    await expect(server.quick.get('enlarger:large')).rejects.toThrow();
    expect(problems.join(' ')).toContain('holds a value that is larger than any of a pool');
    await expect.poll(() => server.isReady(), quick).toBe(true);
    expect(await server.quick.get('enlarger:small')).toBe('word');
    const other = server.quick.duplicate();
    onTestFinished(() => other.disconnect());
    other.on('error', () => undefined);
    await expect(other.get('enlarger:large')).rejects.toThrow();
  });
});
