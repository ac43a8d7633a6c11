/**
 * A soft shadow under a subject, as a light from above and before it throws it on a wall: its alpha, a little lower
 * and out of focus, made at a small size and enlarged between pixel centres.
 */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import { blurred } from '../../../raster/planes/mean-blur.ts';
import { createRowResampler } from '../../../raster/planes/resample.ts';
import { alphaOf, reduceRaster, sizeWithin } from '../../../raster/reduce-raster.ts';

/** Of a row of the region: how dark each of its pixels is, 0..1. Valid until the next row is asked for. */
export type ShadowRow = (y: number) => Float32Array;

/** Longest side at which it is made. */
const madePx = 1024;
/** Radius of each of three means, which is about the deviation, and how much lower it lies: of the subject's longer side. */
const radiusShare = 0.02;
const dropShare = 0.025;
/** Alpha from which something counts as the subject. */
const seenFrom = 0.05;

/**
 * @param cut colours and alpha
 * @param region what of it the result shows; rows are counted in it
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

function lowered(alpha: Float32Array, { width }: { width: number }, rows: number): Float32Array {
  const lower = new Float32Array(alpha.length);
  lower.set(alpha.subarray(0, Math.max(0, alpha.length - rows * width)), rows * width);
  return lower;
}
