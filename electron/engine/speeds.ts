/**
 * From measured speeds to seconds. The networks' time dominates; decoding and encoding are left out. Speeds have one
 * home, the engine's (`inference/measuring/knowledge`), which its host tells to the service.
 */
import type { Size } from '../contract/geometry.ts';
import type { JobReport, SpeedMeasurement } from './protocol.ts';

type Ran = JobReport['ran'][number];
/** Input megapixels a second of a network; undefined while it was never measured. */
export type SpeedOf = (pass: Ran) => number | undefined;

/** Newer measurements count more: half of the new value, half of what was known. */
export const mixedSpeed = (known: number | undefined, now: number): number =>
  known === undefined ? now : (known + now) / 2;

/** @param speeds the latest last */
export const speedAmong =
  (speeds: readonly SpeedMeasurement[]): SpeedOf =>
  ({ modelId, scale }) =>
    speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale)
      ?.megapixelsPerSecond;

/** Input megapixels of each pass, in order. */
export function passMegapixels(passes: readonly Ran[], { width, height }: Size): number[] {
  let megapixels = (width * height) / 1e6;
  return passes.map(({ scale }) => {
    const own = megapixels;
    megapixels *= scale ** 2;
    return own;
  });
}

/** Of each pass; undefined where one was never measured. */
export function secondsOfPasses(
  passes: readonly Ran[],
  size: Size,
  speedOf: SpeedOf,
): (number | undefined)[] {
  const megapixels = passMegapixels(passes, size);
  return passes.map((pass, i) => {
    const speed = speedOf(pass);
    return speed === undefined ? undefined : (megapixels[i] as number) / speed;
  });
}

/** Of all passes; undefined while one was never measured. */
export function secondsOf(
  passes: readonly Ran[],
  size: Size,
  speedOf: SpeedOf,
): number | undefined {
  return secondsOfPasses(passes, size, speedOf).reduce(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

/** Speeds are told of such a photo. */
const usualMegapixels = 12;
/**
 * A cut-out's network sees copies of one size, and its edge is solved on a copy that does not grow with the picture:
 * all that costs as much as so many megapixels more, whatever the picture's size.
 */
const constantMegapixels = 8;

/** How many megapixels of a usual photo cost as much as a cut-out of so many. */
export const cutoutMegapixels = (megapixels: number): number =>
  (usualMegapixels * (megapixels + constantMegapixels)) / (usualMegapixels + constantMegapixels);

/** Of a whole cut-out, from decoding to encoding; undefined while its network was never measured. */
export function secondsOfCutout(
  modelId: string,
  { width, height }: Size,
  speedOf: SpeedOf,
): number | undefined {
  const speed = speedOf({ modelId, scale: 1 });
  return speed && cutoutMegapixels((width * height) / 1e6) / speed;
}
