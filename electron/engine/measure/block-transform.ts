/** The orthonormal cosine transform of 8 x 8 blocks (T.81, A.3.3): what JPEG quantises and noise spreads over. */

export const blockPx = 8;
export const blockSize = blockPx * blockPx;

const basis = Float64Array.from({ length: blockSize }, (_, i) => {
  const [frequency, at] = [Math.floor(i / blockPx), i % blockPx];
  const norm = frequency === 0 ? Math.sqrt(1 / 8) : 0.5;
  return norm * Math.cos(((2 * at + 1) * frequency * Math.PI) / 16);
});

const rows = new Float64Array(blockSize);

/** Fills `into` with the 64 coefficients, row by row, of the block whose first sample is at `offset` of a plane. */
export function transformBlock(
  plane: Float32Array,
  offset: number,
  stride: number,
  into: Float64Array,
): void {
  for (let y = 0; y < blockPx; y += 1) {
    for (let u = 0; u < blockPx; u += 1) {
      let sum = 0;
      for (let x = 0; x < blockPx; x += 1)
        sum += (basis[u * blockPx + x] as number) * (plane[offset + y * stride + x] as number);
      rows[y * blockPx + u] = sum;
    }
  }
  for (let v = 0; v < blockPx; v += 1) {
    for (let u = 0; u < blockPx; u += 1) {
      let sum = 0;
      for (let y = 0; y < blockPx; y += 1)
        sum += (basis[v * blockPx + y] as number) * (rows[y * blockPx + u] as number);
      into[v * blockPx + u] = sum;
    }
  }
}
