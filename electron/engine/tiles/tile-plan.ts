/**
 * Plans where the tiles of a pass lie. It is pure. The plan is the product of two lines of spans, one along
 * the width and one along the height; all lengths are input pixels.
 *
 * The cores of an exact network cover the picture once, side by side. Where tiles only come near the whole,
 * neighbouring cores share `overlapPx`, and the shared pixels are blended.
 */
import type { Size } from '../../contract/geometry.ts';
import type { NetworkDescriptor } from '../../contract/models/model.ts';

export interface Span {
  /** The core is the part that is kept. It lies inside the picture. */
  start: number;
  length: number;
  /** The span before covers this many pixels at the core's start, too. */
  shared: number;
  /** The window, which the network is given, starts here; it may start outside the picture. */
  windowStart: number;
}

export interface TilePlan {
  columns: Span[];
  rows: Span[];
  /** Every window has this size. */
  windowWidth: number;
  windowHeight: number;
  overlapPx: number;
  /** This is the number of pixels given to the network over the number of pixels of the picture. */
  computedPerCore: number;
}

type TileNeeds = Pick<NetworkDescriptor, 'marginPx' | 'multiple' | 'minSizePx' | 'tileExact'>;

const ceilTo = (value: number, multiple: number) => Math.ceil(value / multiple) * multiple;

/** Answers the longest core of a tile of `tilePx` a side. */
function coreOf(needs: TileNeeds, tilePx: number): number {
  return Math.floor((tilePx - 2 * marginOf(needs)) / needs.multiple) * needs.multiple;
}

/** Rounds the margin up so that every window starts at the same phase of the network's multiple. */
const marginOf = (needs: TileNeeds) => ceilTo(needs.marginPx, needs.multiple);

/** Answers how many pixels the cores of an inexact network share: about a fifth of a core. */
function overlapOf(needs: TileNeeds, tilePx: number): number {
  return needs.tileExact ? 0 : ceilTo(coreOf(needs, tilePx) / 5, needs.multiple);
}

/** Answers the side of the smallest tile that leaves a core worth its margin. */
export function smallestTilePx(needs: TileNeeds): number {
  const core = Math.max(16, 3 * needs.multiple, needs.minSizePx - 2 * marginOf(needs));
  return 2 * marginOf(needs) + ceilTo(core, needs.multiple);
}

/**
 * Plans tiles of at most `tilePx` a side, or of the smallest tile's side where that is more. All
 * tiles have one size, and the cores are as equal as the network's multiple allows, so that no
 * pixel is computed needlessly.
 */
export function planTiles(picture: Size, needs: TileNeeds, tilePx: number): TilePlan {
  const tile = Math.max(tilePx, smallestTilePx(needs));
  const overlapPx = overlapOf(needs, tile);
  const columns = planLine(picture.width, needs, tile, overlapPx);
  const rows = planLine(picture.height, needs, tile, overlapPx);
  const computed = columns.spans.length * rows.spans.length * columns.window * rows.window;
  const plan: TilePlan = {
    columns: columns.spans,
    rows: rows.spans,
    windowWidth: columns.window,
    windowHeight: rows.window,
    overlapPx,
    computedPerCore: computed / (picture.width * picture.height),
  };
  assertPlan(plan, picture, needs);
  return plan;
}

function planLine(size: number, needs: TileNeeds, tile: number, overlap: number) {
  const margin = marginOf(needs);
  const longest = coreOf(needs, tile);
  const count = size <= longest ? 1 : Math.ceil((size - overlap) / (longest - overlap));
  const length = ceilTo((size - overlap) / count + overlap, needs.multiple);
  const spans: Span[] = [];
  for (let start = 0, covered = 0; covered < size; start += length - overlap) {
    const end = Math.min(start + length, size);
    spans.push({
      start,
      length: end - start,
      shared: covered - start,
      windowStart: start - margin,
    });
    covered = end;
  }
  return { spans, window: ceilTo(Math.max(length + 2 * margin, needs.minSizePx), needs.multiple) };
}

/** Throws when a plan breaks an invariant that passes rely on. */
function assertPlan(plan: TilePlan, picture: Size, needs: TileNeeds): void {
  assertLine(plan.columns, plan.windowWidth, picture.width, plan, needs);
  assertLine(plan.rows, plan.windowHeight, picture.height, plan, needs);
}

function assertLine(
  spans: Span[],
  window: number,
  size: number,
  plan: TilePlan,
  needs: TileNeeds,
): void {
  let covered = 0;
  for (const [i, span] of spans.entries()) {
    const after = window - (span.start - span.windowStart) - span.length;
    const holds =
      span.start + span.shared === covered &&
      span.shared <= plan.overlapPx &&
      (i === 0 ? span.shared === 0 : span.shared === plan.overlapPx) &&
      span.length > span.shared &&
      span.start % needs.multiple === 0 &&
      span.start - span.windowStart >= needs.marginPx &&
      after >= needs.marginPx;
    if (!holds)
      throw new Error(`Tile ${i} of ${spans.length} breaks the plan: ${JSON.stringify(span)}`);
    covered = span.start + span.length;
  }
  if (covered !== size) throw new Error(`Tiles cover ${covered} of ${size} pixels`);
  if (window % needs.multiple !== 0 || window < needs.minSizePx) {
    throw new Error(`A tile of ${window} pixels does not suit the network`);
  }
}
