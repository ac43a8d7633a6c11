/** A mask enlarged between pixel centres and nothing more: for networks that give true alpha, and to measure against. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  createRaster,
  createSamples,
  type Raster,
  type Samples,
} from '../../../raster/raster-file.ts';
import type { Mask } from '../mask/mask-tensor.ts';
import { tapsOf, type Taps } from '../mask/reduce-raster.ts';

const stripBytes = 4 * 1024 * 1024;

export interface PlainHooks {
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

/** Writes the source's colours as they are, with the enlarged mask times its own alpha, to a new raster of its depth. */
export async function applyPlainMask(
  source: Raster,
  mask: Mask,
  outputPath: string,
  { signal, onProgress }: PlainHooks,
): Promise<void> {
  const { width, height, bands, bits } = source.shape;
  const colours = bands < 3 ? 1 : 3;
  const output = createRaster(outputPath, { width, height, bands: colours + 1, bits });
  const stripRows = Math.max(1, Math.floor(stripBytes / (width * (colours + 1) * (bits / 8))));
  const from = createSamples({ bits }, stripRows * width * bands);
  const to = createSamples({ bits }, stripRows * width * (colours + 1));
  const enlarged = createEnlarger(mask, { width, height });
  try {
    for (let y = 0; y < height; y += stripRows) {
      const rect = { x: 0, y, width, height: Math.min(stripRows, height - y) };
      source.readRect(rect, from, 0, width * bands);
      for (let row = 0; row < rect.height; row += 1)
        writeRow(from, row * width * bands, bands, enlarged(y + row), to, row, 2 ** bits - 1);
      output.writeRect(rect, to, 0, width * (colours + 1));
      onProgress((y + rect.height) / height);
      await letOthersRun();
      signal.throwIfAborted();
    }
  } finally {
    output.close();
  }
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
  const colours = bands < 3 ? 1 : 3;
  let read = offset;
  let write = row * alpha.length * (colours + 1);
  for (let x = 0; x < alpha.length; x += 1, read += bands) {
    for (let band = 0; band < colours; band += 1) to[write++] = from[read + band] as number;
    const own = bands > colours ? (from[read + colours] as number) : top;
    to[write++] = Math.round((alpha[x] as number) * own);
  }
}

/** Rows of the mask at another size, each valid until the next is asked for. */
export function createEnlarger(mask: Mask, size: { width: number; height: number }) {
  const columns = tapsOf(mask.width, size.width);
  const rows = tapsOf(mask.height, size.height);
  const line = new Float32Array(mask.width);
  const result = new Float32Array(size.width);
  return (y: number): Float32Array => {
    mixRows(mask, rows[y] as Taps, line);
    for (let x = 0; x < size.width; x += 1) {
      const { first, weights } = columns[x] as Taps;
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1)
        sum += (weights[tap] as number) * (line[first + tap] as number);
      result[x] = sum;
    }
    return result;
  };
}

function mixRows({ data, width }: Mask, { first, weights }: Taps, line: Float32Array): void {
  line.fill(0);
  for (const [tap, weight] of weights.entries()) {
    const start = (first + tap) * width;
    for (let x = 0; x < width; x += 1)
      line[x] = (line[x] as number) + weight * (data[start + x] as number);
  }
}
