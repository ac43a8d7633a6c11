/**
 * Soft shadow of a subject, as from a light above and in front: its alpha is moved down a little and blurred
 * at a small size, then enlarged between pixel centres.
 */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import { blurred } from '../../../raster/planes/mean-blur.ts';
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { reduceAlpha, sizeWithin } from '../../../raster/reduce-raster.ts';
import { minVisibleAlpha } from './subject-box.ts';

/** Darkness of each pixel of a row of the region, 0..1; reused by the next call. */
export type ShadowRow = (y: number) => Float32Array;

/** Longest side of the size at which the shadow is computed. */
const shadowPx = 1024;
/**
 * Radius of each of the three box blurs, as a share of the subject's longer side; about the standard
 * deviation of the Gaussian that they approximate.
 */
const radiusShare = 0.02;
/** Downward offset as a share of the subject's longer side. */
const dropShare = 0.025;

/**
 * Computes the shadow of a subject.
 *
 * @param cut with colours and alpha
 * @param region shown by the result; rows are relative to it
 * @param opacity 0..1
 */
export async function softShadow(
  cut: Raster,
  region: Rect,
  opacity: number,
  signal: AbortSignal,
): Promise<ShadowRow> {
  const size = sizeWithin(region, shadowPx);
  const { data: alpha } = await reduceAlpha(cut, size, signal, region);
  const longest = longestSide(alpha, size);
  const lower = lowered(alpha, size, Math.round(longest * dropShare));
  const radius = Math.max(1, Math.round(longest * radiusShare));
  const shadow = blurred(lower, size, radius).map((value) => value * opacity);
  return createRowResampler({ ...size, data: shadow }, region);
}

function longestSide(alpha: Float32Array, { width, height }: Size) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let i = 0; i < alpha.length; i += 1) {
    if ((alpha[i] as number) < minVisibleAlpha) continue;
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
