/** Finds the tile size at which a network computes the most core pixels a second, so that margins count. */
import type { NetworkFile } from '../../protocol/messages.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { stepRows } from '../sessions/carried-session.ts';
import type { Session } from '../sessions/session.ts';

export interface TileSpeed {
  tilePx: number;
  /** Millions of core pixels of the input in a second. */
  megapixelsPerSecond: number;
  /** It tells how many tiles one call takes, where several are faster; absent: it takes one. */
  batch?: number;
}

/** The time that is spent on measuring; sizes that do not fit in it are left out. */
const budgetMs = 2000;

const cpuSizes = [256, 320, 192, 384, 160];
/** Sizes for a network that computes tiles in steps, so that its layers stay in the processor's cache. */
const sizesInSteps = [640, 512];
/** The answer to a tile in steps may take this much memory. */
const mostAnswerBytes = 52e6;
/** The smallest size comes first, so that a slow device does not spend the whole budget on one run. */
const gpuSizes = [256, 512, 768, 1024];
/**
 * A network that is not tile-exact gets larger tiles, because a tile's content changes all of its answer. A
 * large network, such as one with attention, does not: each tile takes seconds and gigabytes, and a person
 * waits for the first one.
 */
const inexactSizes = [
  { fromWeights: 5e6, sizes: [192, 128, 256] },
  { fromWeights: 1.5e6, sizes: [256, 192, 384] },
  { fromWeights: 0, sizes: [512, 384, 640] },
];

const weightsOf = ({ variants }: NetworkFile) =>
  (variants.find(({ precision }) => precision === 'fp32')?.sizeBytes ?? 0) / 4;

const inexactSizesOf = (network: NetworkFile): number[] =>
  inexactSizes.find(({ fromWeights }) => weightsOf(network) >= fromWeights)?.sizes ?? [];

const floatBytes = 4;

/** Lists the sizes worth trying, the likeliest first. */
export function tileCandidates(network: NetworkFile, onCpu: boolean): number[] {
  if (network.fixedPx !== undefined) return [network.fixedPx];
  const least = smallestTilePx(network);
  const worth = Math.max(least, 4 * network.marginPx);
  const sizes = !network.tileExact ? inexactSizesOf(network) : onCpu ? cpuSizes : gpuSizes;
  const fitting = sizes
    .map((size) => Math.ceil(size / network.multiple) * network.multiple)
    .filter((size) => size >= worth);
  return fitting.length > 0 ? fitting : [Math.max(least, 8 * network.marginPx)];
}

/** Gives the share of a tile's pixels that belong to its core, 0..1. */
export function coreShare(network: NetworkFile, tilePx: number): number {
  const margin = Math.ceil(network.marginPx / network.multiple) * network.multiple;
  return ((tilePx - 2 * margin) / tilePx) ** 2;
}

/** Gives the speed of a network that takes `ms` for a tile. */
export function speedAt(network: NetworkFile, tilePx: number, ms: number): TileSpeed {
  return { tilePx, megapixelsPerSecond: (coreShare(network, tilePx) * tilePx ** 2) / ms / 1000 };
}

/** A run that takes longer than this is not repeated: chance changes it too little to matter. */
export const slowRunMs = 500;

/** Measures one run in milliseconds: the better of two, unless the first takes long. */
export async function timeOf(
  session: Session,
  tensor: Float32Array,
  width: number,
  height: number,
) {
  let best = Infinity;
  for (let i = 0; i < 2 && (i === 0 || best < slowRunMs); i += 1) {
    const start = performance.now();
    await session.run(tensor, width, height);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Lists the usual sizes and, behind the likeliest one, the size that only a session with steps can run. */
export function triedSizes(
  network: NetworkFile,
  session: Pick<Session, 'provider' | 'carriesRows'>,
): number[] {
  const [first = network.minSizePx, ...others] = tileCandidates(
    network,
    session.provider === 'cpu',
  );
  const answerBytes = (tilePx: number) => 3 * (tilePx * network.scale) ** 2 * floatBytes;
  const fitting = sizesInSteps.find((tilePx) => answerBytes(tilePx) <= mostAnswerBytes);
  return session.carriesRows && fitting !== undefined
    ? [first, fitting, ...others]
    : [first, ...others];
}

/** Tells how many rows of a tile are run to measure its speed: two steps, where it is computed in steps. */
const measuredRows = (tilePx: number, { carriesRows }: Session) =>
  carriesRows ? Math.min(tilePx, 2 * stepRows(tilePx)) : tilePx;

/** Measures sizes within the budget and takes the fastest. The first one is always measured. */
export async function measureTiles(network: NetworkFile, session: Session): Promise<TileSpeed> {
  const start = performance.now();
  let best: TileSpeed | undefined;
  for (const tilePx of triedSizes(network, session)) {
    const rows = measuredRows(tilePx, session);
    if (best && !fitsBudget(best, tilePx * rows, performance.now() - start)) continue;
    const tensor = new Float32Array(3 * tilePx * rows).fill(network.range[0]);
    const ms = await timeOf(session, tensor, tilePx, rows);
    const speed = speedAt(network, tilePx, (ms * tilePx) / rows);
    if (!best || speed.megapixelsPerSecond > best.megapixelsPerSecond) best = speed;
  }
  if (!best) throw new Error('No tile size to measure');
  return best;
}

function fitsBudget(best: TileSpeed, pixels: number, spentMs: number): boolean {
  const expectedMs = (3 * pixels) / best.megapixelsPerSecond / 1000;
  return spentMs + expectedMs < budgetMs;
}
