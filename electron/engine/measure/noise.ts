/**
 * A photo's noise from its flattest blocks: they are found by their lowest frequencies and measured by the others,
 * so that texture and edges count for neither (Ponomarenko et al. 2007, "An automatic approach to lossy
 * compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). What texture is left is known by what all colours
 * share. Cameras' noise is soft: its spectrum is fitted as a Gaussian's. The level is that of places where nothing is
 * clipped: what black and white take of it elsewhere is put back.
 */
import { blockPx, blockSize, transformBlock } from './block-transform.ts';
import { leftOf, roomOf } from './clipped-noise.ts';
import { clearFrom, isBlind } from './pixel-quality.ts';
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
  /** From each colour's mean to black or white, whichever is nearer, in levels. */
  rooms: readonly number[];
}

/** The flattest blocks of what was seen, and how many were seen. */
interface KeptBlocks {
  kept: Block[];
  seen: number;
  /** Blocks of more energy are not among the flattest any more. */
  most: number;
}

/** Those with at least so many levels to black and white, and fewer than the next ones: clipped ones look flattest. */
type FlatBlocks = (KeptBlocks & { fromRoom: number })[];

const roomsFrom = [1, 6, 12, 24, 40, 64];

export const createFlatBlocks = (): FlatBlocks =>
  roomsFrom.map((fromRoom) => ({ fromRoom, kept: [], seen: 0, most: Infinity }));

const mostKept = 512;
const keptShare = 0.005;
const fewestKept = 24;
/** Of a small picture no more, for beyond these its blocks are not flat. */
const mostShare = 0.01;
const fewestOfAll = 8;

const order = (i: number) => (i % blockPx) + Math.floor(i / blockPx);
const all = Array.from({ length: blockSize }, (_, i) => i);
const between = (least: number, most: number) =>
  all.filter((i) => order(i) >= least && order(i) <= most);
/** By which blocks are found to be flat, and by which their noise is told. */
const finding = between(1, 3);
const measuring = between(4, 14);

const coefficients = new Float64Array(blockSize);

/** Looks at blocks at every so many pixels, not along the border, where a picture is often another one. */
export function addFlatBlocks(flat: FlatBlocks, window: SampleWindow, everyPx: number): void {
  const { width, height, colours, blind } = window;
  const start = everyPx >> 1;
  const first = (at: number) => (((start - at) % everyPx) + everyPx) % everyPx;
  for (let row = first(window.y); row + blockPx <= height; row += everyPx) {
    for (let x = first(window.x); x + blockPx <= width; x += everyPx) {
      const offset = row * width + x;
      if (isBlind(blind, offset, width, clearFrom)) continue;
      const rooms = colours.map((plane) => roomOf(plane, offset, width));
      const least = Math.min(...rooms);
      const into = flat.findLast(({ fromRoom }) => least >= fromRoom);
      if (into) keep(into, window, offset, rooms);
    }
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
  rooms: readonly number[],
): void {
  flat.seen += 1;
  transformBlock(luma, offset, width, coefficients);
  let energy = 0;
  for (const i of finding) energy += (coefficients[i] as number) ** 2;
  if (flat.kept.length >= 2 * mostKept) leaveFlattest(flat, mostKept);
  if (energy > flat.most) return;
  flat.kept.push({ energy, rooms, ...powersIn(colours, offset, width) });
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

/** Variance that rounding to whole levels leaves. */
const roundingPower = 1 / 12;
const leastPower = 0.01;

/** Squared angular frequency, in radians a pixel, of each coefficient. */
const frequencySquared = all.map(
  (i) => (Math.PI / blockPx) ** 2 * ((i % blockPx) ** 2 + Math.floor(i / blockPx) ** 2),
);

const mostRounds = 5;

/** Of a picture without a block that can tell (all clipped, or smaller than one) it is none. */
export function noiseOf(flat: FlatBlocks): Noise {
  let found: Noise = { deviation: 0, softnessPx: 0 };
  for (let round = 0; round < mostRounds; round += 1) {
    const blocks = flattestOf(flat, found.deviation);
    if (blocks.length === 0) break;
    const { deviation, softnessPx } = plainNoiseOf(blocks);
    const left = blocks.map(({ rooms }) => leftOf(rooms, Math.max(deviation, found.deviation)));
    const whole = deviation / Math.sqrt(mean(left.map((part) => part ** 2)));
    const isSame = Math.abs(whole - found.deviation) <= sameWithin * found.deviation;
    found = { deviation: whole, softnessPx };
    if (isSame) break;
  }
  return found;
}

const sameWithin = 0.02;

/** Of those with room for so much noise; where they are too few, of those with most. */
function flattestOf(flat: FlatBlocks, deviation: number): Block[] {
  const seen = flat.reduce((sum, own) => sum + own.seen, 0);
  const all: KeptBlocks = { kept: [], seen: 0, most: Infinity };
  for (const own of flat.toReversed()) {
    if (own.fromRoom < deviation && all.seen >= fewestRoomy * seen) break;
    all.kept.push(...own.kept);
    all.seen += own.seen;
  }
  const most = Math.max(fewestOfAll, Math.min(mostKept, all.seen * mostShare));
  leaveFlattest(all, Math.round(Math.min(most, Math.max(fewestKept, all.seen * keptShare))));
  return all.kept;
}

const fewestRoomy = 0.02;

const meanPowers = (blocks: readonly Block[], of: (block: Block) => Float32Array): number[] =>
  all.map((i) => mean(blocks.map((block) => of(block)[i] as number)));

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
  return withoutTexture(ownNoise, ownLowPower, excessOfChance);
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
  const own = blocks.map(({ powers }) => mean(measuring.map((i) => powers[i] as number)));
  const quiet = own.toSorted((a, b) => a - b)[Math.floor(blocks.length / 4)] as number;
  return blocks.filter((_, i) => (own[i] as number) <= roughFrom * quiet);
}

/** Few blocks, and soft noise, have more of it than white noise would. */
const excessOfChance = 3;

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
  const softness =
    Math.abs(slope) <= mostSlope ? 0 : Math.min(Math.max(-slope, 0), mostSoftness ** 2);
  const off = ys.map((value, k) => value - y - softness * (x - (xs[k] as number)));
  const low = off.toSorted((a, b) => a - b)[Math.floor(off.length * floor.share)] as number;
  const level = y + Math.min(0, low + floor.deviations * Math.sqrt(2 / blocks) + tolerated);
  const power = mean(frequencySquared.map((square) => Math.exp(level + softness * (x - square))));
  const deviation = power <= 2 * leastPower ? 0 : Math.sqrt(power);
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(softness), slope };
}

/** Spectra of cameras are no Gaussian's exactly. */
const tolerated = 0.1;
