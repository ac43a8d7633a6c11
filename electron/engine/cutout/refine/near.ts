/** The least and the greatest value within some pixels of each one, in both directions. */
import { createPlane, type Plane } from './plane.ts';

export interface ValueSpan {
  least: Plane;
  most: Plane;
}

export function spanOf(from: Plane, reachPx: number): ValueSpan {
  return { least: extremeOf(from, reachPx, Math.min), most: extremeOf(from, reachPx, Math.max) };
}

function extremeOf(from: Plane, reachPx: number, pick: (a: number, b: number) => number): Plane {
  const { width, height } = from;
  const across = createPlane(width, height);
  const both = createPlane(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let found = from.data[y * width + x] as number;
      const last = Math.min(x + reachPx, width - 1);
      for (let u = Math.max(x - reachPx, 0); u <= last; u += 1) {
        found = pick(found, from.data[y * width + u] as number);
      }
      across.data[y * width + x] = found;
    }
  }
  for (let y = 0; y < height; y += 1) {
    const last = Math.min(y + reachPx, height - 1);
    for (let x = 0; x < width; x += 1) {
      let found = across.data[y * width + x] as number;
      for (let v = Math.max(y - reachPx, 0); v <= last; v += 1) {
        found = pick(found, across.data[v * width + x] as number);
      }
      both.data[y * width + x] = found;
    }
  }
  return both;
}
