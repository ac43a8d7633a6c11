/**
 * A photo's noise from its flattest blocks: they are found by their lowest frequencies and measured by the others,
 * so that texture and edges count for neither (Ponomarenko et al. 2007, "An automatic approach to lossy
 * compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). Cameras' noise is soft: its spectrum is
 * fitted as a Gaussian's. What JPEG took off is put back from how many coefficients are left above half a step.
 */
import { blockPx, blockSize, transformBlock } from './block-transform.ts';
import { isBlind } from './pixel-quality.ts';
import type { SampleWindow } from './picture-sample.ts';

export interface Noise {
  /** Standard deviation in a colour, in levels of 255. */
  deviation: number;
  /** Deviation in pixels of the Gaussian that makes white noise as soft; 0: it is white. */
  softnessPx: number;
}

interface Block {
  /** Of the frequencies by which flat blocks are found. */
  energy: number;
  /** Squared coefficients, a mean over the colours. */
  powers: Float32Array;
}

/** The flattest blocks of what was seen, and how many were seen. */
export interface FlatBlocks {
  kept: Block[];
  seen: number;
  /** Blocks of more energy are not among the flattest any more. */
  most: number;
}

export const createFlatBlocks = (): FlatBlocks => ({ kept: [], seen: 0, most: Infinity });

const mostKept = 512;
const keptShare = 0.005;
const fewestKept = 24;
/** Of a small picture no more, for beyond these its blocks are not flat. */
const mostShare = 0.01;
const fewestOfAll = 8;
/** The coarser the steps, the fewer coefficients are left in a block, and the more blocks it takes. */
const keptShareForStep = 0.0006;
const fewestKeptForStep = 4;

const order = (i: number) => (i % blockPx) + Math.floor(i / blockPx);
const all = Array.from({ length: blockSize }, (_, i) => i);
const finding = all.filter((i) => order(i) >= 1 && order(i) <= 3);
const measuring = all.filter((i) => order(i) >= 4);

const coefficients = new Float64Array(blockSize);

/** Which blocks are looked at: those that begin at `x`, `y` and every so many pixels from there. */
export interface BlockPlaces {
  x: number;
  y: number;
  everyPx: number;
  /** Of brightness alone, as JPEG quantises it; else of the colours. */
  ofLuma: boolean;
}

export function addFlatBlocks(flat: FlatBlocks, window: SampleWindow, places: BlockPlaces): void {
  const { width, height, luma, colours, blind } = window;
  const { everyPx } = places;
  const planes = places.ofLuma ? [luma] : colours;
  const first = (at: number, phase: number) => (((phase - at) % everyPx) + everyPx) % everyPx;
  for (let row = first(window.y, places.y); row + blockPx <= height; row += everyPx) {
    for (let x = first(window.x, places.x); x + blockPx <= width; x += everyPx) {
      const offset = row * width + x;
      if (isBlind(blind, offset, width)) continue;
      flat.seen += 1;
      keep(flat, luma, planes, offset, width);
    }
  }
}

function leaveFlattest(flat: FlatBlocks, count: number): void {
  flat.kept.sort((a, b) => a.energy - b.energy);
  if (flat.kept.length <= count) return;
  flat.kept.length = count;
  flat.most = flat.kept.at(-1)?.energy ?? Infinity;
}

/** Of many blocks that compression left without any energy, those from everywhere are taken alike. */
const tieBreaker = (n: number) => ((n * 2_654_435_761) % 2 ** 32) * 1e-12;

function keep(
  flat: FlatBlocks,
  luma: Float32Array,
  planes: Float32Array[],
  offset: number,
  stride: number,
): void {
  transformBlock(luma, offset, stride, coefficients);
  let energy = tieBreaker(flat.seen);
  for (const i of finding) energy += (coefficients[i] as number) ** 2;
  const { kept } = flat;
  if (kept.length >= 2 * mostKept) leaveFlattest(flat, mostKept);
  if (energy > flat.most) return;
  const powers = new Float32Array(blockSize);
  for (const plane of planes) {
    transformBlock(plane, offset, stride, coefficients);
    for (const i of all)
      powers[i] = (powers[i] as number) + (coefficients[i] as number) ** 2 / planes.length;
  }
  kept.push({ energy, powers });
}

const rootOfTwoPi = Math.sqrt(2 * Math.PI);
/** Variance that rounding to whole levels leaves. */
const roundingPower = 1 / 12;
const leastPower = 0.01;

/** Squared angular frequency, in radians a pixel, of each coefficient. */
const frequencySquared = all.map(
  (i) => (Math.PI / blockPx) ** 2 * ((i % blockPx) ** 2 + Math.floor(i / blockPx) ** 2),
);

/**
 * @param steps the quantiser's of a JPEG, row by row: the blocks must then be of luma, and on its grid
 * Of a picture without a block that can tell (all clipped, or smaller than one) it is none.
 */
export function noiseOf(flat: FlatBlocks, steps?: readonly number[]): Noise {
  const step = steps ? mean(measuring.map((i) => steps[i] as number)) : 0;
  const share = Math.max(keptShare, keptShareForStep * step);
  const fewest = fewestKept + fewestKeptForStep * step;
  const most = Math.max(fewestOfAll, Math.min(mostKept, flat.seen * mostShare + share));
  const count = Math.round(Math.min(most, Math.max(fewest, flat.seen * share)));
  leaveFlattest(flat, count);
  if (flat.kept.length === 0) return { deviation: 0, softnessPx: 0 };
  const powers = all.map((i) => mean(flat.kept.map((block) => block.powers[i] as number)));
  const restored = steps ? powersBefore(flat.kept, powers, steps) : new Map<number, number>();
  const noise =
    restored.size >= fewestRestored
      ? fitted([...restored])
      : fitted(measuring.map((i) => [i, (powers[i] as number) - roundingPower]));
  const usual = excessOfChance[steps ? 'quantised' : 'plain'];
  return withoutTexture(noise, mean(finding.map((i) => powers[i] as number)), usual);
}

/** Few blocks, and soft noise, have more of it than white noise would. */
const excessOfChance = { plain: 2, quantised: 1.4 };

/**
 * In the flattest blocks noise leaves less at the lowest frequencies than at any other, for by these they were
 * found. What has more there is texture: of such a picture the measure tells the less the more it has.
 */
function withoutTexture(noise: Noise, lowPower: number, usual: number): Noise {
  const excess = lowPower / Math.max(noise.deviation ** 2, leastPower);
  if (excess <= usual) return noise;
  return { ...noise, deviation: (noise.deviation * usual) / excess };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A line through two frequencies tells nothing. */
const fewestRestored = 6;
/** Fewer blocks with a coefficient left are chance. */
const fewestLeft = 4;

/** Powers before a quantiser, for frequencies of which it left enough. */
function powersBefore(
  blocks: readonly Block[],
  powers: readonly number[],
  steps: readonly number[],
): Map<number, number> {
  const found = new Map<number, number>();
  for (const i of measuring) {
    const step = steps[i] as number;
    const left = blocks.filter(({ powers: own }) => (own[i] as number) > (step / 2) ** 2).length;
    if (left < fewestLeft) continue;
    const share = left / blocks.length;
    const deviation = step / 2 / deviationsWithin(1 - share);
    found.set(i, share > 0.6 ? Math.max(leastPower, powers[i] as number) : deviation ** 2);
  }
  return found;
}

/** Within how many deviations this share of normally distributed values lies: bisection on its integral. */
function deviationsWithin(share: number): number {
  let [low, high] = [0, 6];
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = (low + high) / 2;
    if (shareWithin(middle) < share) low = middle;
    else high = middle;
  }
  return Math.max(low, 1e-3);
}

/** Simpson's rule over the normal density from -z to z. */
function shareWithin(z: number): number {
  const pieces = 40;
  let sum = 0;
  for (let k = 0; k <= pieces; k += 1) {
    const weight = k === 0 || k === pieces ? 1 : k % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-0.5 * ((k * z) / pieces) ** 2);
  }
  return (2 * z * sum) / (3 * pieces * rootOfTwoPi);
}

/** Softer than this it is no noise of a camera but blur of the picture. */
const mostSoftness = 1.2;

/** A line through the logarithms of the powers over squared frequency: a Gaussian's spectrum. */
function fitted(powers: readonly (readonly [number, number])[]): Noise {
  const xs = powers.map(([i]) => frequencySquared[i] as number);
  const ys = powers.map(([, power]) => Math.log(Math.max(leastPower, power)));
  const [x, y] = [mean(xs), mean(ys)];
  const spread = mean(xs.map((value) => (value - x) ** 2));
  const slope = mean(xs.map((value, k) => (value - x) * ((ys[k] as number) - y))) / spread;
  const softness = Math.min(Math.max(-slope, 0), mostSoftness ** 2);
  const power = mean(frequencySquared.map((square) => Math.exp(y + softness * (x - square))));
  const deviation = power <= 2 * leastPower ? 0 : Math.sqrt(power);
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(softness) };
}
