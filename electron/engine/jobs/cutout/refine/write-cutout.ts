/**
 * Applies the solution on the working copy to the full picture, strip by strip. Each output pixel depends
 * only on its own colour and on the working copy, so strips have no seams.
 */
import type { Plane } from '../../../raster/planes/plane.ts';
import { mixRows, tapsOf, type Taps } from '../../../raster/planes/resample.ts';
import { colourBands, type Raster, type Samples } from '../../../raster/raster-file.ts';
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
  const yieldTurn = createYield(options.signal);
  await mapStrips(source, { path: outputPath, shape }, options, async (from, to) => {
    const state = { ...prepared, from: from.samples, to: to.samples };
    for (let row = 0; row < from.rows; row += 1) {
      writeRow(state, from.y + row, row);
      if ((row + 1) % rowsPerTurn === 0) await yieldTurn();
    }
  });
}

interface StripState {
  from: Samples;
  to: Samples;
  width: number;
  fromBands: number;
  colourBands: number;
  top: number;
  columns: Taps[];
  rows: Taps[];
  solution: Solution;
  /** Alpha or the four coefficients, then foreground and background. */
  planes: Plane[];
  /** The planes, each interpolated to the current row. */
  mixed: Float32Array[];
}

function prepareStrips(
  source: Raster,
  colourBands: number,
  solution: Solution,
): Omit<StripState, 'from' | 'to'> {
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
  return {
    width,
    fromBands: bands,
    colourBands,
    top: 2 ** bits - 1,
    columns: tapsOf(width, alpha.width, 1 / factor),
    rows: tapsOf(height, alpha.height, 1 / factor),
    solution,
    planes,
    mixed: planes.map(() => new Float32Array(alpha.width)),
  };
}

/**
 * Writes a row in runs of pixels between the same four working pixels. If all four are known and equal, the
 * run is copied.
 */
function writeRow(state: StripState, y: number, row: number): void {
  const { width, columns, solution } = state;
  const { unknown, sure } = solution.trimap;
  const { first, weights } = state.rows[y] as Taps;
  const above = first * solution.alpha.width;
  const below = above + (weights.length - 1) * solution.alpha.width;
  let isMixed = false;
  for (let x = 0, end = 0; x < width; x = end) {
    const { first: left, weights: across } = columns[x] as Taps;
    end = x + 1;
    while (end < width && (columns[end] as Taps).first === left) end += 1;
    const right = left + across.length - 1;
    const value = sure.data[above + left] as number;
    const isKnown =
      unknown[above + left] === 0 &&
      unknown[above + right] === 0 &&
      unknown[below + left] === 0 &&
      unknown[below + right] === 0 &&
      sure.data[above + right] === value &&
      sure.data[below + left] === value &&
      sure.data[below + right] === value;
    const start = row * width;
    if (isKnown) {
      copyPixels(state, start + x, start + end, value);
      continue;
    }
    if (!isMixed) mixRow(state, y);
    isMixed = true;
    for (let at = x; at < end; at += 1) solvePixel(state, start + at, columns[at] as Taps);
  }
}

function copyPixels(state: StripState, start: number, end: number, alpha: number): void {
  const { from, to, fromBands, colourBands, top } = state;
  const ownAlphaAt = fromBands > colourBands ? colourBands : -1;
  for (let pixel = start; pixel < end; pixel += 1) {
    const own = pixel * fromBands;
    const cut = pixel * (colourBands + 1);
    for (let band = 0; band < colourBands; band += 1) to[cut + band] = from[own + band] as number;
    to[cut + colourBands] = alpha * (ownAlphaAt < 0 ? top : (from[own + ownAlphaAt] as number));
  }
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
