/** Applies a mask that is only enlarged: for networks with true alpha, and as a baseline for measurements. */
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { colourBands, samplesIn, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { mapStrips, rewriteStrips, type StripOptions } from '../../../raster/strips.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';

/**
 * Writes the source's colours unchanged, with the mask, enlarged between pixel centres, times the source's
 * own alpha. The new raster has the source's depth.
 *
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function applyPlainMask(
  source: Raster,
  mask: Mask,
  outputPath: string,
  options: StripOptions,
): Promise<void> {
  const { width, height, bands, bits } = source.shape;
  const shape = { bands: colourBands({ bands }) + 1, bits };
  const alphaAt = createRowResampler(mask, { width, height });
  await mapStrips(source, { path: outputPath, shape }, options, (from, to) => {
    for (let row = 0; row < from.rows; row += 1) {
      const alpha = alphaAt(from.y + row);
      writeRow(from.samples, row * from.stride, bands, alpha, to.samples, row, 2 ** bits - 1);
    }
  });
}

function writeRow(
  from: Samples,
  offset: number,
  bands: number,
  alpha: Float32Array,
  to: Samples,
  row: number,
  top: number,
): void {
  const colours = colourBands({ bands });
  let read = offset;
  let write = row * alpha.length * (colours + 1);
  for (let x = 0; x < alpha.length; x += 1, read += bands) {
    for (let band = 0; band < colours; band += 1) to[write++] = from[read + band] as number;
    const own = bands > colours ? (from[read + colours] as number) : top;
    to[write++] = Math.round((alpha[x] as number) * own);
  }
}

/**
 * Replaces the alpha of a subject by the mask, enlarged between pixel centres, times the source's own alpha, as far as
 * `where` (0..1, of any size) says.
 *
 * @throws the signal's reason
 */
export async function overlayAlpha(
  source: Raster,
  subject: Raster,
  mask: Mask,
  where: Mask,
  { signal }: Pick<StripOptions, 'signal'>,
): Promise<void> {
  const { width, height, bands } = source.shape;
  const [alphaAt, shareAt] = [mask, where].map((plane) =>
    createRowResampler(plane, { width, height }),
  ) as [RowResampler, RowResampler];
  const top = 2 ** subject.shape.bits - 1;
  const last = subject.shape.bands - 1;
  const hasOwn = bands > colourBands({ bands });
  await rewriteStrips(subject, { signal }, ({ samples, y, rows, stride }) => {
    const own = hasOwn ? samplesIn(source, { x: 0, y, width, height: rows }) : undefined;
    for (let row = 0; row < rows; row += 1) {
      const [alpha, share] = [alphaAt(y + row), shareAt(y + row)];
      for (let x = 0; x < width; x += 1) {
        const at = row * stride + x * subject.shape.bands + last;
        const whole = own ? (own[(row * width + x) * bands + bands - 1] as number) : top;
        const known = samples[at] as number;
        const target = (alpha[x] as number) * whole;
        samples[at] = Math.round(known + (target - known) * (share[x] as number));
      }
    }
  });
}

type RowResampler = ReturnType<typeof createRowResampler>;
