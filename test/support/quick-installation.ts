/**
 * An installation like the checkout's whose upscalers only repeat pixels, for journeys that look at everything but
 * what a network makes: the networks that ship need seconds of both cores for each photo. Cut-outs are as shipped.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueFile } from '../../packages/contract/src/models/model.ts';
import { buildWhereStale } from '../../electron/launch/build.mjs';
import { withLock } from '../../electron/launch/lock.mjs';
import { madeSpeed, writeMeasurements } from './measured-data.ts';
import { nearestNetwork, toldNetwork } from './networks-made.ts';
import { catalogued, modelsDir, modelsIn } from './networks.ts';
import { root } from './program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** In the same place in each run, so that compiled code is found again. */
const folder = path.join(root, 'test-results/quick-installation');
const ownModels = path.join(folder, 'models');
const stamp = path.join(folder, 'run');
const run = process.env.TEST_RUN ?? '';

/** Node's arguments for its service; the rest are the service's own. */
export const quickService = [
  ...['--preserve-symlinks', '--preserve-symlinks-main'],
  path.join(folder, 'out/main/headless.js'),
];

/** Makes it where this run has not, and builds the programs where they are old. @returns a new data folder for it */
export async function prepareQuickInstallation(): Promise<string> {
  await buildWhereStale(root);
  await withLock(root, '.enlarger-test-installation', async () => {
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== run) await makeInstallation();
  });
  const dataDir = temporaryFolder();
  await writeMeasurements(dataDir, ownModels, madeSpeed);
  return dataDir;
}

async function makeInstallation(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(ownModels, { recursive: true });
  for (const name of ['out', 'node_modules', 'package.json'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  const models = modelsIn(modelsDir).map(quickened);
  const files = models.flatMap((model) => (model.task === 'upscale' ? [] : filesOf(model)));
  const cards = models.flatMap(({ card }) => card ?? []);
  for (const name of new Set([...files, ...cards, 'obtainable.json']))
    copyFileSync(path.join(modelsDir, name), path.join(ownModels, name));
  await writeFile(path.join(ownModels, 'catalogue.json'), JSON.stringify({ models }));
  await writeFile(stamp, run);
}

type Model = CatalogueFile['models'][number];

const filesOf = ({ networks }: Exclude<Model, { task: 'upscale' }>): string[] =>
  [networks]
    .flat()
    .flatMap((network) => [
      ...network.variants,
      ...('clicks' in network ? network.clicks.variants : []),
    ])
    .map(({ file }) => file);

/** The same model, of whose scales each is a network that repeats pixels, and does nothing with what it is told. */
function quickened(model: Model): Model {
  if (model.task !== 'upscale') return model;
  const enlarging = model.networks.filter(({ scale }) => scale > 1);
  const networks = enlarging.map(({ scale, condition }) => {
    const made = condition
      ? toldNetwork(
          ownModels,
          scale,
          condition.values.map(() => 0),
          condition.values,
        )
      : nearestNetwork(ownModels, scale);
    return { ...made, variants: made.variants.map(catalogued), modelId: undefined };
  });
  return { ...model, networks };
}
