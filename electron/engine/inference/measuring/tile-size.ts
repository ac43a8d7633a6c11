/** Finds the tile size with the most core pixels per second; margins count as overhead. */
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import type { AnyNetworkFile, NetworkFile } from '../../protocol/messages.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { columnCoreShare, maxStripRows } from '../../tiles/run-columns.ts';
import type { Session } from '../sessions/session.ts';
import { medianOf, timeAlternately } from './turns.ts';

export interface TileSpeed {
  tilePx: number;
  /** Millions of input core pixels per second. */
  megapixelsPerSecond: number;
  /** Tiles per call, where several are faster; absent: 1. */
  batch?: number;
  /** Threads of a session on the CPU; absent: this processor's default. */
  threads?: number;
}

/** Time for measuring; sizes that do not fit in it are skipped. */
const budgetMs = 4000;

const cpuSizes = [256, 320, 192, 384, 160];
/** Sizes for a network that computes tiles in strips, so that its layers stay in the processor's cache. */
const streamedSizes = [640, 512];
/** Memory limit for the output of a tile in strips. */
const maxOutputBytes = 52e6;
/** The smallest size comes first, so that a slow device does not spend the whole budget on one run. */
const gpuSizes = [256, 512, 768, 1024];
/**
 * A network that is not tile-exact gets larger tiles, because the content of a tile changes all of its
 * output. A large network, such as one with attention, does not: each tile takes seconds and gigabytes, and a
 * person waits for the first one.
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

/** Sizes worth trying, the likeliest first. */
export function tileCandidates(network: NetworkFile, onCpu: boolean): number[] {
  if (network.fixedPx !== undefined) return [network.fixedPx];
  const minPx = smallestTilePx(network);
  const minWorthwhilePx = Math.max(minPx, 4 * network.marginPx);
  const sizes = !network.tileExact ? inexactSizesOf(network) : onCpu ? cpuSizes : gpuSizes;
  const fitting = sizes
    .map((size) => Math.ceil(size / network.multiple) * network.multiple)
    .filter((size) => size >= minWorthwhilePx);
  return fitting.length > 0 ? fitting : [Math.max(minPx, 8 * network.marginPx)];
}

/** Share of a tile's pixels that belong to its core, 0..1. */
export function coreShare(network: NetworkFile, tilePx: number): number {
  const margin = Math.ceil(network.marginPx / network.multiple) * network.multiple;
  return ((tilePx - 2 * margin) / tilePx) ** 2;
}

/** Speed of a network that takes `ms` per tile. */
export function speedAt(
  network: NetworkFile,
  tilePx: number,
  ms: number,
  share = coreShare(network, tilePx),
): TileSpeed {
  return { tilePx, megapixelsPerSecond: (share * tilePx ** 2) / ms / 1000 };
}

/** A longer run is not repeated: noise hardly affects it. */
export const slowRunMs = 500;

/** Time of a run in ms: the better of two, unless the first takes long. */
export async function timeOf(
  session: Session,
  tensor: Float32Array,
  width: number,
  height: number,
  condition?: readonly number[],
) {
  let best = Infinity;
  for (let i = 0; i < 2 && (i === 0 || best < slowRunMs); i += 1) {
    const start = performance.now();
    await session.run(tensor, width, height, condition);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Sizes to try, the default first. Only a streamed session can run the first size of a streamed network. */
export function sizesToTry(
  network: NetworkFile,
  session: Pick<Session, 'provider' | 'openStream'>,
): number[] {
  const sizes = tileCandidates(network, session.provider === 'cpu');
  const streamedPx = session.openStream ? streamedSize(network) : undefined;
  return streamedPx === undefined ? sizes : [streamedPx, ...sizes];
}

/**
 * Side of a square tile in strips, which stands for pictures in columns; undefined: its output would take too much
 * memory.
 */
export function streamedSize({ scale }: NetworkFile): number | undefined {
  const outputBytes = (tilePx: number) => 3 * (tilePx * scale) ** 2 * floatBytes;
  return streamedSizes.find((tilePx) => outputBytes(tilePx) <= maxOutputBytes);
}

/** Threads that share a picture in columns, each with a stream of its own (inference/shared-columns.ts). */
export const sharingThreads = 2;
/** Speed of a shared pass over that of a tile in strips that both threads compute together. */
const sharedGain = 1.2;

/** The speed of large pictures by that of a tile on so many threads. */
export function speedOfShared(
  network: AnyNetworkFile,
  speed: TileSpeed,
  { openStream }: Pick<Session, 'openStream'>,
  threads: number,
): TileSpeed {
  if (!openStream || threads !== sharingThreads || !('scale' in network)) return speed;
  if (speed.tilePx !== streamedSize(network)) return speed;
  return { ...speed, megapixelsPerSecond: sharedGain * speed.megapixelsPerSecond };
}

/** Tile side on the CPU for a network that was not measured yet. */
export function defaultTilePx(network: NetworkFile, precision: Precision): number {
  const isStreamable = precision === 'int8' && network.tileExact && network.layout === 'NCHW';
  const streamedPx = isStreamable ? streamedSize(network) : undefined;
  return streamedPx ?? tileCandidates(network, true)[0] ?? network.minSizePx;
}

/**
 * The speed of the default tile by that of a smaller one: as many pixels a second, of which fewer are margin. Of 96
 * pixels a margin of 16 leaves 44 %, and by that a first photo would be told to take more than twice as long.
 */
export function speedOfDefaultTile(
  network: AnyNetworkFile,
  precision: Precision,
  { tilePx, megapixelsPerSecond }: TileSpeed,
): TileSpeed {
  if (!('scale' in network)) return { tilePx, megapixelsPerSecond };
  const defaultPx = defaultTilePx(network, precision);
  const gain = coreShare(network, defaultPx) / coreShare(network, tilePx);
  return { tilePx: defaultPx, megapixelsPerSecond: megapixelsPerSecond * gain };
}

/** Rows of a tile that are run to measure its speed: two strips of a streamed session. */
const measuredRows = (tilePx: number, { openStream }: Session) =>
  openStream ? Math.min(tilePx, 2 * maxStripRows(tilePx)) : tilePx;

/** Milliseconds of a whole tile in each round. */
export interface TileTimes {
  tilePx: number;
  times: readonly number[];
  /** Share of the pixels that are no margin; absent: that of a square tile. */
  coreShare?: number;
}

const rounds = 3;

/**
 * Measures the sizes that fit the budget alternately, and returns the fastest by median. The first size is
 * always measured. A size that is out of line with its neighbours is measured again together with them.
 */
export async function measureTiles(network: NetworkFile, session: Session): Promise<TileSpeed> {
  const deadlineMs = performance.now() + budgetMs;
  const isOfColumns = (tilePx: number) => session.openStream && tilePx === streamedSize(network);
  const [first = network.minSizePx, ...others] = sizesToTry(network, session);
  const time = async (sizes: readonly number[]): Promise<TileTimes[]> => {
    const runs = sizes.map((tilePx) => tileRun(network, session, tilePx));
    const times = await timeAlternately(
      runs.map(({ run }) => run),
      rounds,
      deadlineMs,
    );
    return times.map((own, i) => {
      const { tilePx, share } = runs[i] as TileRun;
      return {
        tilePx,
        times: own.map((ms) => ms / share),
        ...(isOfColumns(tilePx) && { coreShare: columnCoreShare(network) }),
      };
    });
  };
  const { run, pixels } = tileRun(network, session, first);
  // The first run loads the network.
  await run();
  const start = performance.now();
  await run();
  const msPerPixel = (performance.now() - start) / pixels;
  let spentMs = rounds * msPerPixel * pixels;
  const fitting = others.filter((tilePx) => {
    const ms = (1 + rounds) * msPerPixel * tileRun(network, session, tilePx).pixels;
    const fits = spentMs + ms < budgetMs;
    if (fits) spentMs += ms;
    return fits;
  });
  const measured = await time([first, ...fitting]);
  const again = outliers(network, measured);
  const more = again.length > 0 && performance.now() < deadlineMs ? await time(again) : [];
  const all = measured.map(({ tilePx, times, ...share }) => ({
    ...{ tilePx, ...share },
    times: [...times, ...(more.find((one) => one.tilePx === tilePx)?.times ?? [])],
  }));
  return fastestTile(network, all, first);
}

interface TileRun {
  tilePx: number;
  pixels: number;
  /** Share of a whole tile that is run, 0..1. */
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

const speedOf = (network: NetworkFile, { tilePx, times, coreShare: share }: TileTimes) =>
  speedAt(network, tilePx, medianOf(times), share);

/** Speed varies smoothly with the size; a larger deviation from the neighbours' mean is measured again. */
const maxDeviation = 0.12;

/** Returns the sizes that are out of line with their neighbours, and these neighbours. */
export function outliers(network: NetworkFile, measured: readonly TileTimes[]): number[] {
  const bySize = measured
    .map((one) => speedOf(network, one))
    .sort((one, other) => one.tilePx - other.tilePx);
  const found = bySize.flatMap((one, i) => {
    const [before, after] = [bySize[i - 1], bySize[i + 1]];
    if (!before || !after) return [];
    const mean = (before.megapixelsPerSecond + after.megapixelsPerSecond) / 2;
    const isOut = Math.abs(one.megapixelsPerSecond / mean - 1) > maxDeviation;
    return isOut ? [before.tilePx, one.tilePx, after.tilePx] : [];
  });
  return [...new Set(found)];
}

/** Minimum gain over the default size; less may be chance. */
const minTileGain = 1.04;

/** Returns the fastest size by median; the default unless another one is clearly faster. */
export function fastestTile(
  network: NetworkFile,
  measured: readonly TileTimes[],
  defaultPx: number,
): TileSpeed {
  const speeds = measured.map((one) => speedOf(network, one));
  const defaultSpeed = speeds.find(({ tilePx }) => tilePx === defaultPx);
  const [fastest] = speeds.sort(
    (one, other) => other.megapixelsPerSecond - one.megapixelsPerSecond,
  );
  if (!fastest) throw new Error('No tile size to measure');
  if (!defaultSpeed) return fastest;
  const gain = fastest.megapixelsPerSecond / defaultSpeed.megapixelsPerSecond;
  return gain >= minTileGain ? fastest : defaultSpeed;
}
