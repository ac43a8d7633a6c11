/** One band of a reduced picture as floats, and what is done to whole bands. */

export interface Plane {
  width: number;
  height: number;
  data: Float32Array;
}

export const createPlane = (width: number, height: number): Plane => ({
  width,
  height,
  data: new Float32Array(width * height),
});

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
    const at = Math.min(Math.max(start + (i + 0.5) * step - 0.5, 0), size - 1);
    const low = Math.floor(at);
    taps.low[i] = low;
    taps.high[i] = Math.min(low + 1, size - 1);
    taps.share[i] = at - low;
  }
  return taps;
}

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
    const start = y * width;
    for (let x = 0; x < width; x += 1) {
      const low = row[xs.low[x] as number] as number;
      const high = row[xs.high[x] as number] as number;
      to.data[start + x] = low + (high - low) * (xs.share[x] as number);
    }
  }
  return to;
}

function mixRows(from: Plane, ys: Taps, y: number, row: Float32Array): void {
  const low = (ys.low[y] as number) * from.width;
  const high = (ys.high[y] as number) * from.width;
  const share = ys.share[y] as number;
  for (let x = 0; x < from.width; x += 1) {
    const above = from.data[low + x] as number;
    row[x] = above + ((from.data[high + x] as number) - above) * share;
  }
}

/** Half the size (rounded up) by averages of two by two; a lone last row or column stands for itself. */
export function halve(from: Plane): Plane {
  const to = createPlane(Math.ceil(from.width / 2), Math.ceil(from.height / 2));
  for (let y = 0; y < to.height; y += 1) {
    const upper = 2 * y * from.width;
    const lower = Math.min(2 * y + 1, from.height - 1) * from.width;
    for (let x = 0; x < to.width; x += 1) {
      const left = 2 * x;
      const right = Math.min(left + 1, from.width - 1);
      to.data[y * to.width + x] =
        ((from.data[upper + left] as number) +
          (from.data[upper + right] as number) +
          (from.data[lower + left] as number) +
          (from.data[lower + right] as number)) /
        4;
    }
  }
  return to;
}
