/**
 * Background from the photo's own surroundings out of focus: blurred at a small size and enlarged bilinearly
 * between pixel centres. The subject has no weight in the blur, so it leaves no halo.
 */
import type { Size } from '../../../../../packages/contract/src/geometry.ts';
import { colourBands, type Raster } from '../../../raster/raster-file.ts';
import type { BackdropRow } from './compose.ts';
import { blurred } from '../../../raster/planes/mean-blur.ts';
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { reduceRaster, sizeWithin, type SmallPicture } from '../../../raster/reduce-raster.ts';

/** Longest side of the size at which the surroundings are blurred. */
const blurredPx = 512;
/**
 * Radius of each of the three box blurs, as a share of the longest side; about the standard deviation of the
 * Gaussian that they approximate.
 */
const radiusShare = 1 / 56;
/** Residual weight of the subject, for windows that it fills. */
const minWeight = 1e-4;

/**
 * Blurs the surroundings of the subject.
 *
 * @param cut the same picture with the subject's alpha as its last band
 */
export async function blurBackdrop(
  source: Raster,
  cut: Raster,
  signal: AbortSignal,
): Promise<BackdropRow> {
  const size = sizeWithin(source.shape, blurredPx);
  const photo = await reduceRaster(source, size, signal);
  const subject = await reduceRaster(cut, size, signal);
  const radius = Math.max(1, Math.round(Math.max(size.width, size.height) * radiusShare));
  const weights = weightsOf(subject);
  const blurredWeights = blurred(weights, size, radius);
  const planes = Array.from({ length: colourBands(photo) }, (_, band) => {
    const sums = blurred(weighted(photo, band, weights), size, radius);
    return sums.map((sum, i) => sum / (blurredWeights[i] as number));
  });
  return rowsOf(planes, size, source.shape);
}

function weightsOf({ data, bands }: SmallPicture): Float32Array {
  return Float32Array.from({ length: data.length / bands }, (_, i) => {
    const alpha = data[i * bands + bands - 1] as number;
    return Math.max(minWeight, (1 - alpha) ** 2);
  });
}

const weighted = ({ data, bands }: SmallPicture, band: number, weights: Float32Array) =>
  weights.map((weight, i) => weight * (data[i * bands + band] as number));

function rowsOf(planes: Float32Array[], small: Size, size: Size): BackdropRow {
  const enlargers = planes.map((data) => createRowResampler({ ...small, data }, size));
  const row = new Float32Array(size.width * planes.length);
  return (y) => {
    for (const [band, enlarged] of enlargers.entries()) {
      const values = enlarged(y);
      for (let x = 0; x < size.width; x += 1)
        row[x * planes.length + band] = Math.min(1, values[x] as number);
    }
    return row;
  };
}
