/**
 * Data folders in which the devices and speeds of the networks that ship are known, as after a service's first
 * minute. They are written instead of measured: measuring all networks takes more than a minute, at the lowest
 * priority, which on a busy machine was killed as hanging.
 */
import path from 'node:path';
import { providers } from '../../electron/contract/models/devices.ts';
import type { Precision } from '../../electron/contract/models/model.ts';
import { openOutcomes } from '../../electron/engine/inference/measuring/outcomes.ts';
import { defaultTilePx } from '../../electron/engine/inference/measuring/tile-size.ts';
import { openSpeeds } from '../../electron/engine/plan/device-registry.ts';
import type {
  AnyNetworkFile,
  NetworkFile,
  SpeedMeasurement,
} from '../../electron/engine/protocol/messages.ts';
import { openCatalogue } from '../../electron/service/models/catalogue.ts';
import { defaultSettings } from './default-settings.ts';
import { embeddedNetworks, modelsDir } from './networks.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Input megapixels per second of two cores, in the precision that they run fastest. */
const networkSpeed = 0.25;
/** The same in a fallback precision. */
const fallbackSpeed = 0.1;
/** Megapixels per second of a whole cut-out. */
const cutoutSpeed = 1;

/** A new data folder; an empty one outside of a test run, where benches measure. */
export async function measuredDataFolder(): Promise<string> {
  const dataDir = temporaryFolder();
  if (process.env.TEST_RUN === undefined) return dataDir;
  const cacheDir = path.join(dataDir, 'engine-cache');
  for (const network of embeddedNetworks()) writeUpscaler(cacheDir, network);
  await writeRemover(cacheDir);
  return dataDir;
}

function writeUpscaler(cacheDir: string, network: NetworkFile): void {
  const has = (precision: Precision) => network.variants.some((one) => one.precision === precision);
  const best = has('int8') ? 'int8' : 'fp32';
  const outcomes = writeAccelerators(cacheDir, network);
  for (const precision of ['fp32', best] as const) {
    const megapixelsPerSecond = precision === best ? networkSpeed : fallbackSpeed;
    const tilePx = defaultTilePx(network, precision);
    outcomes.set(network, precision, 'cpu', { ok: true, tilePx, megapixelsPerSecond });
  }
  const { modelId, scale } = network;
  writeSpeed(cacheDir, { modelId, scale, precision: best, megapixelsPerSecond: networkSpeed });
}

async function writeRemover(cacheDir: string): Promise<void> {
  const network = await openCatalogue(modelsDir).openMaskNetwork(defaultSettings.defaultRemover);
  const outcome = { ok: true, tilePx: 320, megapixelsPerSecond: cutoutSpeed } as const;
  writeAccelerators(cacheDir, network).set(network, 'fp32', 'cpu', outcome);
  const { modelId } = network;
  writeSpeed(cacheDir, { modelId, scale: 1, precision: 'fp32', megapixelsPerSecond: cutoutSpeed });
}

/** All devices but the CPU failed, which is what most machines that run tests find. */
function writeAccelerators(cacheDir: string, network: AnyNetworkFile) {
  const outcomes = openOutcomes(cacheDir);
  for (const provider of providers.filter((one) => one !== 'cpu'))
    for (const { precision } of network.variants)
      outcomes.set(network, precision, provider, { ok: false, reason: 'It is not for tests.' });
  return outcomes;
}

function writeSpeed(cacheDir: string, speed: Omit<SpeedMeasurement, 'provider'>): void {
  const { modelId, scale, precision } = speed;
  openSpeeds(cacheDir).set(`${modelId} x${scale} cpu ${precision}`, { ...speed, provider: 'cpu' });
}
