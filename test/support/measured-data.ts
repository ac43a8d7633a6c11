/**
 * Data folders in which the devices and speeds of the networks that ship are known, as after a service's first
 * minute. They are written instead of measured: measuring all networks takes more than a minute, at the lowest
 * priority, which on a busy machine was killed as hanging.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { providers } from '../../packages/contract/src/models/devices.ts';
import type { Precision } from '../../packages/contract/src/models/model.ts';
import { openOutcomes } from '../../electron/engine/inference/measuring/outcomes.ts';
import { openSpeeds } from '../../electron/engine/plan/device-registry.ts';
import type {
  AnyNetworkFile,
  MaskNetworkFile,
  NetworkFile,
  SpeedMeasurement,
} from '../../electron/engine/protocol/messages.ts';
import { openCatalogue } from '../../electron/service/models/catalogue.ts';
import { modelsDir, modelsIn, networksIn } from './networks.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Input megapixels per second of two cores, of a network that ships and of one that repeats pixels. */
export const shippedSpeed = 0.25;
export const madeSpeed = 10;
/** Tiles that most processors run fastest. */
const tileSizesPx = { fp32: 256, int8: 512 };
/** In a precision that is only a fallback the speed is this share. */
const fallbackShare = 0.4;
/** Megapixels per second of a whole cut-out. */
const cutoutSpeed = 1;

/** A new data folder; an empty one outside of a test run, where benches measure. */
export async function measuredDataFolder(): Promise<string> {
  const dataDir = temporaryFolder();
  await writeShippedSpeeds(dataDir);
  return dataDir;
}

/** Writes what is known of the networks that ship, unless measurements are there or no tests run. */
export async function writeShippedSpeeds(dataDir: string): Promise<void> {
  const isNew = !existsSync(path.join(dataDir, 'engine-cache'));
  if (isNew && process.env.TEST_RUN !== undefined)
    await writeMeasurements(dataDir, modelsDir, shippedSpeed);
}

/** Writes what a service would know of all networks of a catalogue. @param speed of its upscalers */
export async function writeMeasurements(
  dataDir: string,
  modelsFolder: string,
  speed: number,
): Promise<void> {
  const cacheDir = path.join(dataDir, 'engine-cache');
  for (const network of networksIn(modelsFolder)) writeUpscaler(cacheDir, network, speed);
  const catalogue = openCatalogue(modelsFolder);
  for (const { id, task } of modelsIn(modelsFolder))
    if (task === 'remove-bg') writeRemover(cacheDir, await catalogue.openMaskNetwork(id));
}

export function writeUpscaler(cacheDir: string, network: NetworkFile, speed: number): void {
  const has = (precision: Precision) => network.variants.some((one) => one.precision === precision);
  const best = has('int8') ? 'int8' : 'fp32';
  const outcomes = writeAccelerators(cacheDir, network);
  for (const precision of ['fp32', best] as const) {
    const megapixelsPerSecond = precision === best ? speed : fallbackShare * speed;
    const tilePx = network.fixedPx ?? tileSizesPx[precision];
    outcomes.set(network, precision, 'cpu', { ok: true, tilePx, megapixelsPerSecond });
  }
  const { modelId, scale } = network;
  writeSpeed(cacheDir, { modelId, scale, precision: best, megapixelsPerSecond: speed });
}

export function writeRemover(cacheDir: string, network: MaskNetworkFile): void {
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
