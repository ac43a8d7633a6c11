/** Orthonormal cosine transform of 8 x 8 blocks (T.81, A.3.3), whose coefficients JPEG quantises. */
import { orderOf } from '../../../packages/file-records/src/index.ts';

export const blockPx = 8;
export const blockSize = blockPx * blockPx;

/** Indices of a block's 64 coefficients, row-major. */
export const frequencies = Array.from({ length: blockSize }, (_, i) => i);

export const frequenciesBetween = (minOrder: number, maxOrder: number): number[] =>
  frequencies.filter((i) => orderOf(i) >= minOrder && orderOf(i) <= maxOrder);

/** Squared angular frequency of each coefficient, in radians per pixel. */
export const frequencySquared = frequencies.map(
  (i) => (Math.PI / blockPx) ** 2 * ((i % blockPx) ** 2 + Math.floor(i / blockPx) ** 2),
);

const basis = Float64Array.from({ length: blockSize }, (_, i) => {
  const [frequency, at] = [Math.floor(i / blockPx), i % blockPx];
  const norm = frequency === 0 ? Math.sqrt(1 / 8) : 0.5;
  return norm * Math.cos(((2 * at + 1) * frequency * Math.PI) / 16);
});

const block = new Float64Array(blockSize);
const rows = new Float64Array(blockSize);

/** Writes the 64 coefficients, row-major, of the block that begins at `offset` of a plane. */
export function transformBlock(
  plane: Float32Array,
  offset: number,
  stride: number,
  into: Float64Array,
): void {
  for (let y = 0, from = offset; y < blockPx; y += 1, from += stride)
    for (let x = 0; x < blockPx; x += 1) block[y * blockPx + x] = plane[from + x] as number;
  for (let y = 0; y < blockPx; y += 1) transformLine(block, y * blockPx, 1, rows);
  for (let u = 0; u < blockPx; u += 1) transformLine(rows, u, blockPx, into);
}

/**
 * Transforms eight samples `by` apart into the same places. Even waves are symmetric and odd ones antisymmetric, which
 * halves the multiplications.
 */
function transformLine(from: Float64Array, start: number, by: number, into: Float64Array): void {
  const a = from[start] as number;
  const b = from[start + by] as number;
  const c = from[start + 2 * by] as number;
  const d = from[start + 3 * by] as number;
  const e = from[start + 4 * by] as number;
  const f = from[start + 5 * by] as number;
  const g = from[start + 6 * by] as number;
  const h = from[start + 7 * by] as number;
  for (let u = 0; u < blockPx; u += 2)
    into[start + u * by] = product(u * blockPx, a + h, b + g, c + f, d + e);
  for (let u = 1; u < blockPx; u += 2)
    into[start + u * by] = product(u * blockPx, a - h, b - g, c - f, d - e);
}

/** Multiplies the first half of a wave with four sums or differences of samples. */
const product = (wave: number, a: number, b: number, c: number, d: number): number =>
  (basis[wave] as number) * a +
  (basis[wave + 1] as number) * b +
  (basis[wave + 2] as number) * c +
  (basis[wave + 3] as number) * d;
