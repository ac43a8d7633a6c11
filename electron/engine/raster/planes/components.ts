/** Connected components of masks. Pure. */
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { Plane } from './plane.ts';

/** With 8, pixels that touch only at a corner are connected as well. */
type Connectivity = 4 | 8;

/** Mask value from which a pixel counts as subject. */
export const minSubject = 0.5;

export interface Component {
  /** Indices into the mask's data. */
  pixels: Int32Array;
  /** The common label of the pixels. */
  label: number;
}

/**
 * Breadth-first flood fill from the indices in a list. `enters` decides for each neighbour of each reached
 * index whether it joins the list.
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

/** Visits the neighbours of a pixel, row by row. */
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

/** Finds the connected pixels of each label, in the order of their first pixels. Label 0 is background. */
export function componentsOf(
  labels: Uint8Array,
  size: Size,
  connectivity: Connectivity,
): Component[] {
  const visited = new Uint8Array(labels.length);
  const components: Component[] = [];
  // All components one after the other, each in the order in which it was reached.
  const reached = new Int32Array(labels.length);
  let end = 0;
  let label = 0;
  const reach = (next: number): void => {
    if (labels[next] !== label || visited[next] === 1) return;
    visited[next] = 1;
    reached[end] = next;
    end += 1;
  };
  for (let start = 0; start < labels.length; start += 1) {
    label = labels[start] as number;
    if (label === 0 || visited[start] === 1) continue;
    const begin = end;
    reach(start);
    for (let at = begin; at < end; at += 1)
      eachNeighbour(reached[at] as number, size, connectivity, reach);
    components.push({ pixels: reached.subarray(begin, end), label });
  }
  return components;
}

/** Finds the 8-connected components of the subject. */
export function subjectComponents(mask: Plane): Component[] {
  const labels = new Uint8Array(mask.data.length);
  for (let at = 0; at < labels.length; at += 1)
    if ((mask.data[at] as number) >= minSubject) labels[at] = 1;
  return componentsOf(labels, mask, 8);
}

/** Returns the mask with some of its components set to a value (an attribute filter). */
export function withComponentsAt(
  mask: Plane,
  components: readonly { pixels: Iterable<number> }[],
  value: number,
): Plane {
  const data = mask.data.slice();
  for (const { pixels } of components) for (const at of pixels) data[at] = value;
  return { ...mask, data };
}
