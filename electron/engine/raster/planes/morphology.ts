/**
 * Greyscale morphology with a square structuring element of 2 x radius + 1 pixels a side. Pixels outside a
 * plane do not count. Pure.
 */
import { createPlane, type Plane } from './plane.ts';

/** Minimum around each pixel. */
export const erosion = (plane: Plane, radiusPx: number): Plane => extremes(plane, radiusPx, -1);

/** Maximum around each pixel. */
export const dilation = (plane: Plane, radiusPx: number): Plane => extremes(plane, radiusPx, 1);

/** Removes bright parts narrower than the square. */
export const opening = (plane: Plane, radiusPx: number): Plane =>
  dilation(erosion(plane, radiusPx), radiusPx);

/** Fills dark parts narrower than the square. */
export const closing = (plane: Plane, radiusPx: number): Plane =>
  erosion(dilation(plane, radiusPx), radiusPx);

/** Extremes along rows, then columns: a square is separable. */
function extremes(from: Plane, radiusPx: number, side: 1 | -1): Plane {
  const { width, height } = from;
  const across = createPlane(width, height);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const last = row + Math.min(x + radiusPx, width - 1);
      const first = row + Math.max(x - radiusPx, 0);
      across.data[row + x] = extremeOf(from.data, first, last, 1, side);
    }
  }
  const both = createPlane(width, height);
  for (let y = 0; y < height; y += 1) {
    const first = Math.max(y - radiusPx, 0) * width;
    const last = Math.min(y + radiusPx, height - 1) * width;
    for (let x = 0; x < width; x += 1)
      both.data[y * width + x] = extremeOf(across.data, first + x, last + x, width, side);
  }
  return both;
}

/** Maximum (or, with side -1, minimum) from `first` to `last`, both included. */
function extremeOf(
  data: Float32Array,
  first: number,
  last: number,
  step: number,
  side: 1 | -1,
): number {
  let extreme = data[first] as number;
  for (let index = first + step; index <= last; index += step) {
    const value = data[index] as number;
    if (side * (value - extreme) > 0) extreme = value;
  }
  return extreme;
}
