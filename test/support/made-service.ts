/** The whole service with the real engine, over models that are made for tests: they are quick, and what they answer can be said. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModelDescriptor } from '../../packages/contract/src/models/model.ts';
import { createEngineHost } from '../../electron/engine/host/host.ts';
import { brightNetwork, clickableNetwork, removerOf } from './networks-masks.ts';
import { madeSpeed, writeMeasurements } from './measured-data.ts';
import { nearestNetwork } from './networks-made.ts';
import { catalogued } from './networks.ts';
import { root } from './program.ts';
import { cliProgram, engineProgram } from './programs.ts';
import {
  openService,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes its network into the folder. */
type MadeModel = (folder: string) => ModelDescriptor;

/** Under the name of one that ships; it repeats each pixel 2 x 2 times where no other network is given. */
export const upscaler =
  (name: 'Natural' | 'Faithful', network = nearestNetwork): MadeModel =>
  (folder) => {
    const { modelId, variants, ...contract } = network(folder);
    return {
      id: name.toLowerCase(),
      name,
      task: 'upscale',
      description: `For tests (${modelId}).`,
      licence: 'MIT',
      author: 'Tests',
      networks: [{ ...contract, variants: variants.map(catalogued) }],
    };
  };

/** Takes what is bright for the subject. */
export const remover: MadeModel = (folder) =>
  removerOf(brightNetwork(folder, { size: { kind: 'fixed', width: 256, height: 192 } }));

/** The same, with a network of clicks. */
export const clickableRemover: MadeModel = (folder) =>
  removerOf(clickableNetwork(folder, { width: 64, height: 64 }));

export const realEngine = {
  createEngine: createEngineHost,
  enginePath: engineProgram,
};

export async function openMadeService(
  models: readonly MadeModel[],
  options: TestServiceOptions = {},
): Promise<TestService> {
  return onCpu(await openService(await measured(models, options)));
}

/** The same outside of a test: whoever starts it closes it. */
export async function startMadeService(
  models: readonly MadeModel[],
  options: TestServiceOptions = {},
): Promise<TestService> {
  const { dataDir, ...others } = await measured(models, options);
  return onCpu(await startTestService(dataDir, others));
}

/** With the real engine, which knows the networks' speeds as after their first measuring. */
async function measured(models: readonly MadeModel[], options: TestServiceOptions) {
  const own = await writeModels(temporaryFolder(), models);
  const dataDir = options.dataDir ?? temporaryFolder();
  await writeMeasurements(dataDir, own, madeSpeed);
  return { ...options, ...realEngine, modelsDir: own, dataDir };
}

/** Writes models and their catalogue into a folder, and answers its path. */
async function writeModels(folder: string, models: readonly MadeModel[]): Promise<string> {
  const catalogue = JSON.stringify({ models: models.map((made) => made(folder)) });
  await writeFile(path.join(folder, 'catalogue.json'), catalogue);
  return folder;
}

/** Makes an installation of these models. @param dataDir knows their speeds then @returns the URL of a program in it */
export async function makeInstallation(
  models: readonly MadeModel[],
  dataDir: string,
): Promise<string> {
  const folder = temporaryFolder();
  for (const name of ['electron', 'test-results', 'package.json', 'node_modules'])
    await symlink(path.join(root, name), path.join(folder, name));
  await mkdir(path.join(folder, 'models'));
  await writeModels(path.join(folder, 'models'), models);
  await writeMeasurements(dataDir, path.join(folder, 'models'), madeSpeed);
  return pathToFileURL(path.join(folder, path.relative(root, cliProgram))).href;
}

/** Other devices are looked for elsewhere: it takes its time. */
export async function onCpu(service: TestService): Promise<TestService> {
  await service.call('PATCH', '/api/settings', { device: 'cpu' });
  return service;
}
