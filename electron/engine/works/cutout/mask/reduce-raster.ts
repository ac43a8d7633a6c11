/**
 * A raster as a small picture: each pixel is the mean of the area that it covers, so that nothing
 * aliases; along a side that grows it is interpolated between pixel centres. Read in strips.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  createSamples,
  hasAlpha,
  type Raster,
  type Rect,
  type Samples,
} from '../../../raster/raster-file.ts';

/** Interleaved values of 0..1. Colours are weighted by alpha, so hidden ones count for nothing. */
export interface SmallPicture {
  width: number;
  height: number;
  bands: number;
  data: Float32Array;
}

/** For each place of a line: the first source place that counts for it, and how much each does. */
export interface Taps {
  first: number;
  weights: number[];
}

/** Weights of each line sum up to 1. */
export function tapsOf(from: number, to: number): Taps[] {
  return Array.from({ length: to }, (_, at) =>
    to < from ? areaTaps(at, from / to, from) : linearTaps(at, from / to, from),
  );
}

function areaTaps(at: number, step: number, from: number): Taps {
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

function linearTaps(at: number, step: number, from: number): Taps {
  const centre = (at + 0.5) * step - 0.5;
  const inside = Math.min(Math.max(centre, 0), from - 1);
  const first = Math.floor(inside);
  const part = inside - first;
  return part === 0 ? { first, weights: [1] } : { first, weights: [1 - part, part] };
}

const stripBytes = 4 * 1024 * 1024;

/** Of a part of the raster, or all of it. Throws the signal's reason between strips. */
export async function reduceRaster(
  raster: Raster,
  size: { width: number; height: number },
  signal: AbortSignal,
  part: Rect = { x: 0, y: 0, ...raster.shape },
): Promise<SmallPicture> {
  const { bands, bits } = raster.shape;
  const { width, height } = part;
  const columns = tapsOf(width, size.width);
  const rows = rowsThatNeed(tapsOf(height, size.height), height);
  const sums = new Float32Array(size.width * size.height * bands);
  const line = new Float32Array(size.width * bands);
  const stripRows = Math.max(1, Math.floor(stripBytes / (width * bands * (bits / 8))));
  const samples = createSamples({ bits }, stripRows * width * bands);
  for (let y = 0; y < height; y += stripRows) {
    const count = Math.min(stripRows, height - y);
    const strip = { x: part.x, y: part.y + y, width, height: count };
    raster.readRect(strip, samples, 0, width * bands);
    for (let row = 0; row < count; row += 1) {
      reduceRow(samples, row * width * bands, bands, columns, line);
      for (const { to, weight } of rows[y + row] ?? []) addLine(line, weight, sums, to);
    }
    await letOthersRun();
    signal.throwIfAborted();
  }
  return finished(sums, { ...size, bands }, hasAlpha(raster.shape), 2 ** bits - 1);
}

/** For each source row: the rows of the small picture that it counts for. */
function rowsThatNeed(taps: Taps[], height: number): { to: number; weight: number }[][] {
  const needs = Array.from({ length: height }, (): { to: number; weight: number }[] => []);
  for (const [to, { first, weights }] of taps.entries())
    for (const [i, weight] of weights.entries()) needs[first + i]?.push({ to, weight });
  return needs;
}

function reduceRow(
  samples: Samples,
  offset: number,
  bands: number,
  columns: Taps[],
  line: Float32Array,
): void {
  const alphaAt = bands % 2 === 0 ? bands - 1 : -1;
  for (let band = 0; band < bands; band += 1) {
    const weighted = alphaAt > 0 && band !== alphaAt;
    for (let x = 0; x < columns.length; x += 1) {
      const { first, weights } = columns[x] as Taps;
      let at = offset + first * bands;
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1, at += bands) {
        const value = (weights[tap] as number) * (samples[at + band] as number);
        sum += weighted ? value * (samples[at + alphaAt] as number) : value;
      }
      line[x * bands + band] = sum;
    }
  }
}

function addLine(line: Float32Array, weight: number, sums: Float32Array, row: number): void {
  const offset = row * line.length;
  for (let i = 0; i < line.length; i += 1)
    sums[offset + i] = (sums[offset + i] as number) + weight * (line[i] as number);
}

/** Where nothing is visible the colour is white, as the paper under a cut-out photo. */
function finished(
  sums: Float32Array,
  { width, height, bands }: Omit<SmallPicture, 'data'>,
  isWeighted: boolean,
  top: number,
): SmallPicture {
  const data = new Float32Array(sums.length);
  for (let at = 0; at < sums.length; at += bands) {
    const alpha = isWeighted ? (sums[at + bands - 1] as number) : top;
    for (let band = 0; band < bands; band += 1) {
      const isColour = isWeighted && band < bands - 1;
      const divisor = isColour ? alpha * top : top;
      data[at + band] = divisor === 0 ? (isColour ? 1 : 0) : (sums[at + band] as number) / divisor;
    }
  }
  return { width, height, bands, data };
}
