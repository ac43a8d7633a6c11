/**
 * Enlarges a raster by interpolation, without a network: the cubic kernel with a = -1/2 (Keys 1981). Pixel
 * centres are at half integers, so nothing is shifted; the border is replicated; colours are weighted by alpha.
 */
import type { Size } from '../../contract/geometry.ts';
import { colourBands, hasAlpha, samplesIn, type Raster, type RasterShape } from './raster-file.ts';
import { writeRows, type StripOptions } from './strips.ts';

/** Taps of a target pixel: four weights, and the source pixels, of which those at the border repeat. */
interface CubicTaps {
  positions: readonly number[];
  weights: readonly number[];
}

function cubicTaps(count: number, size: number): CubicTaps[] {
  const step = size / count;
  return Array.from({ length: count }, (_, at) => {
    const centre = (at + 0.5) * step - 0.5;
    const first = Math.floor(centre) - 1;
    const offsets = [0, 1, 2, 3];
    return {
      positions: offsets.map((i) => Math.min(Math.max(first + i, 0), size - 1)),
      weights: offsets.map((i) => keys(centre - (first + i))),
    };
  });
}

/** The kernel at a distance in source pixels; the weights of four neighbours sum to 1. */
function keys(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/** Rows that stay in memory: the four that a target row is mixed from. */
const cachedRows = 4;

/**
 * Returns a function that computes single rows of the enlarged raster in the source's levels, interleaved, not
 * rounded and not clipped. In a transparent pixel all values are 0. Each row is reused by the next call.
 *
 * @param size in no direction smaller than the source
 */
export function createEnlargedRows(source: Raster, size: Size): (y: number) => Float32Array {
  const { shape } = source;
  const columns = cubicTaps(size.width, shape.width);
  const rows = cubicTaps(size.height, shape.height);
  const widened = new Map<number, Float32Array<ArrayBuffer>>();
  const row = new Float32Array(size.width * shape.bands);

  function widenedRow(y: number): Float32Array<ArrayBuffer> {
    const known = widened.get(y);
    if (known) return known;
    const oldest = widened.size >= cachedRows ? Math.min(...widened.keys()) : undefined;
    const into = oldest === undefined ? undefined : widened.get(oldest);
    if (oldest !== undefined) widened.delete(oldest);
    const line = premultiplied(
      samplesIn(source, { x: 0, y, width: shape.width, height: 1 }),
      shape,
    );
    const wide = widen(line, columns, shape.bands, into);
    widened.set(y, wide);
    return wide;
  }

  return (y) => {
    const { positions, weights } = rows[y] as CubicTaps;
    row.fill(0);
    for (const [i, position] of positions.entries()) {
      const line = widenedRow(position);
      const weight = weights[i] as number;
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
  columns: readonly CubicTaps[],
  bands: number,
  into = new Float32Array(columns.length * bands),
): Float32Array<ArrayBuffer> {
  for (const [x, { positions, weights }] of columns.entries()) {
    const [a, b, c, d] = positions as [number, number, number, number];
    const [wa, wb, wc, wd] = weights as [number, number, number, number];
    for (let band = 0; band < bands; band += 1)
      into[x * bands + band] =
        wa * (line[a * bands + band] as number) +
        wb * (line[b * bands + band] as number) +
        wc * (line[c * bands + band] as number) +
        wd * (line[d * bands + band] as number);
  }
  return into;
}

/** Writes the enlarged raster. @returns its shape @throws the signal's reason, EnlargerError STORAGE_FULL */
export async function enlargePlain(
  source: Raster,
  toPath: string,
  { width, height }: Size,
  options: StripOptions,
): Promise<RasterShape> {
  const shape = { ...source.shape, width, height };
  const rowOf = createEnlargedRows(source, shape);
  const top = 2 ** shape.bits - 1;
  await writeRows(toPath, shape, options, (samples, y) => {
    for (const [at, value] of rowOf(y).entries())
      samples[at] = Math.min(Math.max(Math.round(value), 0), top);
  });
  return shape;
}
