/** The whole service with the real engine, over networks that are made for tests and quick, or over those that ship. */
import { expect, onTestFinished } from 'vitest';
import type { TaskRecord } from '../../packages/contract/src/task.ts';
import { onCpu, realEngine, remover, startMadeService, upscaler } from './made-service.ts';
import { measuredDataFolder } from './measured-data.ts';
import { modelsDir } from './networks.ts';
import type { ServiceOptions } from '../../electron/service/service-options.ts';
import { startTestService, type TestService } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { patient } from './machine-pace.ts';

/** Those that are made for tests, these and one that finds subjects, or those that ship. */
export type RealNetworks = 'made' | 'made with remover' | 'shipped';

export type RealService = TestService & { folder: string };

/** A granted folder, empty, is made with it. */
export async function openRealService(
  networks: RealNetworks = 'made',
  given: Pick<ServiceOptions, 'poolTimes'> & { dataDir?: string } = {},
): Promise<RealService> {
  const service = await startRealService(networks, given);
  onTestFinished(() => service.close());
  return service;
}

/** The same outside of a test: whoever starts it closes it. */
export async function startRealService(
  networks: RealNetworks = 'made',
  given: Pick<ServiceOptions, 'poolTimes'> & { dataDir?: string } = {},
): Promise<RealService> {
  const folder = temporaryFolder();
  const options = { allowFolders: [folder], ...given };
  const models = networks === 'made' ? [upscaler('Faithful')] : [upscaler('Faithful'), remover];
  if (networks !== 'shipped') return { ...(await startMadeService(models, options)), folder };
  const dataDir = given.dataDir ?? (await measuredDataFolder());
  const service = await startTestService(dataDir, { ...realEngine, modelsDir, ...options });
  return { ...(await onCpu(service)), folder };
}

/** A network's first use measures it, which takes long on a busy machine. */
export const patience = { timeout: patient(240_000), interval: 100 };

export async function ended(service: TestService, taskId: string): Promise<TaskRecord> {
  const state = async () => (await service.task(taskId)).status;
  await expect.poll(state, patience).toMatch(/FINISHED|FAILED/);
  return service.record(taskId);
}
