/**
 * Enlarges a raster by interpolation, without a network. Pixel centres are at half integers, so nothing is shifted;
 * the border is replicated; colours are weighted by alpha.
 */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { colourBands, hasAlpha, samplesIn, type Raster, type RasterShape } from './raster-file.ts';
import { writeRows, type StripOptions } from './strips.ts';

/** An interpolation kernel. */
export interface Kernel {
  /** Distance in source pixels from which on the weight is 0. */
  radius: number;
  weightAt: (distance: number) => number;
}

/** The cubic kernel with a = -1/2 (Keys 1981). */
export const cubic: Kernel = {
  radius: 2,
  weightAt(distance) {
    const x = Math.abs(distance);
    if (x >= 2) return 0;
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
  },
};

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Keeps more of the fine detail that a network drew than the cubic kernel does. */
export const lanczos3: Kernel = {
  radius: 3,
  weightAt: (distance) => (Math.abs(distance) >= 3 ? 0 : sinc(distance) * sinc(distance / 3)),
};

/** Taps of all target pixels along an axis, `count` for each. */
interface AxisTaps {
  count: number;
  /** Source pixels; those at the border repeat. */
  positions: Int32Array;
  /** The weights of a target pixel sum to 1. */
  weights: Float64Array;
}

function tapsOf({ radius, weightAt }: Kernel, length: number, sourceLength: number): AxisTaps {
  const count = 2 * radius;
  const positions = new Int32Array(length * count);
  const weights = new Float64Array(length * count);
  for (let at = 0; at < length; at += 1) {
    const centre = ((at + 0.5) * sourceLength) / length - 0.5;
    const first = Math.floor(centre) - radius + 1;
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += weightAt(centre - first - i);
    for (let i = 0; i < count; i += 1) {
      positions[at * count + i] = Math.min(Math.max(first + i, 0), sourceLength - 1);
      weights[at * count + i] = weightAt(centre - first - i) / sum;
    }
  }
  return { count, positions, weights };
}

/**
 * Returns a function that computes single rows of the enlarged raster in the source's levels, interleaved, not
 * rounded and not clipped. In a transparent pixel all values are 0. Each row is reused by the next call.
 *
 * @param size in no direction smaller than the source
 */
export function createEnlargedRows(
  source: Raster,
  size: Size,
  kernel = cubic,
): (y: number) => Float32Array {
  const { shape } = source;
  const columns = tapsOf(kernel, size.width, shape.width);
  const rows = tapsOf(kernel, size.height, shape.height);
  const widened = new Map<number, Float32Array<ArrayBuffer>>();
  const row = new Float32Array(size.width * shape.bands);

  function widenedRow(y: number): Float32Array<ArrayBuffer> {
    const known = widened.get(y);
    if (known) return known;
    const oldest = widened.size >= rows.count ? Math.min(...widened.keys()) : undefined;
    const into = oldest === undefined ? undefined : widened.get(oldest);
    if (oldest !== undefined) widened.delete(oldest);
    const line = premultiplied(
      samplesIn(source, { x: 0, y, width: shape.width, height: 1 }),
      shape,
    );
    const wide = widen(line, columns, shape.bands, into ?? new Float32Array(row.length));
    widened.set(y, wide);
    return wide;
  }

  return (y) => {
    row.fill(0);
    for (let i = y * rows.count; i < (y + 1) * rows.count; i += 1) {
      const line = widenedRow(rows.positions[i] as number);
      const weight = rows.weights[i] as number;
      for (let at = 0; at < row.length; at += 1)
        row[at] = (row[at] as number) + weight * (line[at] as number);
    }
    if (hasAlpha(shape)) divideByAlpha(row, shape);
    return row;
  };
}

function premultiplied(samples: ArrayLike<number>, shape: RasterShape): Float32Array {
  const line = Float32Array.from(samples);
  if (!hasAlpha(shape)) return line;
  const top = 2 ** shape.bits - 1;
  const colours = colourBands(shape);
  for (let at = 0; at < line.length; at += shape.bands)
    for (let band = 0; band < colours; band += 1)
      line[at + band] = ((line[at + band] as number) * (line[at + colours] as number)) / top;
  return line;
}

function divideByAlpha(row: Float32Array, shape: RasterShape): void {
  const top = 2 ** shape.bits - 1;
  const colours = colourBands(shape);
  for (let at = 0; at < row.length; at += shape.bands) {
    const alpha = (row[at + colours] as number) / top;
    for (let band = 0; band < colours; band += 1)
      row[at + band] = alpha < 0.5 / top ? 0 : (row[at + band] as number) / alpha;
  }
}

function widen(
  line: Float32Array,
  { count, positions, weights }: AxisTaps,
  bands: number,
  into: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  for (let at = 0, tap = 0; at < into.length; at += bands, tap += count)
    for (let band = 0; band < bands; band += 1) {
      let sum = 0;
      for (let i = tap; i < tap + count; i += 1)
        sum += (weights[i] as number) * (line[(positions[i] as number) * bands + band] as number);
      into[at + band] = sum;
    }
  return into;
}

/** Writes the enlarged raster. @returns its shape @throws the signal's reason, EnlargerError STORAGE_FULL */
export async function enlargePlain(
  source: Raster,
  toPath: string,
  { width, height }: Size,
  options: StripOptions & { kernel?: Kernel },
): Promise<RasterShape> {
  const shape = { ...source.shape, width, height };
  const rowOf = createEnlargedRows(source, shape, options.kernel);
  const top = 2 ** shape.bits - 1;
  await writeRows(toPath, shape, options, (samples, y) => {
    for (const [at, value] of rowOf(y).entries())
      samples[at] = Math.min(Math.max(Math.round(value), 0), top);
  });
  return shape;
}
