/**
 * A photo's noise from its flattest blocks: they are found by their lowest frequencies and measured by the others,
 * so that texture and edges count for neither (Ponomarenko et al. 2007, "An automatic approach to lossy
 * compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). What texture is left is known by what all colours
 * share. Cameras' noise is soft: its spectrum is fitted as a Gaussian's. What JPEG took off is put back from how
 * many coefficients are left above half a step.
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
  /** Products of the coefficients of two colours, a mean over their pairs: what all colours have alike. */
  shared: Float32Array;
}

/** The flattest blocks of what was seen, and how many were seen. */
interface FlatBlocks {
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
const mostShare = { plain: 0.01, quantised: 0.04 };
const fewestOfAll = 8;
/** The coarser the steps, the fewer coefficients are left in a block, and the more blocks it takes. */
const keptShareForStep = 0.0006;
const fewestKeptForStep = 4;

const order = (i: number) => (i % blockPx) + Math.floor(i / blockPx);
const all = Array.from({ length: blockSize }, (_, i) => i);
const between = (least: number, most: number) =>
  all.filter((i) => order(i) >= least && order(i) <= most);
/** By which blocks are found to be flat, and by which their noise is told. JPEG leaves little of the higher ones. */
const frequenciesOf = {
  plain: { finding: between(1, 3), measuring: between(4, 14) },
  quantised: { finding: between(1, 2), measuring: between(3, 14) },
};

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
      keep(
        flat,
        luma,
        planes,
        offset,
        width,
        frequenciesOf[places.ofLuma ? 'quantised' : 'plain'].finding,
      );
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
  finding: readonly number[],
): void {
  transformBlock(luma, offset, stride, coefficients);
  let energy = tieBreaker(flat.seen);
  for (const i of finding) energy += (coefficients[i] as number) ** 2;
  const { kept } = flat;
  if (kept.length >= 2 * mostKept) leaveFlattest(flat, mostKept);
  if (energy > flat.most) return;
  kept.push({ energy, ...powersIn(planes, offset, stride) });
}

const sums = new Float64Array(blockSize);

function powersIn(planes: Float32Array[], offset: number, stride: number) {
  const powers = new Float32Array(blockSize);
  sums.fill(0);
  for (const plane of planes) {
    transformBlock(plane, offset, stride, coefficients);
    for (const i of all) {
      const value = coefficients[i] as number;
      powers[i] = (powers[i] as number) + value ** 2 / planes.length;
      sums[i] = (sums[i] as number) + value;
    }
  }
  // The square of a sum is the squares and twice the products of the pairs.
  const count = planes.length;
  const shared = powers.map((power, i) =>
    count < 2 ? power : ((sums[i] as number) ** 2 - count * power) / (count * (count - 1)),
  );
  return { powers, shared };
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
  const { measuring } = frequenciesOf[steps ? 'quantised' : 'plain'];
  const step = steps ? mean(measuring.map((i) => steps[i] as number)) : 0;
  const share = Math.max(keptShare, keptShareForStep * step);
  const fewest = fewestKept + fewestKeptForStep * step;
  const most = Math.max(
    fewestOfAll,
    Math.min(mostKept, flat.seen * mostShare[steps ? 'quantised' : 'plain'] + share),
  );
  const count = Math.round(Math.min(most, Math.max(fewest, flat.seen * share)));
  leaveFlattest(flat, count);
  if (flat.kept.length === 0) return { deviation: 0, softnessPx: 0 };
  return steps ? noiseBefore(flat.kept, steps) : plainNoiseOf(flat.kept);
}

const meanPowers = (blocks: readonly Block[], of: (block: Block) => Float32Array): number[] =>
  all.map((i) => mean(blocks.map((block) => of(block)[i] as number)));

/** Of what a JPEG's quantiser left. */
function noiseBefore(kept: Block[], steps: readonly number[]): Noise {
  const { finding, measuring } = frequenciesOf.quantised;
  const blocks = withoutBusy(kept, steps);
  const powers = meanPowers(blocks, ({ powers: own }) => own);
  const restored = powersBefore(blocks, powers, steps);
  const noise =
    restored.size >= fewestRestored
      ? fitted([...restored], blocks.length)
      : fittedTo(powers, measuring, blocks.length);
  return withoutTexture(
    noise,
    mean(finding.map((i) => powers[i] as number)),
    excessOfChance.quantised,
  );
}

const fittedTo = (powers: readonly number[], frequencies: readonly number[], blocks: number) =>
  fitted(
    frequencies.map((i) => [i, (powers[i] as number) - roundingPower]),
    blocks,
  );

/**
 * Texture moves all colours alike, and most noise each by itself. So what they share counts only where it is spread
 * over the blocks as chance would have it, or level over the frequencies; else what each has of its own tells the noise.
 */
function plainNoiseOf(kept: Block[]): Noise {
  const { finding, measuring } = frequenciesOf.plain;
  const blocks = withoutRough(kept);
  const powers = meanPowers(blocks, ({ powers: own }) => own);
  const noise = fittedTo(powers, measuring, blocks.length);
  const lowPower = mean(finding.map((i) => powers[i] as number));
  const shared = meanPowers(blocks, (block) => block.shared);
  const sharedPart = sumOf(shared, measuring) / Math.max(leastPower, sumOf(powers, measuring));
  const excess = lowPower / Math.max(noise.deviation ** 2, leastPower);
  const uneven = unevennessOf(kept, powers, sharedPart);
  const isChance = spreadByChance.some(
    ({ mostUneven, mostExcess }) => uneven <= mostUneven && excess <= mostExcess,
  );
  if (isChance || isWhite(noise)) return noise;
  if (sharedPart > greyFrom) return withoutTexture(noise, lowPower, usualOfGrey);
  const own = powers.map((power, i) => power - (shared[i] as number));
  const ownNoise = fittedTo(own, measuring, blocks.length);
  if (isWhite(ownNoise)) return ownNoise;
  const ownLowPower = mean(finding.map((i) => own[i] as number));
  return withoutTexture(ownNoise, ownLowPower, excessOfChance.plain);
}

/** Texture has the less the higher the frequency, and so has a picture's blur: what is level is noise, whatever else. */
const isWhite = ({ slope }: Fit) => Math.abs(slope) <= mostSlope;
/** Three deviations of what eight blocks of noise that all colours share come to. */
const mostSlope = 0.0625;

const sumOf = (powers: readonly number[], frequencies: readonly number[]) =>
  frequencies.reduce((sum, i) => sum + (powers[i] as number), 0);

/** Of a picture whose colours share more there is no colour that could tell. */
const greyFrom = 0.995;
const usualOfGrey = 2;
/** The more evenly it is spread, the more of the lowest frequencies may be beside what is still noise. */
const spreadByChance = [
  { mostUneven: 1.1, mostExcess: 6 },
  { mostUneven: 1.6, mostExcess: 2 },
  { mostUneven: Infinity, mostExcess: 1.3 },
];
/** Of a normal distribution's quartiles, in deviations. */
const betweenQuartiles = 1.35;

/** How much more the blocks' powers differ than those of noise with these powers would: 1 as much. */
function unevennessOf(blocks: readonly Block[], powers: readonly number[], sharedPart: number) {
  const { measuring } = frequenciesOf.plain;
  const own = blocks
    .map((block) => mean(measuring.map((i) => block.powers[i] as number)))
    .toSorted((a, b) => a - b);
  const at = (share: number) => Math.max(leastPower, own[Math.floor(own.length * share)] as number);
  const found = Math.log(at(0.75) / at(0.25)) / betweenQuartiles;
  const squares = measuring.reduce((sum, i) => sum + (powers[i] as number) ** 2, 0);
  const ofOneColour = (2 * squares) / Math.max(leastPower, sumOf(powers, measuring)) ** 2;
  return found / Math.sqrt((ofOneColour * (1 + 2 * sharedPart ** 2)) / 3);
}

/** Noise is alike strong in all blocks: what has so much more than a quiet quarter of them holds texture. */
const roughFrom = 1.7;

function withoutRough(blocks: Block[]): Block[] {
  const own = blocks.map(({ powers }) =>
    mean(frequenciesOf.plain.measuring.map((i) => powers[i] as number)),
  );
  const quiet = own.toSorted((a, b) => a - b)[Math.floor(blocks.length / 4)] as number;
  return blocks.filter((_, i) => (own[i] as number) <= roughFrom * quiet);
}

const busyFrom = 1.5;

/** The same of what a quantiser left: how many coefficients of a block are no zeros scatters as counts do. */
function withoutBusy(blocks: Block[], steps: readonly number[]): Block[] {
  const { measuring } = frequenciesOf.quantised;
  const counts = blocks.map(
    ({ powers }) =>
      measuring.filter((i) => (powers[i] as number) > ((steps[i] as number) / 2) ** 2).length,
  );
  const quiet = counts.toSorted((a, b) => a - b)[Math.floor(blocks.length / 4)] as number;
  const most = quiet + busyFrom * Math.sqrt(quiet) + 1;
  return blocks.filter((_, i) => (counts[i] as number) <= most);
}

/** Few blocks, and soft noise, have more of it than white noise would. */
const excessOfChance = { plain: 3, quantised: 1.4 };

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

/** A line through fewer frequencies tells nothing. */
const fewestRestored = 4;
/** A single block with a coefficient left is chance. */
const fewestLeft = 2;

/** Powers before a quantiser, for frequencies of which it left enough. */
function powersBefore(
  blocks: readonly Block[],
  powers: readonly number[],
  steps: readonly number[],
): Map<number, number> {
  const found = new Map<number, number>();
  for (const i of frequenciesOf.quantised.measuring) {
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

/** The share of frequencies that lie below the one which tells the noise, and how many deviations that is. */
const floor = { share: 0.2, deviations: 0.84 };

interface Fit extends Noise {
  /** Of the logarithm of the powers over squared frequency: 0 of white noise, below it of soft one. */
  slope: number;
}

/**
 * A line through the logarithms of the powers over squared frequency: a Gaussian's spectrum. Noise scatters about
 * it by chance alone, so a low one of its frequencies tells it all; texture stands out at some.
 */
function fitted(powers: readonly (readonly [number, number])[], blocks: number): Fit {
  const xs = powers.map(([i]) => frequencySquared[i] as number);
  const ys = powers.map(([, power]) => Math.log(Math.max(leastPower, power)));
  const [x, y] = [mean(xs), mean(ys)];
  const spread = mean(xs.map((value) => (value - x) ** 2));
  const slope = mean(xs.map((value, k) => (value - x) * ((ys[k] as number) - y))) / spread;
  const softness = Math.min(Math.max(-slope, 0), mostSoftness ** 2);
  const off = ys.map((value, k) => value - y - softness * (x - (xs[k] as number)));
  const low = off.toSorted((a, b) => a - b)[Math.floor(off.length * floor.share)] as number;
  const level = y + Math.min(0, low + floor.deviations * Math.sqrt(2 / blocks) + tolerated);
  const power = mean(frequencySquared.map((square) => Math.exp(level + softness * (x - square))));
  const deviation = power <= 2 * leastPower ? 0 : Math.sqrt(power);
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(softness), slope };
}

/** Spectra of cameras are no Gaussian's exactly. */
const tolerated = 0.1;
