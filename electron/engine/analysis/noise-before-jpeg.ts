/**
 * Estimates the noise that a photo had before it became a JPEG: the level whose quantised coefficients would
 * leave what the flattest blocks hold. Each half of the frequencies measures the blocks that the other half
 * finds flat. So the choice of blocks does not bias what is measured, and the lowest frequencies, of which
 * JPEG leaves most, count, too. Blocks are added as long as they hold no more than those before (Pyatykh,
 * Hesser and Zheng 2013 leave out blocks by the same rule). Energy that lies unevenly over blocks or
 * frequencies is texture.
 */
import {
  blockPx,
  blockSize,
  frequencies,
  frequenciesBetween,
  transformBlock,
} from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { leftOf, headroomOf } from './clipped-noise.ts';
import { orderOf } from '../raster/jpeg-quality.ts';
import type { Noise } from '../protocol/damage.ts';
import { mean } from './noise.ts';
import { roundedMoments } from './normal-distribution.ts';
import { fitNoise, gainAt, type NoiseFit, type SeenFrequency } from './quantised-noise.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** A block of a JPEG's grid. */
export interface QuantisedBlock {
  /** The coefficients of brightness. */
  values: Float32Array;
  /** The headroom of each colour: from its mean to black or white, whichever is nearer, in levels. */
  headrooms: readonly number[];
}

const coefficients = new Float64Array(blockSize);

/** Adds the window's blocks that lie on the grid. */
export function addQuantisedBlocks(
  blocks: QuantisedBlock[],
  window: SampleWindow,
  grid: Pick<BlockGrid, 'x' | 'y'>,
): void {
  const { luma, colours, width } = window;
  for (const offset of blocksIn(window, { ...grid, blindFrom: blindness.clear })) {
    transformBlock(luma, offset, width, coefficients);
    const headrooms = colours.map((plane) => headroomOf(plane, offset, width));
    blocks.push({ values: Float32Array.from(coefficients), headrooms });
  }
}

/** Splits the frequencies into two halves; both have frequencies of all orders and directions. */
function halfOf(i: number): number {
  const place = ((i % blockPx) + 2 * Math.floor(i / blockPx)) % 3;
  return place < 2 ? place : (orderOf(i) >> 1) % 2;
}
const halves = [0, 1].map((half) => {
  const measuring = frequenciesBetween(2, 14).filter((i) => halfOf(i) === half);
  const finding = frequenciesBetween(1, 4).filter((i) => halfOf(i) !== half);
  return { measuring, finding };
});
/** Bands of orders, from and to: texture is seldom equally strong in all of them. */
const bands = [
  [2, 3],
  [3, 4],
  [4, 6],
  [6, 9],
  [9, 14],
] as const;

/** The variances, in pixels squared, of the Gaussians by which white noise may have become soft. */
const softnesses = [0, 0.2, 0.3, 0.4, 0.5, 0.6].map((px) => px ** 2);
/** Noise softer than `from` counts only for this part, because a picture's own detail is as soft. */
const ofDetail = { from: 0.3, part: 0.4 };
/** A soft spectrum must fit better than that of white noise by this, in squared deviations. */
const leastBetter = 6;

/** A block with the share of the noise's level that clipping left, 0..1. */
interface Clipped {
  block: QuantisedBlock;
  left: number;
}

/** Blocks of which clipping left less than `usual` do not count, unless there are hardly others. */
const leastLeft = { usual: 0.6, atAll: 0.3 };
const fewUnclipped = 16;
const fewestBlocks = 4;
const mostRounds = 6;
/** No more blocks are used, because more of them do not measure better. */
const mostBlocks = 6144;

/** The deviation of brightness over that of each colour: 0.67 for white noise, 1 for equal colours. */
const lumaShare = 0.68;

/**
 * Estimates the noise. Its level is that of places where nothing is clipped.
 * @param steps the quantiser's steps, row by row
 */
export function noiseBeforeJpeg(seen: readonly QuantisedBlock[], steps: readonly number[]): Noise {
  const every = Math.ceil(seen.length / mostBlocks);
  const blocks = seen.filter((_, n) => n % every === 0);
  const colours = blocks[0]?.headrooms.length === 1 ? 1 : lumaShare;
  let found: Found | undefined;
  let level = 0.5;
  for (let round = 0; round < mostRounds; round += 1) {
    const kept = leastClipped(blocks, level);
    if (kept.length < fewestBlocks) break;
    found = measure(kept, steps);
    const next = Math.max(0.5, found.deviation / colours);
    if (Math.abs(next - level) < 0.02 * level) break;
    level = next;
  }
  if (!found) return { deviation: 0, softnessPx: 0 };
  const deviation = (found.deviation * found.noisePart) / colours;
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(found.softness) };
}

function leastClipped(blocks: readonly QuantisedBlock[], level: number): Clipped[] {
  const withLeft = blocks.map((block) => ({ block, left: leftOf(block.headrooms, level) }));
  const usual = withLeft.filter(({ left }) => left >= leastLeft.usual);
  if (usual.length >= fewUnclipped) return usual;
  return withLeft
    .toSorted((a, b) => b.left - a.left)
    .slice(0, fewUnclipped)
    .filter(({ left }) => left > leastLeft.atAll);
}

interface Found {
  /** The deviation of brightness, in levels. */
  deviation: number;
  softness: number;
  /** It tells how much of the deviation is noise and not texture, 0..1. */
  noisePart: number;
}

function measure(blocks: readonly Clipped[], steps: readonly number[]): Found {
  const { seen, chosen } = chooseBlocks(blocks, steps);
  const fits = softnesses.map((softness) => fitNoise(seen, softness));
  const [white, ...soft] = fits as [NoiseFit, ...NoiseFit[]];
  const softest = soft.reduce((best, own) => (own.misfit < best.misfit ? own : best));
  const best = softest.misfit < white.misfit - leastBetter ? softest : white;
  const level = best.level * lowestBand(seen, best);
  const power = frequencies.reduce((sum, i) => sum + gainAt(i, best.softness) ** 2, 0) / blockSize;
  return {
    deviation: level * Math.sqrt(power),
    softness: best.softness,
    noisePart: visiblePart(seen, level) * evenPart(seen, chosen, steps, best),
  };
}

const fewestChosen = 10;
const leastChosenShare = 0.01;
/** The next blocks may hold more by this factor, and by this many deviations of chance. */
const alike = { factor: 1.02, deviations: 1.5 };

type Chosen = { measuring: readonly number[]; sorted: readonly Clipped[] }[];

/** Chooses the flattest blocks. Their number doubles as long as the blocks that are added hold no more. */
function chooseBlocks(blocks: readonly Clipped[], steps: readonly number[]) {
  const orders: Chosen = halves.map(({ measuring, finding }) => ({
    measuring,
    sorted: sortedByFlatness(blocks, finding),
  }));
  const between = (from: number, to: number) =>
    orders.map(({ measuring, sorted }) => ({ measuring, sorted: sorted.slice(from, to) }));
  const least = Math.max(fewestChosen, Math.round(blocks.length * leastChosenShare));
  let count = Math.min(blocks.length, least);
  let now = fitNoise(seenIn(between(0, count), steps), 0);
  while (2 * count <= blocks.length) {
    const next = fitNoise(seenIn(between(count, 2 * count), steps), 0);
    const chance = alike.deviations * Math.hypot(next.error, now.error);
    if (next.level > now.level * alike.factor + chance) break;
    count *= 2;
    now = fitNoise(seenIn(between(0, count), steps), 0);
  }
  const chosen = between(0, count);
  return { chosen, seen: seenIn(chosen, steps) };
}

/** Breaks ties, so that among many blocks without any energy those from all over the picture are taken. */
const tieBreaker = (n: number) => ((n * 2_654_435_761) % 2 ** 32) * 1e-12;

function sortedByFlatness(blocks: readonly Clipped[], finding: readonly number[]): Clipped[] {
  const energies = blocks.map(({ block, left }, n) => {
    let energy = tieBreaker(n);
    for (const i of finding) energy += (block.values[i] as number) ** 2;
    return { n, energy: energy / left ** 2 };
  });
  return energies.toSorted((a, b) => a.energy - b.energy).map(({ n }) => blocks[n] as Clipped);
}

/** Gives the square of a coefficient in whole steps, as the quantiser left it. */
const squareOf = ({ block }: Clipped, i: number, steps: readonly number[]) =>
  Math.round((block.values[i] as number) / (steps[i] as number)) ** 2;

const seenIn = (chosen: Chosen, steps: readonly number[]): SeenFrequency[] =>
  chosen.flatMap(({ measuring, sorted }) => {
    const left = Math.sqrt(mean(sorted.map((own) => own.left ** 2)));
    return measuring.map((i) => ({
      i,
      step: (steps[i] as number) / left,
      mean: mean(sorted.map((own) => squareOf(own, i, steps))),
      blocks: sorted.length,
    }));
  });

/** Gives the lowest band's level over that of all: 1, or less where it holds less by more than chance. */
function lowestBand(seen: readonly SeenFrequency[], { level, softness }: NoiseFit): number {
  const parts = bands.flatMap(([from, to]) => {
    const own = fitNoise(
      seen.filter(({ i }) => orderOf(i) >= from && orderOf(i) <= to),
      softness,
    );
    return own.error < 0.5 * level + 2 ? [(own.level + 1.5 * own.error) / level] : [];
  });
  return Math.min(1, ...parts);
}

/**
 * The level as a part of the lowest frequencies' steps from which on it counts, and from which it counts
 * fully: of a smaller level next to no coefficients are left.
 */
const visible = { from: 0.24, fully: 0.3 };

function visiblePart(seen: readonly SeenFrequency[], level: number): number {
  const lowest = seen.filter(({ i }) => orderOf(i) <= 3).map(({ step }) => step);
  const part = level / mean(lowest);
  return Math.min(Math.max((part - visible.from) / (visible.fully - visible.from), 0), 1);
}

/**
 * The variances over blocks and over frequencies, relative to the power, from which on the noise counts less
 * and less. It does not count at all at `until` times as much.
 */
const uneven = { overBlocks: 0.5, overFrequencies: 0.1, until: 3 };

/** Gives the part that is noise: it scatters over blocks and frequencies by chance, and texture by more. */
function evenPart(
  seen: readonly SeenFrequency[],
  chosen: Chosen,
  steps: readonly number[],
  best: NoiseFit,
): number {
  const blocks = (seen[0] as SeenFrequency).blocks;
  const overFrequencies = Math.max(0, best.misfit / seen.length - 1) / blocks;
  const most = Math.max(
    varianceOverBlocks(chosen, steps, best) / uneven.overBlocks,
    overFrequencies / uneven.overFrequencies,
  );
  const even = Math.min(Math.max((uneven.until - most) / (uneven.until - 1), 0), 1);
  return best.softness > ofDetail.from ? even * ofDetail.part : even;
}

function varianceOverBlocks(chosen: Chosen, steps: readonly number[], best: NoiseFit): number {
  let squares = 0;
  let expected = 0;
  let blocks = 0;
  for (const { measuring, sorted } of chosen)
    for (const own of sorted) {
      let off = 0;
      let variance = 0;
      for (const i of measuring) {
        const level = best.level * own.left * gainAt(i, best.softness);
        const moments = roundedMoments(level / (steps[i] as number));
        const weight = moments.mean / (moments.variance + 0.02);
        off += weight * (squareOf(own, i, steps) - moments.mean);
        variance += weight * moments.mean;
      }
      squares += off ** 2 / Math.max(1e-6, variance);
      expected += variance;
      blocks += 1;
    }
  return Math.max(0, squares / blocks - 1) / (expected / blocks + 1e-9);
}
