/** How pictures stand beside each other in a frame, so that each is as large as can be. Pure. */
import type { CompareMode } from '../../electron/contract/page.ts';
import type { PixelSize } from './photo.svelte.ts';

/** Columns and rows for so many panes. `frame` in CSS pixels; `picture`: its proportions. */
export function panesFor(
  count: number,
  frame: PixelSize,
  picture: PixelSize,
): { columns: number; rows: number } {
  const arrangements = Array.from({ length: Math.max(1, count) }, (_, i) => ({
    columns: i + 1,
    rows: Math.ceil(Math.max(1, count) / (i + 1)),
  }));
  const sizeIn = ({ columns, rows }: { columns: number; rows: number }) =>
    Math.min(frame.width / columns / picture.width, frame.height / rows / picture.height);
  return arrangements.reduce((best, next) => (sizeIn(next) > sizeIn(best) ? next : best));
}

/** A place is tried on whole pictures: without a line through it, and not on several versions at once. */
export const modeToTry = (mode: CompareMode): CompareMode => (mode === 'side' ? mode : 'result');
