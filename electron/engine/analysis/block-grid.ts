/**
 * Finds the grid of JPEG's 8 x 8 blocks in a picture, and how strongly it shows: steps across block borders
 * are larger than elsewhere (Fan and de Queiroz 2003, "Identification of bitmap compression history").
 */
import { blockPx } from './block-transform.ts';
import type { SampleWindow } from './picture-sample.ts';

export interface BlockGrid {
  /** Column and row, 0-7, of the first block's first sample. */
  x: number;
  y: number;
  /** Relative excess of steps across block borders over other steps: 0 equal, 1 twice as large. */
  blockiness: number;
}

interface GridSums {
  columns: Float64Array;
  rows: Float64Array;
}

export const createGridSums = (): GridSums => ({
  columns: new Float64Array(2 * blockPx),
  rows: new Float64Array(2 * blockPx),
});

/** Larger steps, in levels, are edges of the picture and do not count. */
const maxStep = 24;

/**
 * Adds the steps of a window. A step is the jump between the middle two of four neighbours beyond the
 * adjacent slopes.
 */
export function addToGrid(sums: GridSums, window: SampleWindow): void {
  const { x, y, width, height } = window;
  for (let row = 1; row < height - 2; row += 1) {
    for (let column = 1; column < width - 2; column += 1) {
      const at = row * width + column;
      addStep(sums.columns, (x + column + 1) % blockPx, window, at, 1);
      addStep(sums.rows, (y + row + 1) % blockPx, window, at, width);
    }
  }
}

function addStep(
  into: Float64Array,
  phase: number,
  { luma, blind }: SampleWindow,
  at: number,
  by: number,
): void {
  if (blind[at] || blind[at + by]) return;
  const here = luma[at] as number;
  const next = luma[at + by] as number;
  const slopes = here - (luma[at - by] as number) + (luma[at + 2 * by] as number) - next;
  const step = Math.abs(next - here - slopes / 2);
  if (step > maxStep) return;
  into[phase] = (into[phase] as number) + step;
  into[blockPx + phase] = (into[blockPx + phase] as number) + 1;
}

/** Returns the most pronounced grid, whether or not there is one. */
export function gridOf({ columns, rows }: GridSums): BlockGrid {
  const across = strongestPhase(columns);
  const down = strongestPhase(rows);
  return { x: across.phase, y: down.phase, blockiness: (across.excess + down.excess) / 2 };
}

function strongestPhase(sums: Float64Array): { phase: number; excess: number } {
  const means = Array.from(
    { length: blockPx },
    (_, phase) => (sums[phase] as number) / Math.max(1, sums[blockPx + phase] as number),
  );
  const phase = means.indexOf(Math.max(...means));
  const others = means.reduce((sum, mean, i) => (i === phase ? sum : sum + mean), 0) / 7;
  return { phase, excess: others > 0 ? Math.max(0, (means[phase] as number) / others - 1) : 0 };
}
