/** How much of a block's noise remains where values are clipped at black and white. */
import { blockPx, blockSize } from './block-transform.ts';
import { clippedDeviation } from './normal-distribution.ts';

/** Headroom of a block of one colour in levels: from its mean to the nearer of black and white. */
export function headroomOf(plane: Float32Array, offset: number, stride: number): number {
  let sum = 0;
  for (let y = 0, from = offset; y < blockPx; y += 1, from += stride)
    for (let x = 0; x < blockPx; x += 1) sum += plane[from + x] as number;
  return Math.min(sum / blockSize, 255 - sum / blockSize);
}

const lumaWeights = [0.299, 0.587, 0.114];

/**
 * Remaining share of the deviation in luma, 0..1.
 *
 * @param headrooms of the block's colours: one for grey, or three
 */
export function remainingShare(headrooms: readonly number[], deviation: number): number {
  if (deviation === 0) return 1;
  if (headrooms.length === 1) return clippedDeviation((headrooms[0] as number) / deviation);
  let remaining = 0;
  let whole = 0;
  for (const [c, weight] of lumaWeights.entries()) {
    remaining += (weight * clippedDeviation((headrooms[c] as number) / deviation)) ** 2;
    whole += weight ** 2;
  }
  return Math.sqrt(remaining / whole);
}
