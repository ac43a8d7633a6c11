import { expect, test } from 'vitest';
import { openService } from '../../support/service.ts';

const off = { address: '', storage: '', key: '', submit: true, help: false };

test('there is no pool until one is set, and a part of it is changed alone', async () => {
  const service = await openService();
  expect((await service.call('GET', '/api/settings')).body).toMatchObject({ pool: off });
  const set = await service.call('PATCH', '/api/settings', { pool: { storage: '/mnt/nas' } });
  expect(set.body).toMatchObject({ pool: { ...off, storage: '/mnt/nas' } });
});

test.each([
  [{ address: 'nas:6379', storage: '/mnt' }],
  [{ address: 'redis://nas:6379' }],
  [{ address: 'redis://nas:6379', storage: 'mnt/nas' }],
  [{ address: 'redis://nas:6379', storage: 's3://photos?endpoint=nas' }],
  [{ key: 'short' }],
  [{ other: true }],
])('a pool that cannot be is refused: %j', async (pool) => {
  const service = await openService();
  expect((await service.call('PATCH', '/api/settings', { pool })).status).toBe(400);
  expect((await service.call('GET', '/api/settings')).body).toMatchObject({ pool: off });
});
