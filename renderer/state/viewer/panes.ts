/** Decides which versions of a photo are compared side by side, and in how many columns. It is pure. */
import type { CompareMode } from '../../../packages/contract/src/settings/page.ts';
import type { PixelSize } from '../photo/photo.svelte.ts';

/**
 * Panes stand beside one another where that shows the picture at least this large against the largest there can be;
 * many are small enough as it is.
 */
const minBeside = { few: 0.6, many: 0.8 };
const maxFew = 3;

/** Chooses columns and rows for panes. `frame` is in CSS pixels; only the proportions of `picture` count. */
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
  const largest = (some: typeof arrangements) =>
    some.reduce((best, next) => (sizeIn(next) > sizeIn(best) ? next : best));
  const best = largest(arrangements);
  const inOneRow = arrangements.filter(({ rows }) => rows === 1);
  const besides = [inOneRow, arrangements.filter(({ columns, rows }) => columns >= rows)];
  const minSize = (count > maxFew ? minBeside.many : minBeside.few) * sizeIn(best);
  return besides.map(largest).find((some) => sizeIn(some) >= minSize) ?? best;
}

/** Returns how pictures are compared during a try: whole, without a line through them, and only one version. */
export const modeToTry = (mode: CompareMode): CompareMode => (mode === 'side' ? mode : 'result');

/** Max versions beside the source; more would be too small to be judged. */
const maxCompared = 5;

/**
 * Returns the versions to compare. `all` has the first version first; `chosen` are those that a person chose,
 * and without any the latest ones are compared. The shown version, which marks and Info mean, is always among them.
 */
export function comparedOf<T>(
  all: readonly T[],
  chosen: readonly unknown[] | undefined,
  shown?: T,
): readonly T[] {
  const wanted = all.filter((version) => chosen?.includes(version));
  const compared = wanted.length > 0 ? wanted : all.slice(-maxCompared);
  if (shown === undefined || !all.includes(shown) || compared.includes(shown)) return compared;
  const others = compared.slice(1 - maxCompared);
  return all.filter((version) => version === shown || others.includes(version));
}

/** The version to show once `hidden` is no longer compared: the next one, else the last. */
export function shownAfter<T>(all: readonly T[], compared: readonly T[], hidden: T): T | undefined {
  const later = all.slice(all.indexOf(hidden));
  return later.find((version) => compared.includes(version)) ?? compared.at(-1);
}

/** Adds a version or takes it away. Where no more fit, the earliest one goes, and one always stays. */
export function withToggled<T>(compared: readonly T[], version: T): readonly T[] {
  if (!compared.includes(version)) return [...compared, version].slice(-maxCompared);
  return compared.length === 1 ? compared : compared.filter((other) => other !== version);
}

interface MadeVersion {
  readonly record?: { readonly output?: PixelSize | undefined } | undefined;
}

const pixelsOf = ({ record }: MadeVersion) =>
  (record?.output?.width ?? 0) * (record?.output?.height ?? 0);

/** The version whose pixels the zoom counts, whichever is picked: the first of the largest. */
export const zoomedOf = <T extends MadeVersion>(compared: readonly T[]): T | undefined =>
  compared.toSorted((one, other) => pixelsOf(other) - pixelsOf(one))[0];

/** The first version of the same size, at whose place this one is shown: results of one size have one scale. */
export function sameSizeOf<T extends MadeVersion>(version: T, compared: readonly T[]): T {
  const { width, height } = version.record?.output ?? {};
  const isSame = ({ record }: T) =>
    record?.output?.width === width && record?.output?.height === height;
  return compared.find(isSame) ?? version;
}
