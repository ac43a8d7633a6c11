import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quick } from '../../support/pool.ts';
import { freePort } from '../../support/redis.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Of this process: packages that are not ES modules stand in one table, however they were imported. */
const isLoaded = (name: string) =>
  Object.keys(createRequire(import.meta.url).cache).some((file) =>
    file.includes(`${path.sep}node_modules${path.sep}${name}${path.sep}`),
  );

test('the packages of a pool are loaded when one is set, and those of a bucket with one', async () => {
  const service = await openService();
  const loaded = () => ['bullmq', 'ioredis', '@aws-sdk'].filter(isLoaded);
  expect(loaded()).toEqual([]);
  const nowhere = `127.0.0.1:${await freePort()}`;
  const use = (storage: string) =>
    service.call('PATCH', '/api/settings', { pool: { address: `redis://${nowhere}`, storage } });
  await use(temporaryFolder());
  await expect.poll(loaded, quick).toEqual(['bullmq', 'ioredis']);
  await use(`s3://key:secret@photos?endpoint=http://${nowhere}`);
  await expect.poll(loaded, quick).toEqual(['bullmq', 'ioredis', '@aws-sdk']);
});
