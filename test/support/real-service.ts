/** The whole service with the real engine, over networks that are made for tests and quick, or over those that ship. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { TaskRecord } from '../../electron/contract/task.ts';
import { createEngineHost } from '../../electron/engine/host.ts';
import { nearestNetwork } from './networks-made.ts';
import { brightNetwork, removerOf } from './networks-masks.ts';
import { modelsDir } from './networks.ts';
import { openService, type TestService } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

const enginePath = path.join(import.meta.dirname, '../../electron/engine/main.ts');

/** Repeats each pixel 2 x 2 times, under the usual model's name; and takes what is bright for the subject. */
async function madeModels(hasRemover: boolean): Promise<string> {
  const folder = temporaryFolder();
  const made = nearestNetwork(folder);
  const network = Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'modelId'));
  const variants = made.variants.map(({ precision, sha256, sizeBytes, path: file }) => ({
    precision,
    sha256,
    sizeBytes,
    file: path.basename(file),
  }));
  const model = {
    id: 'faithful',
    name: 'Nearest',
    task: 'upscale',
    description: 'For tests.',
    licence: 'MIT',
    author: 'Tests',
    networks: [{ ...network, variants }],
  };
  await writeFile(
    path.join(folder, 'catalogue.json'),
    JSON.stringify({ models: hasRemover ? [model, madeRemover(folder)] : [model] }),
  );
  return folder;
}

function madeRemover(folder: string) {
  const mask = brightNetwork(folder, { size: { kind: 'fixed', width: 64, height: 64 } });
  const variants = mask.variants.map((one) => ({ ...one, file: path.basename(one.path) }));
  return removerOf({ ...mask, variants });
}

/** Those that are made for tests, these and one that finds subjects, or those that ship. */
export type RealNetworks = 'made' | 'made with remover' | 'shipped';

/** A granted folder, empty, is made with it. */
export async function openRealService(
  networks: RealNetworks = 'made',
  given: { dataDir?: string } = {},
): Promise<TestService & { folder: string }> {
  const folder = temporaryFolder();
  const service = await openService({
    createEngine: createEngineHost,
    enginePath,
    modelsDir: networks === 'shipped' ? modelsDir : await madeModels(networks !== 'made'),
    allowFolders: [folder],
    ...given,
  });
  // Other devices are looked for elsewhere: it takes its time.
  await service.call('PATCH', '/api/settings', { device: 'cpu' });
  return { ...service, folder };
}

/** A network's first use measures it, which takes long on a busy machine. */
export const patience = { timeout: 240_000, interval: 50 };

export async function ended(service: TestService, taskId: string): Promise<TaskRecord> {
  const state = async () => (await service.task(taskId)).status;
  await expect.poll(state, patience).toMatch(/FINISHED|FAILED/);
  return service.record(taskId);
}
