/**
 * Computes seconds from measured speeds. The time of the networks dominates, so decoding and encoding are
 * left out. Speeds are kept in the engine alone (`inference/measuring/knowledge`), and its host tells them to
 * the service.
 */
import type { Size } from '../../contract/geometry.ts';
import type { JobReport, SpeedMeasurement } from '../protocol/messages.ts';

type Ran = JobReport['ran'][number];
/** Gives a network's speed in input megapixels a second; undefined while it was never measured. */
export type SpeedOf = (pass: Ran) => number | undefined;

/** Mixes half of the new speed with half of the known one, so that newer measurements count more. */
export const mixedSpeed = (known: number | undefined, now: number): number =>
  known === undefined ? now : (known + now) / 2;

/** @param speeds all that were measured, the latest last */
export const speedAmong =
  (speeds: readonly SpeedMeasurement[]): SpeedOf =>
  ({ modelId, scale }) =>
    speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale)
      ?.megapixelsPerSecond;

/** Gives the input megapixels of each pass, in order. */
export function passMegapixels(passes: readonly Ran[], { width, height }: Size): number[] {
  let megapixels = (width * height) / 1e6;
  return passes.map(({ scale }) => {
    const own = megapixels;
    megapixels *= scale ** 2;
    return own;
  });
}

/** Gives the seconds of each pass; undefined stands for a network that was never measured. */
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

/** Gives the seconds of all passes together; undefined while one of the networks was never measured. */
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

/** The speed of a cut-out's network is told as that of a photo of this size. */
const usualMegapixels = 12;
/**
 * A cut-out has a cost that does not grow with the picture: its network sees copies of one size, and its edge
 * is solved on a copy of bounded size. That cost equals the cost of so many megapixels more.
 */
const constantMegapixels = 8;

/** Converts a cut-out's megapixels into those of a usual photo that cost as much. */
export const cutoutMegapixels = (megapixels: number): number =>
  (usualMegapixels * (megapixels + constantMegapixels)) / (usualMegapixels + constantMegapixels);

/** Gives the seconds of a cut-out, from decoding to encoding; undefined while its network is unmeasured. */
export function secondsOfCutout(
  modelId: string,
  { width, height }: Size,
  speedOf: SpeedOf,
): number | undefined {
  const speed = speedOf({ modelId, scale: 1 });
  return speed && cutoutMegapixels((width * height) / 1e6) / speed;
}
