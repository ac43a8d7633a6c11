import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { buildProgram } from '../../../packages/command-line/src/program.ts';
import { heard } from '../../support/heard.ts';
import { helperStates, join, quick, quickPool } from '../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../support/redis.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';

/** A service, the words that bring it into a pool, and how often commands asked it how the pool stands. */
async function openWithPool() {
  const folder = temporaryFolder();
  const share = path.join(folder, 'share');
  await mkdir(share);
  const { address } = await openTestRedis(folder);
  const service = await openService({ poolTimes: quickPool });
  const client = createClient({ url: service.url, key: service.key });
  let asked = 0;
  const pool = () => {
    asked += 1;
    return client.pool();
  };
  const program = buildProgram('1.2.3', {
    programUrl: import.meta.url,
    serve: () => Promise.reject(new Error('No service was named.')),
    photos: () => Promise.reject(new Error('No photo was named.')),
    editIn: () => Promise.reject(new Error('No photo was named.')),
    async ask(_options, work) {
      const close = () => Promise.resolve();
      const connected = { client: { ...client, pool }, isOwn: false, sharesDisk: true, close };
      await work(connected, new AbortController().signal);
    },
  });
  const run = (...words: string[]) => program.parseAsync(words, { from: 'user' });
  return { address, share, run, asked: () => asked };
}

describe.skipIf(!redisProgram)(`a pool from the command line${left}`, { timeout: 60_000 }, () => {
  it('is entered, and heard out, by what the service tells instead of by asking again and again', async () => {
    const { address, share, run, asked } = await openWithPool();
    const { lines } = heard();
    await run('join', address, '--storage', share);
    expect(lines).toEqual(['This machine helps. Its own tasks go first.']);
    await run('pool', 'leave');
    await run('pool', 'use', address, '--storage', share);
    expect(lines.slice(1)).toEqual([
      'This machine is in no pool.',
      'Connected.',
      'Nobody helps yet.',
    ]);
    expect(asked()).toBeLessThan(10);
  });

  it('is shown with the first helper as soon as that is heard of', async () => {
    const { address, share, run, asked } = await openWithPool();
    const other = await openService({ poolTimes: quickPool });
    const { lines } = heard();
    await join(other, { address, storage: share, submit: false, help: true });
    await expect.poll(() => helperStates(other), quick).toEqual(['idle']);
    await run('pool', 'use', address, '--storage', share);
    expect(lines).toEqual(['Connected.', expect.stringContaining('idle')]);
    expect(asked()).toBeLessThan(8);
  });
});
