/** Finds connected components of a mask, and sets whole components to a value. This is pure. */
import type { Size } from '../../../contract/geometry.ts';
import type { Plane } from './plane.ts';

/** With 8, pixels that touch only at a corner are connected, too. */
type Connectivity = 4 | 8;

/** A mask's pixels from this value on count as the subject. */
export const subjectFrom = 0.5;

export interface Component {
  /** The pixels are indices into the mask's data. */
  pixels: Int32Array;
  /** All pixels of the component have this label. */
  label: number;
}

/**
 * Floods from the indices in a list over their neighbours, breadth first. `enters` is asked for each
 * neighbour of each index that is reached, and says whether the flood goes on there. Where it does, the
 * neighbour joins the list.
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

/** Visits the neighbours of a pixel row by row, without the pixel itself. */
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

/** Finds the components of the subject. Parts that touch, also at a corner only, are one component. */
export function subjectComponents(mask: Plane): Component[] {
  const labels = new Uint8Array(mask.data.length);
  for (let at = 0; at < labels.length; at += 1)
    if ((mask.data[at] as number) >= subjectFrom) labels[at] = 1;
  return componentsOf(labels, mask, 8);
}

/** Copies the mask with some of its components set to a value (an attribute filter). */
export function withComponentsAt(
  mask: Plane,
  components: readonly { pixels: Iterable<number> }[],
  value: number,
): Plane {
  const data = mask.data.slice();
  for (const { pixels } of components) for (const at of pixels) data[at] = value;
  return { ...mask, data };
}
