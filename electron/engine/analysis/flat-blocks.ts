/** Finds the flattest blocks of a picture by their lowest frequencies. */
import { blockSize, frequencies, frequenciesBetween, transformBlock } from './block-transform.ts';
import { headroomOf } from './clipped-noise.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** A block that may be flat. */
export interface FlatBlock {
  /** The energy of the frequencies by which flat blocks are found. */
  energy: number;
  /** The squared coefficients, as a mean over the colours. */
  powers: Float32Array;
  /** The products of the coefficients of two colours, as a mean over their pairs: what all colours share. */
  shared: Float32Array;
  /** The headroom of each colour: from its mean to black or white, whichever is nearer, in levels. */
  headrooms: readonly number[];
}

/** The flattest blocks so far, and how many blocks were seen. */
interface KeptBlocks {
  kept: FlatBlock[];
  seen: number;
  /** A block of more energy than this is not among the flattest. */
  most: number;
}

/**
 * The flattest blocks by their headroom: at least `fromHeadroom` levels, and less than the next entry's. They
 * are kept apart, because clipped blocks look the flattest.
 */
export type FlatBlocks = (KeptBlocks & { fromHeadroom: number })[];

const headroomsFrom = [1, 6, 12, 24, 40, 64];

export const createFlatBlocks = (): FlatBlocks =>
  headroomsFrom.map((fromHeadroom) => ({ fromHeadroom, kept: [], seen: 0, most: Infinity }));

const mostKept = 512;
const keptShare = 0.005;
const fewestKept = 24;
/** At most this share of a small picture's blocks is kept, because its further blocks are not flat. */
const mostShare = 0.01;
const fewestOfAll = 8;

/** The frequencies by which flat blocks are found. */
export const finding = frequenciesBetween(1, 3);

const coefficients = new Float64Array(blockSize);

/** Adds a block at every `everyPx` pixels, except along the border, which often differs from the picture. */
export function addFlatBlocks(flat: FlatBlocks, window: SampleWindow, everyPx: number): void {
  const { width, colours } = window;
  const start = everyPx >> 1;
  const places = { x: start, y: start, everyPx, blindFrom: blindness.clear };
  for (const offset of blocksIn(window, places)) {
    const headrooms = colours.map((plane) => headroomOf(plane, offset, width));
    const least = Math.min(...headrooms);
    const into = flat.findLast(({ fromHeadroom }) => least >= fromHeadroom);
    if (into) keep(into, window, offset, headrooms);
  }
}

function leaveFlattest(flat: KeptBlocks, count: number): void {
  flat.kept.sort((a, b) => a.energy - b.energy);
  if (flat.kept.length <= count) return;
  flat.kept.length = count;
  flat.most = flat.kept.at(-1)?.energy ?? Infinity;
}

function keep(
  flat: KeptBlocks,
  { luma, colours, width }: SampleWindow,
  offset: number,
  headrooms: readonly number[],
): void {
  flat.seen += 1;
  transformBlock(luma, offset, width, coefficients);
  let energy = 0;
  for (const i of finding) energy += (coefficients[i] as number) ** 2;
  if (flat.kept.length >= 2 * mostKept) leaveFlattest(flat, mostKept);
  if (energy > flat.most) return;
  flat.kept.push({ energy, headrooms, ...powersIn(colours, offset, width) });
}

const sums = new Float64Array(blockSize);

function powersIn(planes: Float32Array[], offset: number, stride: number) {
  const powers = new Float32Array(blockSize);
  sums.fill(0);
  for (const plane of planes) {
    transformBlock(plane, offset, stride, coefficients);
    for (const i of frequencies) {
      const value = coefficients[i] as number;
      powers[i] = (powers[i] as number) + value ** 2 / planes.length;
      sums[i] = (sums[i] as number) + value;
    }
  }
  // The square of a sum is the sum of the squares and twice the products of the pairs.
  const count = planes.length;
  const shared = powers.map((power, i) =>
    count < 2 ? power : ((sums[i] as number) ** 2 - count * power) / (count * (count - 1)),
  );
  return { powers, shared };
}

/** Picks the flattest blocks with headroom for the noise; if too few, of those with most headroom. */
export function flattestOf(flat: FlatBlocks, deviation: number): FlatBlock[] {
  const seen = flat.reduce((sum, own) => sum + own.seen, 0);
  const all: KeptBlocks = { kept: [], seen: 0, most: Infinity };
  for (const own of flat.toReversed()) {
    if (own.fromHeadroom < deviation && all.seen >= leastShareWithHeadroom * seen) break;
    all.kept.push(...own.kept);
    all.seen += own.seen;
  }
  const most = Math.max(fewestOfAll, Math.min(mostKept, all.seen * mostShare));
  leaveFlattest(all, Math.round(Math.min(most, Math.max(fewestKept, all.seen * keptShare))));
  return all.kept;
}

const leastShareWithHeadroom = 0.02;
