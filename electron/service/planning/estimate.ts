/** Seconds from measured speeds. The networks' time dominates; decoding and encoding are left out. */
import type { DeviceUse } from '../../contract/task.ts';
import type { NetworkFile, SpeedMeasurement } from '../../engine/protocol.ts';
import type { SpeedTable } from '../store/speeds.ts';

type Pass = Pick<NetworkFile, 'modelId' | 'scale'>;

/** Pixels that each pass takes in, for a picture of so many. */
export function pixelsOfPasses(passes: readonly Pass[], inputPixels: number): number[] {
  let pixels = inputPixels;
  return passes.map(({ scale }) => {
    const taken = pixels;
    pixels *= scale * scale;
    return taken;
  });
}

/** Undefined when one of the passes was never measured on this machine. */
export function estimateSeconds(
  passes: readonly Pass[],
  inputPixels: number,
  speeds: Pick<SpeedTable, 'latest'>,
): number | undefined {
  let seconds = 0;
  for (const [index, pixels] of pixelsOfPasses(passes, inputPixels).entries()) {
    const pass = passes[index];
    const speed = pass && speeds.latest(pass.modelId, pass.scale);
    if (!speed || speed.megapixelsPerSecond <= 0) return undefined;
    seconds += pixels / 1e6 / speed.megapixelsPerSecond;
  }
  return seconds;
}

/** Of all that was measured, the speeds of the networks that just ran, on the device that ran them. */
export function speedsOf(
  passes: readonly Pass[],
  { provider, precision }: DeviceUse,
  measured: readonly SpeedMeasurement[],
): SpeedMeasurement[] {
  return measured.filter(
    (speed) =>
      speed.provider === provider &&
      speed.precision === precision &&
      passes.some(({ modelId, scale }) => modelId === speed.modelId && scale === speed.scale),
  );
}
