/**
 * Estimates the noise of a photo before its JPEG compression: the level whose quantised coefficients match
 * the flattest blocks. Each half of the frequencies measures the blocks selected by the other half, so that
 * the selection does not bias the measurement, and the lowest frequencies, of which JPEG keeps most, count as
 * well. Blocks are added while they hold no more than those before (the rule of Pyatykh, Hesser and Zheng
 * 2013). Energy unevenly distributed over blocks or frequencies is texture.
 */
import {
  blockPx,
  blockSize,
  frequencies,
  frequenciesBetween,
  transformBlock,
} from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { remainingShare, headroomOf } from './clipped-noise.ts';
import { orderOf } from '../raster/jpeg-quality.ts';
import type { Noise } from '../protocol/damage.ts';
import { mean } from './noise.ts';
import { roundedMoments } from './normal-distribution.ts';
import { fitNoise, gainAt, type NoiseFit, type FrequencySample } from './quantised-noise.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** A block of a JPEG's grid. */
export interface QuantisedBlock {
  /** Luma coefficients. */
  values: Float32Array;
  /** Per colour: distance in levels from its mean to the nearer of black and white. */
  headrooms: readonly number[];
}

const coefficients = new Float64Array(blockSize);

/** Adds the window's blocks that are aligned to the grid. */
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

/** Splits the frequencies into two halves with all orders and directions in both. */
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

/** Variances, in pixels squared, of the Gaussians that may have softened white noise. */
const softnesses = [0, 0.2, 0.3, 0.4, 0.5, 0.6].map((px) => px ** 2);
/** Noise softer than `from` counts only by this share, because a picture's own detail is as soft. */
const detailDiscount = { from: 0.3, part: 0.4 };
/** Minimum advantage of a soft spectrum over white noise, in squared deviations. */
const minFitGain = 6;

/** A block with the share of the noise that clipping left, 0..1. */
interface ClippedBlock {
  block: QuantisedBlock;
  remaining: number;
}

/** Blocks with a smaller remaining share than `preferred` do not count, unless there are hardly others. */
const minRemaining = { preferred: 0.6, atAll: 0.3 };
const minUnclipped = 16;
const minBlocks = 4;
const maxRounds = 6;
/** More blocks do not improve the measurement. */
const maxBlocks = 6144;

/** Deviation of luma over that of each colour: 0.67 for white noise, 1 for equal colours. */
const lumaShare = 0.68;

/** Estimates the noise, at the level of unclipped areas. @param steps the quantiser's steps, row-major */
export function noiseBeforeJpeg(
  samples: readonly QuantisedBlock[],
  steps: readonly number[],
): Noise {
  const every = Math.ceil(samples.length / maxBlocks);
  const blocks = samples.filter((_, n) => n % every === 0);
  const colours = blocks[0]?.headrooms.length === 1 ? 1 : lumaShare;
  let estimate: NoiseEstimate | undefined;
  let level = 0.5;
  for (let round = 0; round < maxRounds; round += 1) {
    const usable = selectUnclipped(blocks, level);
    if (usable.length < minBlocks) break;
    estimate = measure(usable, steps);
    const next = Math.max(0.5, estimate.deviation / colours);
    if (Math.abs(next - level) < 0.02 * level) break;
    level = next;
  }
  if (!estimate) return { deviation: 0, softnessPx: 0 };
  const deviation = (estimate.deviation * estimate.noisePart) / colours;
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(estimate.softness) };
}

function selectUnclipped(blocks: readonly QuantisedBlock[], level: number): ClippedBlock[] {
  const withRemaining = blocks.map((block) => ({
    block,
    remaining: remainingShare(block.headrooms, level),
  }));
  const preferred = withRemaining.filter(({ remaining }) => remaining >= minRemaining.preferred);
  if (preferred.length >= minUnclipped) return preferred;
  return withRemaining
    .toSorted((a, b) => b.remaining - a.remaining)
    .slice(0, minUnclipped)
    .filter(({ remaining }) => remaining > minRemaining.atAll);
}

interface NoiseEstimate {
  /** Deviation of luma, in levels. */
  deviation: number;
  softness: number;
  /** Share of the deviation that is noise, not texture, 0..1. */
  noisePart: number;
}

function measure(blocks: readonly ClippedBlock[], steps: readonly number[]): NoiseEstimate {
  const { samples, chosen } = chooseBlocks(blocks, steps);
  const fits = softnesses.map((softness) => fitNoise(samples, softness));
  const [white, ...soft] = fits as [NoiseFit, ...NoiseFit[]];
  const softest = soft.reduce((best, own) => (own.misfit < best.misfit ? own : best));
  const best = softest.misfit < white.misfit - minFitGain ? softest : white;
  const level = best.level * lowestBand(samples, best);
  const power = frequencies.reduce((sum, i) => sum + gainAt(i, best.softness) ** 2, 0) / blockSize;
  return {
    deviation: level * Math.sqrt(power),
    softness: best.softness,
    noisePart: visiblePart(samples, level) * evenness(samples, chosen, steps, best),
  };
}

const minChosen = 10;
const minChosenShare = 0.01;
/** Tolerance for the next blocks: this factor, and this many standard errors. */
const growthTolerance = { factor: 1.02, deviations: 1.5 };

type BlockChoice = { measuring: readonly number[]; sorted: readonly ClippedBlock[] }[];

/** Chooses the flattest blocks. Their number doubles while the added blocks hold no more. */
function chooseBlocks(blocks: readonly ClippedBlock[], steps: readonly number[]) {
  const orders: BlockChoice = halves.map(({ measuring, finding }) => ({
    measuring,
    sorted: sortedByFlatness(blocks, finding),
  }));
  const between = (from: number, to: number) =>
    orders.map(({ measuring, sorted }) => ({ measuring, sorted: sorted.slice(from, to) }));
  const startCount = Math.max(minChosen, Math.round(blocks.length * minChosenShare));
  let count = Math.min(blocks.length, startCount);
  let now = fitNoise(frequencySamples(between(0, count), steps), 0);
  while (2 * count <= blocks.length) {
    const next = fitNoise(frequencySamples(between(count, 2 * count), steps), 0);
    const chance = growthTolerance.deviations * Math.hypot(next.error, now.error);
    if (next.level > now.level * growthTolerance.factor + chance) break;
    count *= 2;
    now = fitNoise(frequencySamples(between(0, count), steps), 0);
  }
  const chosen = between(0, count);
  return { chosen, samples: frequencySamples(chosen, steps) };
}

/** Breaks ties, so that of many blocks without energy those chosen are spread over the picture. */
const tieBreaker = (n: number) => ((n * 2_654_435_761) % 2 ** 32) * 1e-12;

function sortedByFlatness(
  blocks: readonly ClippedBlock[],
  finding: readonly number[],
): ClippedBlock[] {
  const energies = blocks.map(({ block, remaining }, n) => {
    let energy = tieBreaker(n);
    for (const i of finding) energy += (block.values[i] as number) ** 2;
    return { n, energy: energy / remaining ** 2 };
  });
  return energies.toSorted((a, b) => a.energy - b.energy).map(({ n }) => blocks[n] as ClippedBlock);
}

/** Square of a coefficient in quantised steps. */
const squareOf = ({ block }: ClippedBlock, i: number, steps: readonly number[]) =>
  Math.round((block.values[i] as number) / (steps[i] as number)) ** 2;

const frequencySamples = (chosen: BlockChoice, steps: readonly number[]): FrequencySample[] =>
  chosen.flatMap(({ measuring, sorted }) => {
    const remaining = Math.sqrt(mean(sorted.map((own) => own.remaining ** 2)));
    return measuring.map((i) => ({
      i,
      step: (steps[i] as number) / remaining,
      mean: mean(sorted.map((own) => squareOf(own, i, steps))),
      blocks: sorted.length,
    }));
  });

/** Level of the lowest band over that of all: 1, or less if it is significantly lower. */
function lowestBand(samples: readonly FrequencySample[], { level, softness }: NoiseFit): number {
  const parts = bands.flatMap(([from, to]) => {
    const own = fitNoise(
      samples.filter(({ i }) => orderOf(i) >= from && orderOf(i) <= to),
      softness,
    );
    return own.error < 0.5 * level + 2 ? [(own.level + 1.5 * own.error) / level] : [];
  });
  return Math.min(1, ...parts);
}

/**
 * Level as a share of the lowest frequencies' steps, from which on it counts partly and fully: below, hardly
 * any coefficients remain.
 */
const visible = { from: 0.24, fully: 0.3 };

function visiblePart(samples: readonly FrequencySample[], level: number): number {
  const lowest = samples.filter(({ i }) => orderOf(i) <= 3).map(({ step }) => step);
  const part = level / mean(lowest);
  return Math.min(Math.max((part - visible.from) / (visible.fully - visible.from), 0), 1);
}

/**
 * Variances over blocks and over frequencies, relative to the power, above which noise counts less; at
 * `until` times as much it does not count.
 */
const uneven = { overBlocks: 0.5, overFrequencies: 0.1, until: 3 };

/** Share that is noise, which scatters over blocks and frequencies by chance, while texture scatters more. */
function evenness(
  samples: readonly FrequencySample[],
  chosen: BlockChoice,
  steps: readonly number[],
  best: NoiseFit,
): number {
  const blocks = (samples[0] as FrequencySample).blocks;
  const overFrequencies = Math.max(0, best.misfit / samples.length - 1) / blocks;
  const most = Math.max(
    varianceOverBlocks(chosen, steps, best) / uneven.overBlocks,
    overFrequencies / uneven.overFrequencies,
  );
  const even = Math.min(Math.max((uneven.until - most) / (uneven.until - 1), 0), 1);
  return best.softness > detailDiscount.from ? even * detailDiscount.part : even;
}

function varianceOverBlocks(chosen: BlockChoice, steps: readonly number[], best: NoiseFit): number {
  let squares = 0;
  let expected = 0;
  let blocks = 0;
  for (const { measuring, sorted } of chosen)
    for (const own of sorted) {
      let off = 0;
      let variance = 0;
      for (const i of measuring) {
        const level = best.level * own.remaining * gainAt(i, best.softness);
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
