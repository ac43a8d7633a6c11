/**
 * The noise that a photo had before it became a JPEG: the level whose coefficients, quantised, would leave what the
 * flattest blocks hold. Each half of the frequencies measures the blocks that the other half finds flat, so the
 * choice takes nothing from what is measured, and the lowest frequencies, of which JPEG leaves most, count too. As
 * many blocks are taken as hold alike much (Pyatykh, Hesser and Zheng 2013 leave out blocks by the same rule).
 * What lies unevenly over blocks or frequencies is texture.
 */
import { blockPx, blockSize, transformBlock } from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { leftOf, roomOf } from './clipped-noise.ts';
import type { Noise } from './noise.ts';
import { roundedMoments } from './normal-distribution.ts';
import { clearFrom, isBlind } from './pixel-quality.ts';
import type { SampleWindow } from './picture-sample.ts';

/** A block of a JPEG's grid. */
export interface QuantisedBlock {
  /** The coefficients of brightness. */
  values: Float32Array;
  /** From each colour's mean to black or white, whichever is nearer, in levels. */
  rooms: readonly number[];
}

const coefficients = new Float64Array(blockSize);

/** Adds the window's blocks that lie on the grid. */
export function addQuantisedBlocks(
  blocks: QuantisedBlock[],
  { x, y, width, height, luma, colours, blind }: SampleWindow,
  grid: Pick<BlockGrid, 'x' | 'y'>,
): void {
  const first = (at: number, phase: number) => (((phase - at) % blockPx) + blockPx) % blockPx;
  for (let row = first(y, grid.y); row + blockPx <= height; row += blockPx)
    for (let column = first(x, grid.x); column + blockPx <= width; column += blockPx) {
      const offset = row * width + column;
      if (isBlind(blind, offset, width, clearFrom)) continue;
      transformBlock(luma, offset, width, coefficients);
      const rooms = colours.map((plane) => roomOf(plane, offset, width));
      blocks.push({ values: Float32Array.from(coefficients), rooms });
    }
}

const orderOf = (i: number) => (i % blockPx) + Math.floor(i / blockPx);
const all = Array.from({ length: blockSize }, (_, i) => i);
/** Both halves have frequencies of all orders and directions. */
function halfOf(i: number): number {
  const place = ((i % blockPx) + 2 * Math.floor(i / blockPx)) % 3;
  return place < 2 ? place : (orderOf(i) >> 1) % 2;
}
const halves = [0, 1].map((half) => {
  const measuring = all.filter((i) => halfOf(i) === half && orderOf(i) >= 2);
  const finding = all.filter((i) => halfOf(i) !== half && orderOf(i) >= 1 && orderOf(i) <= 4);
  return { measuring, finding };
});
/** Texture is seldom alike strong in all of these orders. */
const bands = [
  [2, 3],
  [3, 4],
  [4, 6],
  [6, 9],
  [9, 14],
] as const;

/** Squared angular frequency, in radians a pixel. */
const frequencySquared = all.map(
  (i) => (Math.PI / blockPx) ** 2 * ((i % blockPx) ** 2 + Math.floor(i / blockPx) ** 2),
);
/** Of a Gaussian that makes white noise soft, in pixels squared. */
const softnesses = [0, 0.2, 0.3, 0.4, 0.5, 0.6].map((px) => px ** 2);
/** A picture's own detail has the spectrum of the softest one as well. */
const ofDetail = { from: 0.3, part: 0.4 };
/** So much better a spectrum must fit than that of white noise, in squared deviations. */
const leastBetter = 6;

/** What a frequency shows over some blocks. */
interface Seen {
  i: number;
  /** As if nothing were clipped. */
  step: number;
  /** Of the squares of its coefficients, in steps. */
  mean: number;
  blocks: number;
}

interface Fit {
  /** Deviation of a coefficient of frequency 0. */
  level: number;
  error: number;
  softness: number;
  /** The sum of the squared deviations from what this level would leave. */
  misfit: number;
}

const gainAt = (i: number, softness: number) =>
  Math.exp((-softness * (frequencySquared[i] as number)) / 2);

/** The likeliest level for this softness: by bisection, each frequency weighted by what it tells. */
function fit(seen: readonly Seen[], softness: number): Fit {
  let [low, high] = [0.05, 120];
  for (let turn = 0; turn < 20; turn += 1) {
    const middle = Math.sqrt(low * high);
    if (slopeAt(seen, softness, middle).slope > 0) low = middle;
    else high = middle;
  }
  const level = Math.sqrt(low * high);
  const { information } = slopeAt(seen, softness, level);
  const misfit = seen.reduce((sum, { i, step, mean, blocks }) => {
    const expected = roundedMoments((level * gainAt(i, softness)) / step);
    return sum + (blocks * (mean - expected.mean) ** 2) / (expected.variance + leastVariance);
  }, 0);
  return { level, error: 1 / Math.sqrt(information + 1e-12), softness, misfit };
}

const leastVariance = 1e-4;

/** Of the logarithm of the likelihood over the level, and what all frequencies tell of it (Fisher's information). */
function slopeAt(seen: readonly Seen[], softness: number, level: number) {
  let slope = 0;
  let information = 0;
  for (const { i, step, mean, blocks } of seen) {
    const steps = (level * gainAt(i, softness)) / step;
    const here = roundedMoments(steps);
    const grows = (roundedMoments(1.05 * steps).mean - here.mean) / (0.05 * level);
    const weight = (grows * blocks) / (here.variance + 1e-9);
    slope += weight * (mean - here.mean);
    information += weight * grows;
  }
  return { slope, information };
}

/** With the share of the level that clipping left. */
interface Clipped {
  block: QuantisedBlock;
  left: number;
}

/** Blocks that clipping left less of do not count, unless there are hardly others. */
const leastLeft = { usual: 0.6, atAll: 0.3 };
const fewUnclipped = 16;
const fewestBlocks = 4;
const mostRounds = 6;
/** More tell no better. */
const mostBlocks = 6144;

/** Deviation of brightness over that of each colour: 0.67 of white noise, 1 of what is alike in all three. */
const lumaShare = 0.68;

/**
 * The level is that of places where nothing is clipped.
 * @param steps the quantiser's, row by row
 */
export function noiseBeforeJpeg(seen: readonly QuantisedBlock[], steps: readonly number[]): Noise {
  const every = Math.ceil(seen.length / mostBlocks);
  const blocks = seen.filter((_, n) => n % every === 0);
  const colours = blocks[0]?.rooms.length === 1 ? 1 : lumaShare;
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
  const withLeft = blocks.map((block) => ({ block, left: leftOf(block.rooms, level) }));
  const usual = withLeft.filter(({ left }) => left >= leastLeft.usual);
  if (usual.length >= fewUnclipped) return usual;
  return withLeft
    .toSorted((a, b) => b.left - a.left)
    .slice(0, fewUnclipped)
    .filter(({ left }) => left > leastLeft.atAll);
}

interface Found {
  /** Of brightness, in levels. */
  deviation: number;
  softness: number;
  /** How much of it is noise and no texture, 0 to 1. */
  noisePart: number;
}

function measure(blocks: readonly Clipped[], steps: readonly number[]): Found {
  const { seen, chosen } = chooseBlocks(blocks, steps);
  const fits = softnesses.map((softness) => fit(seen, softness));
  const [white, ...soft] = fits as [Fit, ...Fit[]];
  const softest = soft.reduce((best, own) => (own.misfit < best.misfit ? own : best));
  const best = softest.misfit < white.misfit - leastBetter ? softest : white;
  const level = best.level * lowestBand(seen, best);
  const power = all.reduce((sum, i) => sum + gainAt(i, best.softness) ** 2, 0) / blockSize;
  return {
    deviation: level * Math.sqrt(power),
    softness: best.softness,
    noisePart: visiblePart(seen, level) * evenPart(seen, chosen, steps, best),
  };
}

const fewestChosen = 10;
const leastChosenShare = 0.01;
/** The next blocks may hold so much more, and so many deviations of chance. */
const alike = { factor: 1.02, deviations: 1.5 };

type Chosen = { measuring: readonly number[]; sorted: readonly Clipped[] }[];

/** The flattest blocks, twice as many again and again as long as those that are added hold no more. */
function chooseBlocks(blocks: readonly Clipped[], steps: readonly number[]) {
  const orders: Chosen = halves.map(({ measuring, finding }) => ({
    measuring,
    sorted: sortedByFlatness(blocks, finding),
  }));
  const between = (from: number, to: number) =>
    orders.map(({ measuring, sorted }) => ({ measuring, sorted: sorted.slice(from, to) }));
  const least = Math.max(fewestChosen, Math.round(blocks.length * leastChosenShare));
  let count = Math.min(blocks.length, least);
  let now = fit(seenIn(between(0, count), steps), 0);
  while (2 * count <= blocks.length) {
    const next = fit(seenIn(between(count, 2 * count), steps), 0);
    const chance = alike.deviations * Math.hypot(next.error, now.error);
    if (next.level > now.level * alike.factor + chance) break;
    count *= 2;
    now = fit(seenIn(between(0, count), steps), 0);
  }
  const chosen = between(0, count);
  return { chosen, seen: seenIn(chosen, steps) };
}

/** Of many blocks that compression left without any energy, those from everywhere are taken alike. */
const tieBreaker = (n: number) => ((n * 2_654_435_761) % 2 ** 32) * 1e-12;

function sortedByFlatness(blocks: readonly Clipped[], finding: readonly number[]): Clipped[] {
  const energies = blocks.map(({ block, left }, n) => {
    let energy = tieBreaker(n);
    for (const i of finding) energy += (block.values[i] as number) ** 2;
    return { n, energy: energy / left ** 2 };
  });
  return energies.toSorted((a, b) => a.energy - b.energy).map(({ n }) => blocks[n] as Clipped);
}

/** In steps, as the quantiser left it. */
const squareOf = ({ block }: Clipped, i: number, steps: readonly number[]) =>
  Math.round((block.values[i] as number) / (steps[i] as number)) ** 2;

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const seenIn = (chosen: Chosen, steps: readonly number[]): Seen[] =>
  chosen.flatMap(({ measuring, sorted }) => {
    const left = Math.sqrt(mean(sorted.map((own) => own.left ** 2)));
    return measuring.map((i) => ({
      i,
      step: (steps[i] as number) / left,
      mean: mean(sorted.map((own) => squareOf(own, i, steps))),
      blocks: sorted.length,
    }));
  });

/** 1, or less where some orders hold less than the others by more than chance. */
function lowestBand(seen: readonly Seen[], { level, softness }: Fit): number {
  const parts = bands.flatMap(([from, to]) => {
    const own = fit(
      seen.filter(({ i }) => orderOf(i) >= from && orderOf(i) <= to),
      softness,
    );
    return own.error < 0.5 * level + 2 ? [(own.level + 1.5 * own.error) / level] : [];
  });
  return Math.min(1, ...parts);
}

/** A level of so small a part of the lowest frequencies' steps is told by next to no coefficients. */
const visible = { from: 0.24, fully: 0.3 };

function visiblePart(seen: readonly Seen[], level: number): number {
  const lowest = seen.filter(({ i }) => orderOf(i) <= 3).map(({ step }) => step);
  const part = level / mean(lowest);
  return Math.min(Math.max((part - visible.from) / (visible.fully - visible.from), 0), 1);
}

/** Variances, relative to the power, over blocks and over frequencies, from which on it counts less and less. */
const uneven = { overBlocks: 0.5, overFrequencies: 0.1, until: 3 };

/** Noise scatters over blocks and frequencies by chance alone: what does more is texture. */
function evenPart(
  seen: readonly Seen[],
  chosen: Chosen,
  steps: readonly number[],
  best: Fit,
): number {
  const blocks = (seen[0] as Seen).blocks;
  const overFrequencies = Math.max(0, best.misfit / seen.length - 1) / blocks;
  const most = Math.max(
    varianceOverBlocks(chosen, steps, best) / uneven.overBlocks,
    overFrequencies / uneven.overFrequencies,
  );
  const even = Math.min(Math.max((uneven.until - most) / (uneven.until - 1), 0), 1);
  return best.softness > ofDetail.from ? even * ofDetail.part : even;
}

function varianceOverBlocks(chosen: Chosen, steps: readonly number[], best: Fit): number {
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
