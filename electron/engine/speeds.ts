/** From measured speeds to seconds. */
import type { JobReport, SpeedMeasurement } from './protocol.ts';

type Ran = JobReport['ran'][number];

/** Input megapixels a second of a network; undefined while it was never measured. */
export const speedOf = (
  speeds: readonly SpeedMeasurement[],
  { modelId, scale }: Ran,
): number | undefined =>
  speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale)
    ?.megapixelsPerSecond;

/** Input megapixels of each pass, in order. */
export function passMegapixels(
  passes: readonly Ran[],
  { width, height }: { width: number; height: number },
): number[] {
  let megapixels = (width * height) / 1e6;
  return passes.map(({ scale }) => {
    const own = megapixels;
    megapixels *= scale ** 2;
    return own;
  });
}

/** Of all passes; undefined while one was never measured. */
export function secondsOf(
  passes: readonly Ran[],
  size: { width: number; height: number },
  speeds: readonly SpeedMeasurement[],
): number | undefined {
  let seconds = 0;
  for (const [i, megapixels] of passMegapixels(passes, size).entries()) {
    const speed = speedOf(speeds, passes[i] as Ran);
    if (speed === undefined) return undefined;
    seconds += megapixels / speed;
  }
  return seconds;
}
