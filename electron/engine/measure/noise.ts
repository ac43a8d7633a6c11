/**
 * Measures a photo's noise on its flattest blocks. They are found by their lowest frequencies and measured by
 * the others, so that texture and edges do not count (Ponomarenko et al. 2007, "An automatic approach to
 * lossy compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). The texture that is left is recognised
 * by what all colours share. The noise of cameras is soft, so a Gaussian is fitted to its spectrum. The level
 * is that of places where nothing is clipped: what clipping at black and white takes off elsewhere is put
 * back.
 */
import {
  blockSize,
  frequencies,
  frequenciesBetween,
  frequencySquared,
  transformBlock,
} from './block-transform.ts';
import { leftOf, roomOf } from './clipped-noise.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

export interface Noise {
  /** The standard deviation in each colour, in levels of 255. */
  deviation: number;
  /** The deviation, in pixels, of the Gaussian that makes white noise as soft; at 0 the noise is white. */
  softnessPx: number;
}

interface Block {
  /** The energy of the frequencies by which flat blocks are found. */
  energy: number;
  /** The squared coefficients, as a mean over the colours. */
  powers: Float32Array;
  /** The products of the coefficients of two colours, as a mean over their pairs: what all colours share. */
  shared: Float32Array;
  /** The room of each colour: from its mean to black or white, whichever is nearer, in levels. */
  rooms: readonly number[];
}

/** The flattest blocks so far, and how many blocks were seen. */
interface KeptBlocks {
  kept: Block[];
  seen: number;
  /** A block of more energy than this is not among the flattest. */
  most: number;
}

/**
 * The flattest blocks by their room: at least `fromRoom` levels, and less than the next entry's. They are
 * kept apart, because clipped blocks look the flattest.
 */
type FlatBlocks = (KeptBlocks & { fromRoom: number })[];

const roomsFrom = [1, 6, 12, 24, 40, 64];

export const createFlatBlocks = (): FlatBlocks =>
  roomsFrom.map((fromRoom) => ({ fromRoom, kept: [], seen: 0, most: Infinity }));

const mostKept = 512;
const keptShare = 0.005;
const fewestKept = 24;
/** At most this share of a small picture's blocks is kept, because its further blocks are not flat. */
const mostShare = 0.01;
const fewestOfAll = 8;

/** The frequencies by which flat blocks are found, and those by which their noise is measured. */
const finding = frequenciesBetween(1, 3);
const measuring = frequenciesBetween(4, 14);

const coefficients = new Float64Array(blockSize);

/** Adds a block at every `everyPx` pixels, except along the border, which often differs from the picture. */
export function addFlatBlocks(flat: FlatBlocks, window: SampleWindow, everyPx: number): void {
  const { width, colours } = window;
  const start = everyPx >> 1;
  const places = { x: start, y: start, everyPx, blindFrom: blindness.clear };
  for (const offset of blocksIn(window, places)) {
    const rooms = colours.map((plane) => roomOf(plane, offset, width));
    const least = Math.min(...rooms);
    const into = flat.findLast(({ fromRoom }) => least >= fromRoom);
    if (into) keep(into, window, offset, rooms);
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

/** The variance that rounding to whole levels leaves. */
const roundingPower = 1 / 12;
const leastPower = 0.01;

const mostRounds = 5;

/** Gives the noise; it is 0 for a picture without a usable block (all clipped, or the picture is smaller). */
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

/** Picks the flattest blocks with room for the noise; where these are too few, of those with most room. */
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
  frequencies.map((i) => mean(blocks.map((block) => of(block)[i] as number)));

const fittedTo = (powers: readonly number[], places: readonly number[], blocks: number) =>
  fitted(
    places.map((i) => [i, (powers[i] as number) - roundingPower]),
    blocks,
  );

/**
 * Measures the noise of blocks without their texture. Texture moves all colours alike, and most noise moves
 * each colour by itself. So what colours share counts only where it is spread over the blocks as chance
 * spreads it, or is level over the frequencies; otherwise what each colour has alone tells the noise.
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

/** Whether a spectrum is level, as only noise is: texture and blurred pictures have less high frequencies. */
const isWhite = ({ slope }: Fit) => Math.abs(slope) <= mostSlope;
/** This is three deviations of the slope of eight blocks with noise that all colours share. */
const mostSlope = 0.0625;

const sumOf = (powers: readonly number[], places: readonly number[]) =>
  places.reduce((sum, i) => sum + (powers[i] as number), 0);

/** Where colours share more than this, the picture is grey, and what a colour has alone tells nothing. */
const greyFrom = 0.995;
const usualOfGrey = 2;
/** The more evenly power is spread over blocks, the more excess at low frequencies still counts as noise. */
const spreadByChance = [
  { mostUneven: 1.1, mostExcess: 6 },
  { mostUneven: 1.6, mostExcess: 2 },
  { mostUneven: Infinity, mostExcess: 1.3 },
];
/** The distance between the quartiles of a normal distribution, in deviations. */
const betweenQuartiles = 1.35;

/** Tells how many times as much the blocks' powers differ as those of noise with these powers would. */
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

/** Noise is equally strong in all blocks: one with this many times the lower quartile's power has texture. */
const roughFrom = 1.7;

function withoutRough(blocks: Block[]): Block[] {
  const own = blocks.map(({ powers }) => mean(measuring.map((i) => powers[i] as number)));
  const quiet = own.toSorted((a, b) => a - b)[Math.floor(blocks.length / 4)] as number;
  return blocks.filter((_, i) => (own[i] as number) <= roughFrom * quiet);
}

/** The excess of the lowest frequencies that few blocks, or soft noise, have by chance. */
const excessOfChance = 3;

/**
 * Lowers the noise of a picture with texture. In the flattest blocks noise leaves less at the lowest
 * frequencies than at any others, because the blocks were found by them. More power there is texture, and the
 * more there is, the less of the measured deviation is noise.
 */
function withoutTexture(noise: Noise, lowPower: number, usual: number): Noise {
  const excess = lowPower / Math.max(noise.deviation ** 2, leastPower);
  if (excess <= usual) return noise;
  return { ...noise, deviation: (noise.deviation * usual) / excess };
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The softness of a camera's noise is at most this; what is softer is blur of the picture. */
const mostSoftness = 1.2;

/** The share of frequencies below the one that tells the noise, and its deviations below the mean. */
const floor = { share: 0.2, deviations: 0.84 };

interface Fit extends Noise {
  /** The slope of the powers' logarithm over squared frequency: 0 for white noise, below 0 for soft noise. */
  slope: number;
}

/**
 * Fits a line to the logarithms of the powers over squared frequency, which is the spectrum of a Gaussian.
 * Noise scatters about the line by chance alone, so a low frequency tells its level; texture stands out at
 * some frequencies.
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

/** The line may lie higher by this, because the spectra of cameras are not exactly those of a Gaussian. */
const tolerated = 0.1;
