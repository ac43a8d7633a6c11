/**
 * The matting Laplacian of Levin, Lischinski and Weiss (2008) over windows of 3 x 3 pixels, matrix-free: a
 * product with it compares alpha with the best linear function of the colours in every window (He, Sun and
 * Tang 2010).
 */
import type { Colours } from '../../../raster/planes/plane.ts';
import { colourWindows, fitWindows, indicesOf, type ColourWindows } from './colour-windows.ts';

export interface MattingLaplacian {
  /** Indices of the unknown pixels, ascending. */
  pixels: Int32Array;
  /** The Laplacian's diagonal at each unknown pixel. */
  diagonal: Float32Array;
  /** Writes the Laplacian times `alpha` (a whole plane) at each unknown pixel to `product`. */
  apply: (alpha: Float32Array, product: Float32Array) => void;
  /** Returns four values for each unknown pixel: the mean coefficients of the windows over it. */
  linear: (alpha: Float32Array) => Float32Array;
}

export function mattingLaplacian(
  colours: Colours,
  unknown: Uint8Array,
  epsilon: number,
): MattingLaplacian {
  const windows = colourWindows(colours, unknown, epsilon);
  const pixels = indicesOf(unknown);
  const fits = new Float32Array(windows.centres.length * 4);
  return {
    pixels,
    diagonal: diagonalOf(windows, pixels),
    apply(alpha, product) {
      fitWindows(windows, alpha, fits);
      compare(windows, pixels, alpha, fits, product);
    },
    linear(alpha) {
      fitWindows(windows, alpha, fits);
      return meanFits(windows, pixels, fits);
    },
  };
}

/**
 * Sums for each unknown pixel the deviation of its alpha from the linear functions of the windows over it.
 */
function compare(
  { index, guide, width }: ColourWindows,
  pixels: Int32Array,
  alpha: Float32Array,
  fits: Float32Array,
  product: Float32Array,
): void {
  const sums = new Float64Array(3 * 5);
  for (let i = 0, before = -2; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    // The windows over a pixel to the right of the preceding one differ by one column only.
    if (at !== before + 1) {
      sumFits(index, fits, at, width, sums);
      sumFits(index, fits, at + 1, width, sums);
    }
    sumFits(index, fits, at + 2, width, sums);
    before = at;
    const count = (sums[0] as number) + (sums[5] as number) + (sums[10] as number);
    const red = (sums[1] as number) + (sums[6] as number) + (sums[11] as number);
    const green = (sums[2] as number) + (sums[7] as number) + (sums[12] as number);
    const blue = (sums[3] as number) + (sums[8] as number) + (sums[13] as number);
    const bias = (sums[4] as number) + (sums[9] as number) + (sums[14] as number);
    product[i] =
      count * (alpha[at] as number) -
      red * (guide[at * 3] as number) -
      green * (guide[at * 3 + 1] as number) -
      blue * (guide[at * 3 + 2] as number) -
      bias;
  }
}

/**
 * Counts the windows of a column of three, and sums their coefficients. Neighbouring columns use different
 * thirds of `sums`.
 */
function sumFits(
  index: Int32Array,
  fits: Float32Array,
  top: number,
  width: number,
  sums: Float64Array,
): void {
  let count = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  let bias = 0;
  for (let pixel = top; pixel <= top + 2 * width; pixel += width) {
    const k = (index[pixel] as number) * 4;
    if (k < 0) continue;
    count += 1;
    red += fits[k] as number;
    green += fits[k + 1] as number;
    blue += fits[k + 2] as number;
    bias += fits[k + 3] as number;
  }
  const to = (top % 3) * 5;
  sums[to] = count;
  sums[to + 1] = red;
  sums[to + 2] = green;
  sums[to + 3] = blue;
  sums[to + 4] = bias;
}

function diagonalOf(
  { index, statistics, guide, width }: ColourWindows,
  pixels: Int32Array,
): Float32Array {
  const diagonal = new Float32Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    for (let row = at; row <= at + 2 * width; row += width) {
      for (let pixel = row; pixel <= row + 2; pixel += 1) {
        const k = index[pixel] as number;
        if (k < 0) continue;
        const far = 1 + distance(statistics, k * 9, guide, at * 3);
        diagonal[i] = (diagonal[i] as number) + 1 - far / 9;
      }
    }
  }
  return diagonal;
}

/** Squared Mahalanobis distance of a colour from a window's mean. */
function distance(statistics: Float32Array, from: number, guide: Float32Array, at: number): number {
  const r = (guide[at] as number) - (statistics[from] as number);
  const g = (guide[at + 1] as number) - (statistics[from + 1] as number);
  const b = (guide[at + 2] as number) - (statistics[from + 2] as number);
  return (
    (statistics[from + 3] as number) * r * r +
    (statistics[from + 6] as number) * g * g +
    (statistics[from + 8] as number) * b * b +
    2 *
      ((statistics[from + 4] as number) * r * g +
        (statistics[from + 5] as number) * r * b +
        (statistics[from + 7] as number) * g * b)
  );
}

function meanFits(
  { index, width }: ColourWindows,
  pixels: Int32Array,
  fits: Float32Array,
): Float32Array {
  const mean = new Float32Array(pixels.length * 4);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    let count = 0;
    for (let row = at; row <= at + 2 * width; row += width) {
      for (let pixel = row; pixel <= row + 2; pixel += 1) {
        const k = index[pixel] as number;
        if (k < 0) continue;
        count += 1;
        for (let c = 0; c < 4; c += 1) {
          mean[i * 4 + c] = (mean[i * 4 + c] as number) + (fits[k * 4 + c] as number);
        }
      }
    }
    for (let c = 0; c < 4 && count > 0; c += 1) {
      mean[i * 4 + c] = (mean[i * 4 + c] as number) / count;
    }
  }
  return mean;
}
