/**
 * Makes a soft shadow under a subject, as a light from above and in front throws it on a wall: the subject's
 * alpha is moved down a little and blurred, at a small size, and then enlarged between pixel centres.
 */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import { blurred } from '../../../raster/planes/mean-blur.ts';
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { alphaOf, reduceRaster, sizeWithin } from '../../../raster/reduce-raster.ts';
import { seenFrom } from './subject-box.ts';

/** Answers how dark each pixel of a row of the region is, 0..1, valid until the next row is asked for. */
export type ShadowRow = (y: number) => Float32Array;

/** The shadow is made at a size whose longest side has at most this many pixels. */
const madePx = 1024;
/**
 * This is the radius of each of the three box blurs, as a share of the subject's longer side. It is about the
 * deviation of the Gaussian that they come near.
 */
const radiusShare = 0.02;
/** The shadow lies lower than the subject by this share of the subject's longer side. */
const dropShare = 0.025;

/**
 * Makes the shadow of a subject.
 *
 * @param cut with colours and alpha
 * @param region that the result shows of it; rows are counted in the region
 * @param opacity 0..1
 */
export async function softShadow(
  cut: Raster,
  region: Rect,
  opacity: number,
  signal: AbortSignal,
): Promise<ShadowRow> {
  const size = sizeWithin(region, madePx);
  const { data: alpha } = alphaOf(await reduceRaster(cut, size, signal, region));
  const longest = longestSide(alpha, size);
  const lower = lowered(alpha, size, Math.round(longest * dropShare));
  const radius = Math.max(1, Math.round(longest * radiusShare));
  const shadow = blurred(lower, size, radius).map((value) => value * opacity);
  return createRowResampler({ ...size, data: shadow }, region);
}

function longestSide(alpha: Float32Array, { width, height }: Size) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let i = 0; i < alpha.length; i += 1) {
    if ((alpha[i] as number) < seenFrom) continue;
    const x = i % width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, Math.floor(i / width));
    bottom = Math.floor(i / width);
  }
  return Math.max(0, right - left + 1, bottom - top + 1);
}

/** Moves alpha down by a number of rows. */
function lowered(alpha: Float32Array, { width }: Size, rows: number): Float32Array {
  const lower = new Float32Array(alpha.length);
  lower.set(alpha.subarray(0, Math.max(0, alpha.length - rows * width)), rows * width);
  return lower;
}
