/** Planes at another size. Pixel centres are at the half, so that neither side is shifted. Pure. */
import { createPlane, type Plane } from './plane.ts';

/** Where a pixel of the enlarged row lies between two of the small one; half-pixel correct. */
export interface Taps {
  low: Int32Array;
  high: Int32Array;
  /** Share of `high`, 0..1. */
  share: Float32Array;
}

/**
 * Bilinear taps of `count` pixels that each cover `step` pixels of a row of `size`, the first from
 * `start` on, with pixel centres at the half: neither side is shifted, and the border is replicated.
 */
export function tapsOf(count: number, size: number, step: number, start = 0): Taps {
  const taps = {
    low: new Int32Array(count),
    high: new Int32Array(count),
    share: new Float32Array(count),
  };
  for (let i = 0; i < count; i += 1) {
    const at = centreOf(i, size, step, start);
    const low = Math.floor(at);
    taps.low[i] = low;
    taps.high[i] = Math.min(low + 1, size - 1);
    taps.share[i] = at - low;
  }
  return taps;
}

/** Where the middle of a pixel lies between the middles of another line's; the border is replicated. */
const centreOf = (at: number, size: number, step: number, start: number) =>
  Math.min(Math.max(start + (at + 0.5) * step - 0.5, 0), size - 1);

/** Bilinear, half-pixel correct; meant for enlarging (reducing would skip samples). */
export function resample(from: Plane, width: number, height: number): Plane {
  const xs = tapsOf(width, from.width, from.width / width);
  const ys = tapsOf(height, from.height, from.height / height);
  return resampleAt(from, xs, ys);
}

/** The plane at the taps of its columns and rows. */
export function resampleAt(from: Plane, xs: Taps, ys: Taps): Plane {
  const [width, height] = [xs.low.length, ys.low.length];
  const to = createPlane(width, height);
  const row = new Float32Array(from.width);
  for (let y = 0; y < height; y += 1) {
    mixRows(from, ys, y, row);
    resampleRow(row, xs, to.data, y * width);
  }
  return to;
}

function resampleRow(row: Float32Array, xs: Taps, to: Float32Array, start: number): void {
  for (let x = 0; x < xs.low.length; x += 1) {
    const low = row[xs.low[x] as number] as number;
    const high = row[xs.high[x] as number] as number;
    to[start + x] = low + (high - low) * (xs.share[x] as number);
  }
}

/** Row `y` of the taps, not yet resampled along itself. */
export function mixRows(from: Plane, ys: Taps, y: number, row: Float32Array): void {
  const low = (ys.low[y] as number) * from.width;
  const high = (ys.high[y] as number) * from.width;
  const share = ys.share[y] as number;
  for (let x = 0; x < from.width; x += 1) {
    const above = from.data[low + x] as number;
    row[x] = above + ((from.data[high + x] as number) - above) * share;
  }
}

/** What a line takes of another: for each of its places the first one that counts, and how much each does. */
export interface AreaTaps {
  first: number;
  /** Their sum is 1. */
  weights: number[];
}

/** Means of areas where the line shrinks, so that nothing aliases; bilinear where it grows. */
export function areaTapsOf(from: number, to: number): AreaTaps[] {
  return Array.from({ length: to }, (_, at) =>
    to < from ? meanTaps(at, from / to, from) : growingTaps(at, from / to, from),
  );
}

function meanTaps(at: number, step: number, from: number): AreaTaps {
  const start = at * step;
  const end = Math.min(start + step, from);
  const first = Math.floor(start);
  const last = Math.min(Math.ceil(end), from);
  const weights = Array.from({ length: last - first }, (_, i) => {
    const place = first + i;
    return Math.max(0, Math.min(place + 1, end) - Math.max(place, start)) / (end - start);
  });
  return { first, weights };
}

function growingTaps(at: number, step: number, from: number): AreaTaps {
  const centre = centreOf(at, from, step, 0);
  const first = Math.floor(centre);
  const part = centre - first;
  return part === 0 ? { first, weights: [1] } : { first, weights: [1 - part, part] };
}

/** Rows of a plane at another size; each is valid until the next is asked for. */
export function createRowResampler(
  from: Plane,
  { width, height }: { width: number; height: number },
): (y: number) => Float32Array {
  const columns = areaTapsOf(from.width, width);
  const rows = areaTapsOf(from.height, height);
  const line = new Float32Array(from.width);
  const row = new Float32Array(width);
  return (y) => {
    sumRows(from, rows[y] as AreaTaps, line);
    for (let x = 0; x < width; x += 1) {
      const { first, weights } = columns[x] as AreaTaps;
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1)
        sum += (weights[tap] as number) * (line[first + tap] as number);
      row[x] = sum;
    }
    return row;
  };
}

function sumRows({ data, width }: Plane, { first, weights }: AreaTaps, line: Float32Array): void {
  line.fill(0);
  for (const [tap, weight] of weights.entries()) {
    const start = (first + tap) * width;
    for (let x = 0; x < width; x += 1)
      line[x] = (line[x] as number) + weight * (data[start + x] as number);
  }
}
