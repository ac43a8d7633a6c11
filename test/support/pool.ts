/** A pool of real services in this process: one that submits and others that help, over one queue and one folder. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { PoolView } from '../../packages/contract/src/settings/pool.ts';
import type { PoolTimes } from '../../packages/pool/src/pool.ts';
import { startRealService, type RealNetworks } from './real-service.ts';
import { startRedis, type TestRedis } from './redis.ts';
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

/** @param onEnd gets what closes each part, in the order in which they were opened */
export async function openPool(
  helpers: number,
  settings: object = {},
  networks: RealNetworks = 'made',
  poolTimes: Partial<PoolTimes> = {},
  onEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<TestPool> {
  const open = async () => {
    const service = await startRealService(networks, {
      poolTimes: { ...quickPool, ...poolTimes },
    });
    onEnd(() => service.close());
    return service;
  };
  const folder = temporaryFolder();
  const share = path.join(folder, 'share');
  await mkdir(share);
  const redis = await startRedis(folder);
  onEnd(() => redis.kill());
  const pool = { address: redis.address, storage: share, ...settings };
  const submitter = await open();
  await join(submitter, { ...pool, help: false });
  const all = [];
  for (let i = 0; i < helpers; i += 1) {
    const helper = await open();
    await join(helper, { ...pool, submit: false, help: true });
    all.push(helper);
  }
  // expect.poll works in tests alone.
  const isJoined = async () => (await helperStates(submitter)).length === helpers;
  await vi.waitUntil(isJoined, quick);
  return { redis, share, submitter, helpers: all };
}

export async function join(service: TestService, pool: object): Promise<void> {
  const response = await service.call('PATCH', '/api/settings', { pool });
  if (response.status !== 200) throw new Error(response.text);
}

export const quick = { timeout: patient(30_000), interval: 100 };

export async function poolOf(service: TestService): Promise<PoolView> {
  return (await service.call('GET', '/api/pool')).body as PoolView;
}

export async function helperIds(service: TestService): Promise<string[]> {
  return (await poolOf(service)).helpers.map(({ id }) => id);
}

export async function helperStates(service: TestService): Promise<string[]> {
  return (await poolOf(service)).helpers.map(({ state }) => state);
}
