/** The least and the greatest value within some pixels of each one, in both directions. */
import { createPlane, type Plane } from './plane.ts';

export interface ValueSpan {
  least: Plane;
  most: Plane;
}

export function spanOf(from: Plane, reachPx: number): ValueSpan {
  const { width, height } = from;
  const across = { least: createPlane(width, height), most: createPlane(width, height) };
  const both = { least: createPlane(width, height), most: createPlane(width, height) };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const row = y * width;
      const last = row + Math.min(x + reachPx, width - 1);
      widen(from, from, across, row + x, row + Math.max(x - reachPx, 0), last, 1);
    }
  for (let y = 0; y < height; y += 1) {
    const first = Math.max(y - reachPx, 0) * width;
    const last = Math.min(y + reachPx, height - 1) * width;
    for (let x = 0; x < width; x += 1)
      widen(across.least, across.most, both, y * width + x, first + x, last + x, width);
  }
  return both;
}

/** Writes the least of `low` and the greatest of `high` among the places from `first` to `last`. */
function widen(
  low: Plane,
  high: Plane,
  to: ValueSpan,
  at: number,
  first: number,
  last: number,
  step: number,
): void {
  let least = low.data[first] as number;
  let most = high.data[first] as number;
  for (let place = first + step; place <= last; place += step) {
    const [down, up] = [low.data[place] as number, high.data[place] as number];
    if (down < least) least = down;
    if (up > most) most = up;
  }
  to.least.data[at] = least;
  to.most.data[at] = most;
}
