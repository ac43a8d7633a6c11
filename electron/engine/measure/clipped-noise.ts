/** How much of a block's noise black and white leave. */
import { blockPx, blockSize } from './block-transform.ts';
import { clippedDeviation } from './normal-distribution.ts';

/** From the mean of a block of a colour to black or white, whichever is nearer, in levels. */
export function roomOf(plane: Float32Array, offset: number, stride: number): number {
  let sum = 0;
  for (let y = 0; y < blockPx; y += 1)
    for (let x = 0; x < blockPx; x += 1) sum += plane[offset + y * stride + x] as number;
  return Math.min(sum / blockSize, 255 - sum / blockSize);
}

const lumaWeights = [0.299, 0.587, 0.114];

/**
 * The part of a noise's deviation in brightness that is left, 0 to 1.
 * @param rooms those of the block's colours: one of grey, or three
 */
export function leftOf(rooms: readonly number[], deviation: number): number {
  if (deviation === 0) return 1;
  if (rooms.length === 1) return clippedDeviation((rooms[0] as number) / deviation);
  let left = 0;
  let whole = 0;
  for (const [c, weight] of lumaWeights.entries()) {
    left += (weight * clippedDeviation((rooms[c] as number) / deviation)) ** 2;
    whole += weight ** 2;
  }
  return Math.sqrt(left / whole);
}
