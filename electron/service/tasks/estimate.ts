/** Seconds from measured speeds. The networks' time dominates; decoding and encoding are left out. */
import type { NetworkFile } from '../../engine/protocol.ts';
import type { JobReport } from '../../engine/protocol.ts';
import type { Speed, SpeedTable } from '../store/speeds.ts';

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

/** The speed that a report shows, or undefined when its passes ran several networks, whose shares it does not tell. */
export function speedFromReport(passes: readonly Pass[], report: JobReport): Speed | undefined {
  const [first] = passes;
  const { networkMs } = report.timings;
  if (!first || !networkMs || passes.some(({ scale }) => scale !== first.scale)) return undefined;
  const { width, height } = report.input;
  const pixels = pixelsOfPasses(passes, width * height).reduce((sum, taken) => sum + taken, 0);
  return {
    modelId: first.modelId,
    scale: first.scale,
    provider: report.device.provider,
    precision: report.device.precision,
    megapixelsPerSecond: pixels / 1000 / networkMs,
  };
}
