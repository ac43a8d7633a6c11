/**
 * Applies the solution on the working copy to the full picture, strip by strip. Each output pixel depends
 * only on its own colour and on the working copy, so strips have no seams.
 */
import type { Plane } from '../../../raster/planes/plane.ts';
import { endsOf, mixRows, tapsOf, type Taps } from '../../../raster/planes/resample.ts';
import { colourBands, wordsOf, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { mapStrips, type StripOptions } from '../../../raster/strips.ts';
import { createYield } from '../../../cancellation/yield.ts';
import type { EdgeColours } from './edge-colours.ts';
import { stretched, type Coefficients } from './solve-alpha.ts';
import type { Trimap } from './trimap.ts';

interface Solution {
  factor: number;
  trimap: Trimap;
  /** Alpha on the working copy, 0..1. */
  alpha: Plane;
  /** Absent if the working copy is the picture itself; then `alpha` is used. */
  coefficients?: Coefficients | undefined;
  colours: EdgeColours;
  /** Share of the background's colour to remove from the edge (colour decontamination), 0..1. */
  decontamination: number;
}

/** Rows between two yields. */
const rowsPerTurn = 8;

/**
 * Writes a new raster of the source's depth and size with its colour bands and alpha.
 *
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function writeCutout(
  source: Raster,
  outputPath: string,
  solution: Solution,
  options: StripOptions,
): Promise<void> {
  const { bands, bits } = source.shape;
  const colours = colourBands({ bands });
  const shape = { bands: colours + 1, bits };
  const prepared = prepareStrips(source, colours, solution);
  const isOfWords = bands === 3 && bits === 8;
  const yieldTurn = createYield(options.signal);
  await mapStrips(source, { path: outputPath, shape }, options, async (from, to) => {
    const words = isOfWords && to.samples instanceof Uint8Array ? wordsOf(to.samples) : undefined;
    const state = { ...prepared, from: from.samples, to: to.samples, words };
    for (let row = 0; row < from.rows; row += 1) {
      writeRow(state, from.y + row, row);
      if ((row + 1) % rowsPerTurn === 0) await yieldTurn();
    }
  });
}

interface StripState {
  from: Samples;
  to: Samples;
  /** `to` as words, where RGB of 8 bits becomes RGB and alpha. */
  words: Uint32Array | undefined;
  width: number;
  fromBands: number;
  colourBands: number;
  top: number;
  columns: Taps[];
  columnEnds: ReturnType<typeof endsOf>;
  rows: Taps[];
  solution: Solution;
  /** Alpha or the four coefficients, then foreground and background. */
  planes: Plane[];
  /** The planes, each interpolated to the current row. */
  mixed: Float32Array[];
  /** Runs between the latest two working rows. */
  latest: { first: number; last: number; runs: readonly Run[] };
}

function prepareStrips(
  source: Raster,
  colourBands: number,
  solution: Solution,
): Omit<StripState, 'from' | 'to' | 'words'> {
  const { width, height, bands, bits } = source.shape;
  const { alpha, coefficients, colours, factor } = solution;
  const linear = coefficients
    ? [coefficients.red, coefficients.green, coefficients.blue, coefficients.bias]
    : [alpha];
  const planes = [
    ...linear,
    ...colours.foreground.slice(0, colourBands),
    ...colours.background.slice(0, colourBands),
  ];
  const columns = tapsOf(width, alpha.width, 1 / factor);
  return {
    width,
    fromBands: bands,
    colourBands,
    top: 2 ** bits - 1,
    columns,
    columnEnds: endsOf(columns),
    rows: tapsOf(height, alpha.height, 1 / factor),
    solution,
    planes,
    mixed: planes.map(() => new Float32Array(alpha.width)),
    latest: { first: -1, last: -1, runs: [] },
  };
}

/** Pixels of a row whose four working pixels are all known and equal, or all others. */
interface Run {
  start: number;
  end: number;
  /** Alpha of known pixels, 0 or 1; absent: to be solved. */
  value?: number;
}

/** Writes a row: known pixels are copied, the others solved. */
function writeRow(state: StripState, y: number, row: number): void {
  const { width, columns } = state;
  let isMixed = false;
  for (const { start, end, value } of runsOf(state, y)) {
    if (value !== undefined) {
      copyPixels(state, row * width + start, row * width + end, value);
      continue;
    }
    if (!isMixed) mixRow(state, y);
    isMixed = true;
    for (let x = start; x < end; x += 1) solvePixel(state, row * width + x, columns[x] as Taps);
  }
}

/** Returns the runs of a row, which rows between the same working rows share. */
function runsOf(state: StripState, y: number): readonly Run[] {
  const { first, weights } = state.rows[y] as Taps;
  const last = first + weights.length - 1;
  const { latest } = state;
  if (latest.first !== first || latest.last !== last)
    Object.assign(latest, { first, last, runs: findRuns(state, first, last) });
  return latest.runs;
}

function findRuns({ width, columnEnds, solution }: StripState, first: number, last: number): Run[] {
  const { firsts, lasts } = columnEnds;
  const { unknown, sure } = solution.trimap;
  const above = first * solution.alpha.width;
  const below = last * solution.alpha.width;
  const runs: Run[] = [];
  for (let x = 0, before = -1; x < width; x += 1) {
    const left = firsts[x] as number;
    const right = lasts[x] as number;
    const latest = runs.at(-1);
    if (latest && left === before) {
      latest.end = x + 1;
      continue;
    }
    before = left;
    const corner = sure.data[above + left] as number;
    const isKnown =
      unknown[above + left] === 0 &&
      unknown[above + right] === 0 &&
      unknown[below + left] === 0 &&
      unknown[below + right] === 0 &&
      sure.data[above + right] === corner &&
      sure.data[below + left] === corner &&
      sure.data[below + right] === corner;
    const value = isKnown ? corner : undefined;
    if (latest && latest.value === value) latest.end = x + 1;
    else runs.push({ start: x, end: x + 1, ...(value !== undefined && { value }) });
  }
  return runs;
}

function copyPixels(state: StripState, start: number, end: number, alpha: number): void {
  const { from, to, words, fromBands, colourBands, top } = state;
  const ownAlphaAt = fromBands > colourBands ? colourBands : -1;
  if (words) {
    copyWords(from, words, start, end, alpha);
    return;
  }
  for (let pixel = start; pixel < end; pixel += 1) {
    const own = pixel * fromBands;
    const cut = pixel * (colourBands + 1);
    for (let band = 0; band < colourBands; band += 1) to[cut + band] = from[own + band] as number;
    to[cut + colourBands] = alpha * (ownAlphaAt < 0 ? top : (from[own + ownAlphaAt] as number));
  }
}

/** Most photos: a pixel of RGB becomes one word. */
function copyWords(
  from: Samples,
  words: Uint32Array,
  start: number,
  end: number,
  alpha: number,
): void {
  const high = alpha === 0 ? 0 : 0xff000000;
  for (let pixel = start, own = start * 3; pixel < end; pixel += 1, own += 3)
    words[pixel] =
      (from[own] as number) |
      ((from[own + 1] as number) << 8) |
      ((from[own + 2] as number) << 16) |
      high;
}

/** The source's own alpha as a sample; full if it has none. */
const ownAlpha = ({ from, fromBands, colourBands, top }: StripState, at: number) =>
  fromBands > colourBands ? (from[at + colourBands] as number) : top;

function mixRow({ planes, mixed, rows }: StripState, y: number): void {
  for (const [k, plane] of planes.entries())
    mixRows(plane, rows[y] as Taps, mixed[k] as Float32Array);
}

function solvePixel(state: StripState, pixel: number, { first: left, weights }: Taps): void {
  const { mixed, fromBands, colourBands, top, solution } = state;
  const from = pixel * fromBands;
  const to = pixel * (colourBands + 1);
  const [lowWeight = 1, highWeight = 0] = weights;
  const right = left + weights.length - 1;
  const at = (k: number) => {
    const row = mixed[k] as Float32Array;
    return lowWeight * (row[left] as number) + highWeight * (row[right] as number);
  };
  const first = solution.coefficients ? 4 : 1;
  let alpha = at(0);
  if (solution.coefficients) {
    const red = (state.from[from] as number) / top;
    const green = colourBands === 1 ? red : (state.from[from + 1] as number) / top;
    const blue = colourBands === 1 ? red : (state.from[from + 2] as number) / top;
    alpha = stretched(alpha * red + at(1) * green + at(2) * blue + at(3));
  }
  const back = 1 - alpha;
  const gain = alpha / (alpha * alpha + back * back);
  for (let band = 0; band < colourBands; band += 1) {
    const own = state.from[from + band] as number;
    const front = at(first + band);
    const behind = at(first + colourBands + band);
    const colour = front * top + gain * (own - (alpha * front + back * behind) * top);
    const decontaminated = own + (colour - own) * solution.decontamination;
    state.to[to + band] = alpha >= 1 ? own : Math.round(Math.min(Math.max(decontaminated, 0), top));
  }
  state.to[to + colourBands] = Math.round(alpha * ownAlpha(state, from));
}
