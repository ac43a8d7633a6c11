/** Orthonormal cosine transform of 8 x 8 blocks (T.81, A.3.3), whose coefficients JPEG quantises. */
import { orderOf } from '../../files/jpeg-quality.ts';

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

const rows = new Float64Array(blockSize);

/** Writes the 64 coefficients, row-major, of the block that begins at `offset` of a plane. */
export function transformBlock(
  plane: Float32Array,
  offset: number,
  stride: number,
  into: Float64Array,
): void {
  for (let y = 0; y < blockPx; y += 1)
    transformLine(plane, offset + y * stride, 1, rows, y * blockPx, 1);
  for (let u = 0; u < blockPx; u += 1) transformLine(rows, u, blockPx, into, u, blockPx);
}

/**
 * Transforms eight samples `by` apart. Even waves are symmetric and odd ones antisymmetric, which halves the
 * multiplications.
 */
function transformLine(
  from: Float32Array | Float64Array,
  offset: number,
  by: number,
  into: Float64Array,
  intoOffset: number,
  intoBy: number,
): void {
  const at = (n: number) => from[offset + n * by] as number;
  const [a, b, c, d] = [at(0), at(1), at(2), at(3)];
  const [e, f, g, h] = [at(4), at(5), at(6), at(7)];
  for (let u = 0; u < blockPx; u += 1) {
    const wave = u * blockPx;
    const turn = u % 2 === 0 ? 1 : -1;
    into[intoOffset + u * intoBy] =
      (basis[wave] as number) * (a + turn * h) +
      (basis[wave + 1] as number) * (b + turn * g) +
      (basis[wave + 2] as number) * (c + turn * f) +
      (basis[wave + 3] as number) * (d + turn * e);
  }
}
