/** A pool of real services in this process: one that submits and others that help, over one queue and one folder. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { PoolView } from '../../electron/contract/settings/pool.ts';
import type { PoolTimes } from '../../packages/pool/src/pool.ts';
import { openRealService, type RealNetworks } from './real-service.ts';
import { openTestRedis, type TestRedis } from './redis.ts';
import { type TestService } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { patient } from './machine-pace.ts';

export interface TestPool {
  redis: TestRedis;
  share: string;
  submitter: TestService & { folder: string };
  helpers: (TestService & { folder: string })[];
}

/** Leases are those of the product: a busy machine must not lose them. */
export const quickPool: Partial<PoolTimes> = {
  tickMs: 100,
  heartbeatEveryMs: 100,
  patienceMs: 2000,
};

export async function openPool(
  helpers: number,
  settings: object = {},
  networks: RealNetworks = 'made',
  poolTimes: Partial<PoolTimes> = {},
): Promise<TestPool> {
  const given = { poolTimes: { ...quickPool, ...poolTimes } };
  const folder = temporaryFolder();
  const share = path.join(folder, 'share');
  await mkdir(share);
  const redis = await openTestRedis(folder);
  const pool = { address: redis.address, storage: share, ...settings };
  const submitter = await openRealService(networks, given);
  await join(submitter, { ...pool, help: false });
  const all = [];
  for (let i = 0; i < helpers; i += 1) {
    const helper = await openRealService(networks, given);
    await join(helper, { ...pool, submit: false, help: true });
    all.push(helper);
  }
  if (helpers > 0) await expect.poll(() => helperStates(submitter), quick).toHaveLength(helpers);
  return { redis, share, submitter, helpers: all };
}

export async function join(service: TestService, pool: object): Promise<void> {
  const response = await service.call('PATCH', '/api/settings', { pool });
  if (response.status !== 200) throw new Error(response.text);
}

export const quick = { timeout: patient(30_000), interval: 50 };

export async function poolOf(service: TestService): Promise<PoolView> {
  return (await service.call('GET', '/api/pool')).body as PoolView;
}

export async function helperIds(service: TestService): Promise<string[]> {
  return (await poolOf(service)).helpers.map(({ id }) => id);
}

export async function helperStates(service: TestService): Promise<string[]> {
  return (await poolOf(service)).helpers.map(({ state }) => state);
}
