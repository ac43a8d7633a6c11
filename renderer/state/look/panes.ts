/** What stands beside each other to be compared: which versions of a photo, and in how many columns. Pure. */
import type { CompareMode } from '../../../electron/contract/page.ts';
import type { PixelSize } from '../queue/photo.svelte.ts';

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

/** Beside the source; more are too small to be judged. */
const mostCompared = 5;

/** `all`: the first one first. `chosen`: by a person; undefined: the latest ones. */
export function comparedOf<T>(
  all: readonly T[],
  chosen: readonly unknown[] | undefined,
): readonly T[] {
  const wanted = all.filter((version) => chosen?.includes(version));
  return wanted.length > 0 ? wanted : all.slice(-mostCompared);
}

/** One more or one less of them; where no more fit, the earliest goes. One always stays. */
export function withToggled<T>(compared: readonly T[], version: T): readonly T[] {
  if (!compared.includes(version)) return [...compared, version].slice(-mostCompared);
  return compared.length === 1 ? compared : compared.filter((other) => other !== version);
}
