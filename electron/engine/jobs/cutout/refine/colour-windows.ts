/**
 * Windows of 3 x 3 pixels that touch the unknown band, and for each the least-squares linear function from
 * its colours to alpha (the step of the guided filter; He, Sun and Tang 2013).
 */
import type { Colours } from '../../../raster/planes/plane.ts';

export interface ColourWindows {
  /** Indices of the windows' centre pixels, ascending. */
  centres: Int32Array;
  /**
   * Maps each pixel to the window around it, or to -1. Indices are shifted by one row and one pixel, so that
   * the neighbours of a border pixel have entries as well.
   */
  index: Int32Array;
  /**
   * Nine values per window: the means of red, green, blue, and the inverse covariance's rr, rg, rb, gg, gb,
   * bb.
   */
  statistics: Float32Array;
  /** Interleaved RGB. */
  guide: Float32Array;
  width: number;
}

/**
 * Finds the windows that touch the unknown band, and their statistics.
 *
 * @param epsilon colour variance below which a window counts as flat
 */
export function colourWindows(
  colours: Colours,
  unknown: Uint8Array,
  epsilon: number,
): ColourWindows {
  const { width, height } = colours[0];
  const touched = touchedBy(unknown, width, height);
  const guide = interleaved(colours);
  const centres = indicesOf(touched);
  const index = new Int32Array(width * height + 2 * (width + 1)).fill(-1);
  const statistics = new Float32Array(centres.length * 9);
  for (let k = 0; k < centres.length; k += 1) {
    const centre = centres[k] as number;
    index[centre + width + 1] = k;
    windowStatistics(guide, centre, width, epsilon, statistics, k * 9);
  }
  return { centres, index, statistics, guide, width };
}

/** Indices of the ones, ascending. */
export function indicesOf(marks: Uint8Array): Int32Array {
  let count = 0;
  for (const mark of marks) count += mark;
  const list = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < marks.length; i += 1) {
    if (marks[i] !== 1) continue;
    list[at] = i;
    at += 1;
  }
  return list;
}

/** Marks the inner pixels that are unknown or next to an unknown pixel. */
function touchedBy(unknown: Uint8Array, width: number, height: number): Uint8Array {
  const touched = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (unknown[y * width + x] === 0) continue;
      const last = Math.min(x + 1, width - 2);
      for (let v = Math.max(y - 1, 1); v <= Math.min(y + 1, height - 2); v += 1) {
        for (let u = Math.max(x - 1, 1); u <= last; u += 1) touched[v * width + u] = 1;
      }
    }
  }
  return touched;
}

function interleaved([red, green, blue]: Colours): Float32Array {
  const guide = new Float32Array(red.data.length * 3);
  for (let i = 0; i < red.data.length; i += 1) {
    guide[i * 3] = red.data[i] as number;
    guide[i * 3 + 1] = green.data[i] as number;
    guide[i * 3 + 2] = blue.data[i] as number;
  }
  return guide;
}

function windowStatistics(
  guide: Float32Array,
  centre: number,
  width: number,
  epsilon: number,
  statistics: Float32Array,
  to: number,
): void {
  let r = 0;
  let g = 0;
  let b = 0;
  let rr = 0;
  let rg = 0;
  let rb = 0;
  let gg = 0;
  let gb = 0;
  let bb = 0;
  for (let row = centre - width; row <= centre + width; row += width) {
    for (let at = (row - 1) * 3; at < (row + 2) * 3; at += 3) {
      const red = guide[at] as number;
      const green = guide[at + 1] as number;
      const blue = guide[at + 2] as number;
      r += red / 9;
      g += green / 9;
      b += blue / 9;
      rr += (red * red) / 9;
      rg += (red * green) / 9;
      rb += (red * blue) / 9;
      gg += (green * green) / 9;
      gb += (green * blue) / 9;
      bb += (blue * blue) / 9;
    }
  }
  statistics[to] = r;
  statistics[to + 1] = g;
  statistics[to + 2] = b;
  invert(
    rr - r * r,
    rg - r * g,
    rb - r * b,
    gg - g * g,
    gb - g * b,
    bb - b * b,
    epsilon,
    statistics,
    to,
  );
}

/** Inverts a symmetric 3 x 3 matrix plus `epsilon` on its diagonal, by the adjugate. */
function invert(
  rr: number,
  rg: number,
  rb: number,
  gg: number,
  gb: number,
  bb: number,
  epsilon: number,
  statistics: Float32Array,
  to: number,
): void {
  const r = rr + epsilon;
  const g = gg + epsilon;
  const b = bb + epsilon;
  const first = g * b - gb * gb;
  const second = gb * rb - rg * b;
  const third = rg * gb - g * rb;
  const scale = 1 / (r * first + rg * second + rb * third);
  statistics[to + 3] = first * scale;
  statistics[to + 4] = second * scale;
  statistics[to + 5] = third * scale;
  statistics[to + 6] = (r * b - rb * rb) * scale;
  statistics[to + 7] = (rb * rg - r * gb) * scale;
  statistics[to + 8] = (r * g - rg * rg) * scale;
}

/** Fits each window and writes its four coefficients: alpha ~ red * R + green * G + blue * B + bias. */
export function fitWindows(windows: ColourWindows, alpha: Float32Array, fits: Float32Array): void {
  const { centres, statistics, guide, width } = windows;
  const sums = new Float64Array(3 * 4);
  for (let k = 0, before = -2; k < centres.length; k += 1) {
    const centre = centres[k] as number;
    // A window to the right of the preceding one shares two columns with it, whose sums are still valid.
    if (centre !== before + 1) {
      sumColumn(alpha, guide, centre - 1, width, sums);
      sumColumn(alpha, guide, centre, width, sums);
    }
    sumColumn(alpha, guide, centre + 1, width, sums);
    before = centre;
    const p = (sums[0] as number) + (sums[4] as number) + (sums[8] as number);
    const r = (sums[1] as number) + (sums[5] as number) + (sums[9] as number);
    const g = (sums[2] as number) + (sums[6] as number) + (sums[10] as number);
    const b = (sums[3] as number) + (sums[7] as number) + (sums[11] as number);
    solveWindow(statistics, k * 9, p / 9, r / 9, g / 9, b / 9, fits, k * 4);
  }
}

/**
 * Sums alpha, and alpha times red, green and blue, over a column of three pixels. Neighbouring columns use
 * different thirds of `sums`.
 */
function sumColumn(
  alpha: Float32Array,
  guide: Float32Array,
  middle: number,
  width: number,
  sums: Float64Array,
): void {
  const above = alpha[middle - width] as number;
  const own = alpha[middle] as number;
  const below = alpha[middle + width] as number;
  const first = (middle - width) * 3;
  const second = middle * 3;
  const third = (middle + width) * 3;
  const to = (middle % 3) * 4;
  sums[to] = above + own + below;
  sums[to + 1] =
    above * (guide[first] as number) +
    own * (guide[second] as number) +
    below * (guide[third] as number);
  sums[to + 2] =
    above * (guide[first + 1] as number) +
    own * (guide[second + 1] as number) +
    below * (guide[third + 1] as number);
  sums[to + 3] =
    above * (guide[first + 2] as number) +
    own * (guide[second + 2] as number) +
    below * (guide[third + 2] as number);
}

function solveWindow(
  statistics: Float32Array,
  from: number,
  mean: number,
  withRed: number,
  withGreen: number,
  withBlue: number,
  fits: Float32Array,
  to: number,
): void {
  const meanRed = statistics[from] as number;
  const meanGreen = statistics[from + 1] as number;
  const meanBlue = statistics[from + 2] as number;
  const r = withRed - meanRed * mean;
  const g = withGreen - meanGreen * mean;
  const b = withBlue - meanBlue * mean;
  const rg = statistics[from + 4] as number;
  const rb = statistics[from + 5] as number;
  const gb = statistics[from + 7] as number;
  const red = (statistics[from + 3] as number) * r + rg * g + rb * b;
  const green = rg * r + (statistics[from + 6] as number) * g + gb * b;
  const blue = rb * r + gb * g + (statistics[from + 8] as number) * b;
  fits[to] = red;
  fits[to + 1] = green;
  fits[to + 2] = blue;
  fits[to + 3] = mean - red * meanRed - green * meanGreen - blue * meanBlue;
}
