/** Connected components of a mask, and what is done to a mask by them. Pure. */
import type { Plane } from './plane.ts';

interface Size {
  width: number;
  height: number;
}

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
 * A flood from some places over their neighbours, nearest first. `enters` is asked for each neighbour
 * of each place that is reached, and says whether the flood goes on there. Answers all places reached.
 */
export function flood(
  starts: Iterable<number>,
  size: Size,
  connectivity: Connectivity,
  enters: (next: number, from: number) => boolean,
): number[] {
  const reached = [...starts];
  for (const at of reached)
    eachNeighbour(at, size, connectivity, (next) => {
      if (enters(next, at)) reached.push(next);
    });
  return reached;
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
  /** The pixels of all components, one component after the other. */
  const reached = new Int32Array(labels.length);
  const components: Component[] = [];
  let end = 0;
  for (let start = 0; start < labels.length; start += 1) {
    if (labels[start] === 0 || seen[start] === 1) continue;
    const first = end;
    seen[start] = 1;
    reached[end] = start;
    end = reachedFrom({ reached, first, seen }, labels, size, connectivity);
    components.push({ pixels: reached.subarray(first, end), label: labels[start] as number });
  }
  return components;
}

interface Reached {
  reached: Int32Array;
  /** Where the component begins in them, with its first pixel. */
  first: number;
  seen: Uint8Array;
}

/** The same as `flood` does, in a list that is there already: answers where the component ends in it. */
function reachedFrom(
  { reached, first, seen }: Reached,
  labels: Uint8Array,
  size: Size,
  connectivity: Connectivity,
): number {
  const label = labels[reached[first] as number];
  let end = first + 1;
  const enter = (next: number) => {
    if (labels[next] !== label || seen[next] === 1) return;
    seen[next] = 1;
    reached[end] = next;
    end += 1;
  };
  for (let i = first; i < end; i += 1)
    eachNeighbour(reached[i] as number, size, connectivity, enter);
  return end;
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
