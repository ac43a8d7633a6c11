/** Resamples planes to another size. Pixel centres are at half integers, so nothing is shifted. Pure. */
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import { createPlane, type Plane } from './plane.ts';

/** Filter taps: the source pixels of one target pixel in a line, with their weights. */
export interface Taps {
  first: number;
  /** For the pixels from `first` on; their sum is 1. */
  weights: number[];
}

/** The taps of a line one after another, which takes a third of the time to walk along. */
interface PackedTaps {
  first: Int32Array;
  /** Where the weights of each target pixel begin in `weights`, and the end of all. */
  starts: Int32Array;
  weights: Float64Array;
}

function packed(taps: readonly Taps[]): PackedTaps {
  const starts = new Int32Array(taps.length + 1);
  for (let i = 0; i < taps.length; i += 1)
    starts[i + 1] = (starts[i] as number) + (taps[i] as Taps).weights.length;
  const weights = new Float64Array(starts[taps.length] as number);
  for (let i = 0; i < taps.length; i += 1) weights.set((taps[i] as Taps).weights, starts[i]);
  return { first: Int32Array.from(taps, ({ first }) => first), starts, weights };
}

/** First and last source pixel of each target pixel. */
export const endsOf = (taps: readonly Taps[]): { firsts: Int32Array; lasts: Int32Array } => ({
  firsts: Int32Array.from(taps, ({ first }) => first),
  lasts: Int32Array.from(taps, ({ first, weights }) => first + weights.length - 1),
});

/**
 * Bilinear taps of `count` target pixels that each cover `step` pixels of a line of `size`, from `start` on.
 * The border is replicated.
 */
export function tapsOf(count: number, size: number, step: number, start = 0): Taps[] {
  return Array.from({ length: count }, (_, at) => {
    const centre = Math.min(Math.max(start + (at + 0.5) * step - 0.5, 0), size - 1);
    const first = Math.floor(centre);
    const share = centre - first;
    return { first, weights: first + 1 < size ? [1 - share, share] : [1] };
  });
}

/** Area-averaging taps where the line shrinks, against aliasing, and bilinear ones where it grows. */
export function areaTapsOf(from: number, to: number): Taps[] {
  const step = from / to;
  if (to >= from) return tapsOf(to, from, step);
  return Array.from({ length: to }, (_, at) => meanTaps(at * step, step, from));
}

function meanTaps(start: number, step: number, size: number): Taps {
  const end = Math.min(start + step, size);
  const first = Math.floor(start);
  const last = Math.min(Math.ceil(end), size);
  const weights = Array.from({ length: last - first }, (_, i) => {
    const pixel = first + i;
    return Math.max(0, Math.min(pixel + 1, end) - Math.max(pixel, start)) / (end - start);
  });
  return { first, weights };
}

/** Bilinear; for enlarging only, because reducing would skip samples. */
export function resample(from: Plane, width: number, height: number): Plane {
  const columns = tapsOf(width, from.width, from.width / width);
  return resampleAt(from, columns, tapsOf(height, from.height, from.height / height));
}

/** Area-averaging where the plane shrinks, bilinear where it grows. */
export const resampledTo = (plane: Plane, { width, height }: Size): Plane =>
  resampleAt(plane, areaTapsOf(plane.width, width), areaTapsOf(plane.height, height));

/** Resamples a plane with the taps of its columns and rows. */
export function resampleAt(from: Plane, columns: Taps[], rows: Taps[]): Plane {
  const to = createPlane(columns.length, rows.length);
  const rowAt = rowsAt(from, columns, rows);
  for (let y = 0; y < to.height; y += 1) to.data.set(rowAt(y), y * to.width);
  return to;
}

/**
 * Returns a function that computes single rows of a plane at another size, area-averaged where it shrinks.
 * Each row is reused by the next call.
 */
export const createRowResampler = (from: Plane, { width, height }: Size) =>
  rowsAt(from, areaTapsOf(from.width, width), areaTapsOf(from.height, height));

function rowsAt(from: Plane, columns: Taps[], rows: Taps[]): (y: number) => Float32Array {
  const line = new Float32Array(from.width);
  const row = new Float32Array(columns.length);
  const { first, starts, weights } = packed(columns);
  return (y) => {
    mixRows(from, rows[y] as Taps, line);
    for (let x = 0; x < row.length; x += 1) {
      const end = starts[x + 1] as number;
      let sum = 0;
      for (let tap = starts[x] as number, at = first[x] as number; tap < end; tap += 1, at += 1)
        sum += (weights[tap] as number) * (line[at] as number);
      row[x] = sum;
    }
    return row;
  };
}

/** Mixes the rows of some taps into one line of the source's width. */
export function mixRows(
  { data, width }: Plane,
  { first, weights }: Taps,
  line: Float32Array,
): void {
  const [upper = 0, lower] = weights;
  const start = first * width;
  if (lower === undefined) {
    for (let x = 0; x < width; x += 1) line[x] = upper * (data[start + x] as number);
    return;
  }
  if (weights.length === 2) {
    for (let x = 0, at = start; x < width; x += 1, at += 1)
      line[x] = Math.fround(upper * (data[at] as number)) + lower * (data[at + width] as number);
    return;
  }
  line.fill(0);
  for (const [tap, weight] of weights.entries()) {
    const from = start + tap * width;
    for (let x = 0; x < width; x += 1)
      line[x] = (line[x] as number) + weight * (data[from + x] as number);
  }
}
