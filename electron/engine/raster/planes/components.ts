/** Connected components of a mask, and what is done to a mask by them. Pure. */
import type { Size } from '../../../contract/geometry.ts';
import type { Plane } from './plane.ts';

/** Whether pixels that touch only at a corner hang together. */
type Connectivity = 4 | 8;

/** Pixels from here on count as the subject's. */
export const subjectFrom = 0.5;

export interface Component {
  /** Places in the mask's data. */
  pixels: Int32Array;
  /** Of all its pixels. */
  label: number;
}

/**
 * A flood from the places in a list over their neighbours, nearest first. `enters` is asked for each neighbour
 * of each place that is reached, and says whether the flood goes on there; where it does, the list grows.
 */
export function flood(
  reached: number[],
  size: Size,
  connectivity: Connectivity,
  enters: (next: number, from: number) => boolean,
): void {
  for (const at of reached)
    eachNeighbour(at, size, connectivity, (next) => {
      if (enters(next, at)) reached.push(next);
    });
}

/** Row by row, without the place itself. */
function eachNeighbour(
  at: number,
  { width, height }: Size,
  connectivity: Connectivity,
  visit: (next: number) => void,
): void {
  const column = at % width;
  const row = (at - column) / width;
  const lastRow = Math.min(row + 1, height - 1);
  const lastColumn = Math.min(column + 1, width - 1);
  for (let y = Math.max(0, row - 1); y <= lastRow; y += 1)
    for (let x = Math.max(0, column - 1); x <= lastColumn; x += 1) {
      if (x === column && y === row) continue;
      if (connectivity === 4 && x !== column && y !== row) continue;
      visit(y * width + x);
    }
}

/** What hangs together of each label, in the order of their first pixels; label 0 is nothing. */
export function componentsOf(
  labels: Uint8Array,
  size: Size,
  connectivity: Connectivity,
): Component[] {
  const seen = new Uint8Array(labels.length);
  const components: Component[] = [];
  for (let start = 0; start < labels.length; start += 1) {
    const label = labels[start] as number;
    if (label === 0 || seen[start] === 1) continue;
    seen[start] = 1;
    const reached = [start];
    flood(reached, size, connectivity, (next) => {
      if (labels[next] !== label || seen[next] === 1) return false;
      seen[next] = 1;
      return true;
    });
    components.push({ pixels: Int32Array.from(reached), label });
  }
  return components;
}

/** The components of the subject; those that touch, also at a corner, are one. */
export function subjectComponents(mask: Plane): Component[] {
  const labels = new Uint8Array(mask.data.length);
  for (let at = 0; at < labels.length; at += 1)
    if ((mask.data[at] as number) >= subjectFrom) labels[at] = 1;
  return componentsOf(labels, mask, 8);
}

/** An attribute filter: the mask with some of its components set to a value. The given one is not changed. */
export function withComponentsAt(
  mask: Plane,
  components: readonly { pixels: Iterable<number> }[],
  value: number,
): Plane {
  const data = mask.data.slice();
  for (const { pixels } of components) for (const at of pixels) data[at] = value;
  return { ...mask, data };
}
