/**
 * Feathers a cut-out's edge inwards: it becomes transparent at its edge, so that nothing of the background
 * becomes visible. Memory does not grow with the picture.
 */
import type { Raster } from '../../../raster/raster-file.ts';
import { createPlane, type Plane } from '../../../raster/planes/plane.ts';
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { reduceAlpha } from '../../../raster/reduce-raster.ts';
import { mapStrips } from '../../../raster/strips.ts';

/** Radius of the Gaussian in standard deviations. */
const reach = 3;
/** Minimum rows per strip. */
const minRows = 128;

/**
 * Writes `subject` (alpha last) to a new raster with its alpha softened by a Gaussian of `featherPx`. A wide
 * Gaussian is computed on a copy reduced to a deviation of two to four pixels.
 *
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function writeFeathered(
  subject: Raster,
  outputPath: string,
  featherPx: number,
  signal: AbortSignal,
): Promise<void> {
  const { width, height, bands } = subject.shape;
  const factor = Math.max(1, Math.floor(featherPx / 2));
  const deviation = featherPx / factor;
  const marginPx = Math.ceil(reach * deviation) * factor;
  const stripRows = Math.ceil(Math.max(minRows, marginPx) / factor) * factor;
  const target = { path: outputPath, shape: subject.shape };
  await mapStrips(subject, target, { signal, stripRows }, async ({ samples, y, rows }, to) => {
    to.samples.set(samples);
    const top = Math.max(0, y - marginPx);
    const part = { x: 0, y: top, width, height: Math.min(height, y + rows + marginPx) - top };
    const small = { width: Math.ceil(width / factor), height: Math.ceil(part.height / factor) };
    const alpha = await reduceAlpha(subject, small, signal, part);
    const softRow = createRowResampler(blurred(alpha, deviation), part);
    for (let row = 0; row < rows; row += 1) {
      const soft = softRow(y + row - top);
      for (let x = 0; x < width; x += 1) {
        const at = row * to.stride + (x + 1) * bands - 1;
        to.samples[at] = Math.round((samples[at] as number) * erode(soft[x] as number));
      }
    }
  });
}

/** Maps softened alpha to the remaining share: 0 at a straight edge, where it is 1/2, to 1 far inside. */
const erode = (soft: number): number => Math.min(1, Math.max(0, 2 * soft - 1));

/** Separable Gaussian blur; border pixels are repeated. */
function blurred(plane: Plane, deviation: number): Plane {
  const radius = Math.ceil(reach * deviation);
  const weights = Float32Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * deviation ** 2)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const share = weights.map((weight) => weight / sum);
  return blurredAlong(blurredAlong(plane, share, true), share, false);
}

function blurredAlong({ width, height, data }: Plane, share: Float32Array, isAcross: boolean) {
  const to = createPlane(width, height);
  const radius = (share.length - 1) / 2;
  const last = (isAcross ? width : height) - 1;
  const step = isAcross ? 1 : width;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const position = isAcross ? x : y;
      const start = y * width + x - position * step;
      let sum = 0;
      for (let i = -radius; i <= radius; i += 1) {
        const from = Math.min(last, Math.max(0, position + i));
        sum += (share[i + radius] as number) * (data[start + from * step] as number);
      }
      to.data[y * width + x] = sum;
    }
  return to;
}
