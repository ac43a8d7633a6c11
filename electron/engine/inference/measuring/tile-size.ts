/** Finds the tile size at which a network computes the most core pixels a second, so that margins count. */
import type { Precision } from '../../../contract/models/model.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { stepRows } from '../sessions/carried-session.ts';
import type { Session } from '../sessions/session.ts';
import { medianOf, timeInTurns } from './turns.ts';

export interface TileSpeed {
  tilePx: number;
  /** Millions of core pixels of the input in a second. */
  megapixelsPerSecond: number;
  /** It tells how many tiles one call takes, where several are faster; absent: it takes one. */
  batch?: number;
  /** The threads of a session on the CPU; absent: the default for this processor. */
  threads?: number;
}

/** The time that is spent on measuring; sizes that do not fit in it are left out. */
const budgetMs = 4000;

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

/** Lists the sizes to try, the default first: the one that only a session with steps can run, where it has steps. */
export function triedSizes(
  network: NetworkFile,
  session: Pick<Session, 'provider' | 'carriesRows'>,
): number[] {
  const sizes = tileCandidates(network, session.provider === 'cpu');
  const inSteps = session.carriesRows ? sizeInSteps(network) : undefined;
  return inSteps === undefined ? sizes : [inSteps, ...sizes];
}

function sizeInSteps({ scale }: NetworkFile): number | undefined {
  const answerBytes = (tilePx: number) => 3 * (tilePx * scale) ** 2 * floatBytes;
  return sizesInSteps.find((tilePx) => answerBytes(tilePx) <= mostAnswerBytes);
}

/** Chooses the size of a tile on the CPU for a network that was not measured yet. */
export function defaultTilePx(network: NetworkFile, precision: Precision): number {
  const takesSteps = precision === 'int8' && network.tileExact && network.layout === 'NCHW';
  const inSteps = takesSteps ? sizeInSteps(network) : undefined;
  return inSteps ?? tileCandidates(network, true)[0] ?? network.minSizePx;
}

/** Tells how many rows of a tile are run to measure its speed: two steps, where it is computed in steps. */
const measuredRows = (tilePx: number, { carriesRows }: Session) =>
  carriesRows ? Math.min(tilePx, 2 * stepRows(tilePx)) : tilePx;

/** The milliseconds that a size took in each turn, for a whole tile. */
export interface TileTimes {
  tilePx: number;
  times: readonly number[];
}

const turns = 3;

/**
 * Measures the sizes that fit the budget in turns, and takes the fastest by their medians. The first one is
 * always measured. A size that is out of line with its neighbours is measured again together with them.
 */
export async function measureTiles(network: NetworkFile, session: Session): Promise<TileSpeed> {
  const deadlineMs = performance.now() + budgetMs;
  const [first = network.minSizePx, ...others] = triedSizes(network, session);
  const time = async (sizes: readonly number[]): Promise<TileTimes[]> => {
    const runs = sizes.map((tilePx) => tileRun(network, session, tilePx));
    const times = await timeInTurns(
      runs.map(({ run }) => run),
      turns,
      deadlineMs,
    );
    return times.map((own, i) => {
      const { tilePx, share } = runs[i] as TileRun;
      return { tilePx, times: own.map((ms) => ms / share) };
    });
  };
  const { run, pixels } = tileRun(network, session, first);
  const start = performance.now();
  await run();
  const msAPixel = (performance.now() - start) / pixels;
  let spentMs = turns * msAPixel * pixels;
  const fitting = others.filter((tilePx) => {
    const ms = (1 + turns) * msAPixel * tileRun(network, session, tilePx).pixels;
    const fits = spentMs + ms < budgetMs;
    if (fits) spentMs += ms;
    return fits;
  });
  const measured = await time([first, ...fitting]);
  const again = doubtful(network, measured);
  const more = again.length > 0 && performance.now() < deadlineMs ? await time(again) : [];
  const all = measured.map(({ tilePx, times }) => ({
    tilePx,
    times: [...times, ...(more.find((one) => one.tilePx === tilePx)?.times ?? [])],
  }));
  return fastestTile(network, all, first);
}

interface TileRun {
  tilePx: number;
  pixels: number;
  /** The share of a whole tile that is run, 0..1. */
  share: number;
  run: () => Promise<unknown>;
}

function tileRun(network: NetworkFile, session: Session, tilePx: number): TileRun {
  const rows = measuredRows(tilePx, session);
  return {
    tilePx,
    pixels: tilePx * rows,
    share: rows / tilePx,
    run: () => {
      const tensor = new Float32Array(3 * tilePx * rows).fill(network.range[0]);
      return session.run(tensor, tilePx, rows);
    },
  };
}

const speedOf = (network: NetworkFile, { tilePx, times }: TileTimes) =>
  speedAt(network, tilePx, medianOf(times));

/** Speed changes smoothly with the size; one that differs from its neighbours' mean by more is doubted. */
const believableShare = 0.12;

/** Lists the sizes that are out of line with their neighbours, and these neighbours. */
export function doubtful(network: NetworkFile, measured: readonly TileTimes[]): number[] {
  const bySize = measured
    .map((one) => speedOf(network, one))
    .sort((one, other) => one.tilePx - other.tilePx);
  const found = bySize.flatMap((one, i) => {
    const [before, after] = [bySize[i - 1], bySize[i + 1]];
    if (!before || !after) return [];
    const mean = (before.megapixelsPerSecond + after.megapixelsPerSecond) / 2;
    const isOut = Math.abs(one.megapixelsPerSecond / mean - 1) > believableShare;
    return isOut ? [before.tilePx, one.tilePx, after.tilePx] : [];
  });
  return [...new Set(found)];
}

/** Another size than the default must be this many times as fast: a smaller gain may be chance. */
const minTileGain = 1.04;

/** Takes the fastest size by its median; the default stays unless another one is clearly faster. */
export function fastestTile(
  network: NetworkFile,
  measured: readonly TileTimes[],
  defaultPx: number,
): TileSpeed {
  const speeds = measured.map((one) => speedOf(network, one));
  const usual = speeds.find(({ tilePx }) => tilePx === defaultPx);
  const [fastest] = speeds.sort(
    (one, other) => other.megapixelsPerSecond - one.megapixelsPerSecond,
  );
  if (!fastest) throw new Error('No tile size to measure');
  if (!usual) return fastest;
  const gain = fastest.megapixelsPerSecond / usual.megapixelsPerSecond;
  return gain >= minTileGain ? fastest : usual;
}
