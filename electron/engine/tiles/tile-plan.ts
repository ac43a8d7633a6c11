/**
 * Plans the tiles of a pass. Pure. The plan is the product of two lists of spans, along the width and along
 * the height; all lengths are input pixels.
 *
 * Cores of a tile-exact network cover the picture once, side by side. Otherwise neighbouring cores share
 * `overlapPx`, and the shared pixels are blended.
 */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type { NetworkDescriptor } from '../../../packages/contract/src/models/model.ts';

export interface TileSpan {
  /** The core: the part of a tile's output that is used. It lies inside the picture. */
  start: number;
  length: number;
  /** Pixels at the start of the core that the preceding span covers, too. */
  shared: number;
  /** Start of the window, the network's input. It may lie outside the picture. */
  windowStart: number;
}

export interface TilePlan {
  columns: TileSpan[];
  rows: TileSpan[];
  /** Size of every window. */
  windowWidth: number;
  windowHeight: number;
  overlapPx: number;
  /** Pixels given to the network divided by pixels of the picture. */
  computedPerCore: number;
}

type TileConstraints = Pick<NetworkDescriptor, 'marginPx' | 'multiple' | 'minSizePx' | 'tileExact'>;

const ceilTo = (value: number, multiple: number) => Math.ceil(value / multiple) * multiple;

/** Returns the longest core of a tile of `tilePx` a side. */
function maxCorePx(constraints: TileConstraints, tilePx: number): number {
  return (
    Math.floor((tilePx - 2 * marginOf(constraints)) / constraints.multiple) * constraints.multiple
  );
}

/** Rounds the margin up so that every window starts at the same phase of the network's multiple. */
const marginOf = (constraints: TileConstraints) =>
  ceilTo(constraints.marginPx, constraints.multiple);

/** Returns the overlap of cores: 0 for a tile-exact network, else about a fifth of a core. */
function overlapOf(constraints: TileConstraints, tilePx: number): number {
  return constraints.tileExact
    ? 0
    : ceilTo(maxCorePx(constraints, tilePx) / 5, constraints.multiple);
}

/** Returns the side of the smallest tile whose core is worth its margin. */
export function smallestTilePx(constraints: TileConstraints): number {
  const core = Math.max(
    16,
    3 * constraints.multiple,
    constraints.minSizePx - 2 * marginOf(constraints),
  );
  return 2 * marginOf(constraints) + ceilTo(core, constraints.multiple);
}

/**
 * Plans tiles of at most `tilePx` a side, or of `smallestTilePx` where that is more. All tiles have one size,
 * and the cores are as equal as the network's multiple allows, so that no pixel is computed needlessly.
 *
 * @param heightPx limit of a tile's height where it may be taller than `tilePx`
 */
export function planTiles(
  picture: Size,
  constraints: TileConstraints,
  tilePx: number,
  heightPx = tilePx,
): TilePlan {
  const tile = Math.max(tilePx, smallestTilePx(constraints));
  const overlapPx = overlapOf(constraints, tile);
  const columns = planLine(picture.width, constraints, tile, overlapPx);
  const rows = planLine(picture.height, constraints, Math.max(tile, heightPx), overlapPx);
  const computed = columns.spans.length * rows.spans.length * columns.window * rows.window;
  const plan: TilePlan = {
    columns: columns.spans,
    rows: rows.spans,
    windowWidth: columns.window,
    windowHeight: rows.window,
    overlapPx,
    computedPerCore: computed / (picture.width * picture.height),
  };
  assertPlan(plan, picture, constraints);
  return plan;
}

function planLine(size: number, constraints: TileConstraints, tile: number, overlap: number) {
  const margin = marginOf(constraints);
  const longest = maxCorePx(constraints, tile);
  const count = size <= longest ? 1 : Math.ceil((size - overlap) / (longest - overlap));
  const length = ceilTo((size - overlap) / count + overlap, constraints.multiple);
  const spans: TileSpan[] = [];
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
  return {
    spans,
    window: ceilTo(Math.max(length + 2 * margin, constraints.minSizePx), constraints.multiple),
  };
}

/** @throws if the plan breaks an invariant on which passes rely */
function assertPlan(plan: TilePlan, picture: Size, constraints: TileConstraints): void {
  assertLine(plan.columns, plan.windowWidth, picture.width, plan, constraints);
  assertLine(plan.rows, plan.windowHeight, picture.height, plan, constraints);
}

function assertLine(
  spans: TileSpan[],
  window: number,
  size: number,
  plan: TilePlan,
  constraints: TileConstraints,
): void {
  let covered = 0;
  for (const [i, span] of spans.entries()) {
    const after = window - (span.start - span.windowStart) - span.length;
    const holds =
      span.start + span.shared === covered &&
      span.shared <= plan.overlapPx &&
      (i === 0 ? span.shared === 0 : span.shared === plan.overlapPx) &&
      span.length > span.shared &&
      span.start % constraints.multiple === 0 &&
      span.start - span.windowStart >= constraints.marginPx &&
      after >= constraints.marginPx;
    if (!holds)
      throw new Error(`Tile ${i} of ${spans.length} breaks the plan: ${JSON.stringify(span)}`);
    covered = span.start + span.length;
  }
  if (covered !== size) throw new Error(`Tiles cover ${covered} of ${size} pixels`);
  if (window % constraints.multiple !== 0 || window < constraints.minSizePx) {
    throw new Error(`A tile of ${window} pixels does not suit the network`);
  }
}
