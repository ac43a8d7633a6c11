/**
 * Predicts seconds from measured speeds. The networks dominate, so decoding and encoding are left out. The
 * engine measures speeds (device-registry.ts); its host passes them to the service.
 */
import type { Size } from '../../contract/geometry.ts';
import type { JobReport, SpeedMeasurement } from '../protocol/messages.ts';

type NetworkRun = JobReport['ran'][number];
/** A network's speed in input megapixels per second; undefined: never measured. */
export type SpeedOf = (pass: NetworkRun) => number | undefined;

/** Exponential moving average with weight 1/2. */
export const averagedSpeed = (known: number | undefined, now: number): number =>
  known === undefined ? now : (known + now) / 2;

/** @param speeds all measured speeds, the latest last */
export const speedAmong =
  (speeds: readonly SpeedMeasurement[]): SpeedOf =>
  ({ modelId, scale }) =>
    speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale)
      ?.megapixelsPerSecond;

/** Input megapixels of each pass, in order. */
export function passMegapixels(passes: readonly NetworkRun[], { width, height }: Size): number[] {
  let megapixels = (width * height) / 1e6;
  return passes.map(({ scale }) => {
    const own = megapixels;
    megapixels *= scale ** 2;
    return own;
  });
}

/** Seconds of each pass; undefined: its network was never measured. */
export function secondsOfPasses(
  passes: readonly NetworkRun[],
  size: Size,
  speedOf: SpeedOf,
): (number | undefined)[] {
  const megapixels = passMegapixels(passes, size);
  return passes.map((pass, i) => {
    const speed = speedOf(pass);
    return speed === undefined ? undefined : (megapixels[i] as number) / speed;
  });
}

/** Seconds of all passes together; undefined while one of the networks was never measured. */
export function secondsOf(
  passes: readonly NetworkRun[],
  size: Size,
  speedOf: SpeedOf,
): number | undefined {
  return secondsOfPasses(passes, size, speedOf).reduce(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

/** Median of at least one speed; the mean of the two in the middle for an even count. */
export function medianSpeed(speeds: readonly number[]): number {
  const sorted = [...speeds].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] as number;
  return sorted.length % 2 === 1
    ? upper
    : (upper + (sorted[(sorted.length >> 1) - 1] as number)) / 2;
}

/** The speed of a cut-out's network refers to a photo of this size. */
const referenceMegapixels = 12;
/**
 * Constant cost of a cut-out in megapixels: its network sees copies of one size, and its edge is solved on a
 * copy of bounded size.
 */
const constantMegapixels = 8;

/** Converts a cut-out's megapixels to those of a reference photo of the same cost. */
export const cutoutMegapixels = (megapixels: number): number =>
  (referenceMegapixels * (megapixels + constantMegapixels)) /
  (referenceMegapixels + constantMegapixels);

/** Seconds of a cut-out from decoding to encoding; undefined while its network was never measured. */
export function secondsOfCutout(
  modelId: string,
  { width, height }: Size,
  speedOf: SpeedOf,
): number | undefined {
  const speed = speedOf({ modelId, scale: 1 });
  return speed && cutoutMegapixels((width * height) / 1e6) / speed;
}
