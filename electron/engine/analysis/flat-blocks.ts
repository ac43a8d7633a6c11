/** Finds the flattest blocks of a picture by their lowest frequencies. */
import { blockSize, frequencies, frequenciesBetween, transformBlock } from './block-transform.ts';
import { headroomOf } from './clipped-noise.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** A candidate for a flat block. */
export interface FlatBlock {
  /** Energy of the frequencies that select flat blocks. */
  energy: number;
  /** Mean over the colours of the squared coefficients. */
  powers: Float32Array;
  /** Mean over pairs of colours of the products of their coefficients: what all colours share. */
  shared: Float32Array;
  /** Per colour: distance in levels from its mean to the nearer of black and white. */
  headrooms: readonly number[];
}

/** The flattest blocks so far, and the number of blocks visited. */
interface BlockSelection {
  blocks: FlatBlock[];
  visited: number;
  /** Upper limit of the energy of candidates. */
  maxEnergy: number;
}

/**
 * The flattest blocks by headroom: at least `fromHeadroom` levels, and less than the next entry's. Kept
 * apart, because clipped blocks look the flattest.
 */
export type FlatBlocks = (BlockSelection & { fromHeadroom: number })[];

const headroomsFrom = [1, 6, 12, 24, 40, 64];

export const createFlatBlocks = (): FlatBlocks =>
  headroomsFrom.map((fromHeadroom) => ({
    fromHeadroom,
    blocks: [],
    visited: 0,
    maxEnergy: Infinity,
  }));

const maxBlocks = 512;
const selectedShare = 0.005;
const minBlocks = 24;
/** Limit for small pictures, whose further blocks are not flat. */
const maxShare = 0.01;
const minBlocksAtAll = 8;

/** The frequencies that select flat blocks. */
export const selectingFrequencies = frequenciesBetween(1, 3);

const coefficients = new Float64Array(blockSize);

/** Adds a block at every `everyPx` pixels, except along the border, which often differs from the picture. */
export function addFlatBlocks(flat: FlatBlocks, window: SampleWindow, everyPx: number): void {
  const { width, colours } = window;
  const start = everyPx >> 1;
  const positions = { x: start, y: start, everyPx, blindFrom: blindness.clear };
  for (const offset of blocksIn(window, positions)) {
    const headrooms = colours.map((plane) => headroomOf(plane, offset, width));
    const least = Math.min(...headrooms);
    const into = flat.findLast(({ fromHeadroom }) => least >= fromHeadroom);
    if (into) addCandidate(into, window, offset, headrooms);
  }
}

function trimToFlattest(flat: BlockSelection, count: number): void {
  flat.blocks.sort((a, b) => a.energy - b.energy);
  if (flat.blocks.length <= count) return;
  flat.blocks.length = count;
  flat.maxEnergy = flat.blocks.at(-1)?.energy ?? Infinity;
}

function addCandidate(
  flat: BlockSelection,
  { luma, colours, width }: SampleWindow,
  offset: number,
  headrooms: readonly number[],
): void {
  flat.visited += 1;
  transformBlock(luma, offset, width, coefficients);
  let energy = 0;
  for (const i of selectingFrequencies) energy += (coefficients[i] as number) ** 2;
  if (flat.blocks.length >= 2 * maxBlocks) trimToFlattest(flat, maxBlocks);
  if (energy > flat.maxEnergy) return;
  flat.blocks.push({ energy, headrooms, ...powersIn(colours, offset, width) });
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

/** Picks the flattest blocks with headroom for the noise; if there are too few, those with most headroom. */
export function flattestOf(flat: FlatBlocks, deviation: number): FlatBlock[] {
  const visited = flat.reduce((sum, own) => sum + own.visited, 0);
  const all: BlockSelection = { blocks: [], visited: 0, maxEnergy: Infinity };
  for (const own of flat.toReversed()) {
    if (own.fromHeadroom < deviation && all.visited >= minShareWithHeadroom * visited) break;
    all.blocks.push(...own.blocks);
    all.visited += own.visited;
  }
  const maxEnergy = Math.max(minBlocksAtAll, Math.min(maxBlocks, all.visited * maxShare));
  trimToFlattest(
    all,
    Math.round(Math.min(maxEnergy, Math.max(minBlocks, all.visited * selectedShare))),
  );
  return all.blocks;
}

const minShareWithHeadroom = 0.02;
