/**
 * Measures a photo's noise on its flattest blocks. They are found by their lowest frequencies and measured by
 * the others, so that texture and edges do not count (Ponomarenko et al. 2007, "An automatic approach to
 * lossy compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). The texture that is left is recognised
 * by what all colours share. The noise of cameras is soft, so a Gaussian is fitted to its spectrum. The level
 * is that of places where nothing is clipped: what clipping at black and white takes off elsewhere is put
 * back.
 */
import { frequencies, frequenciesBetween, frequencySquared } from './block-transform.ts';
import { leftOf } from './clipped-noise.ts';
import type { Noise } from '../protocol/damage.ts';
import { finding, flattestOf, type FlatBlock, type FlatBlocks } from './flat-blocks.ts';

/** The frequencies by which the noise of flat blocks is measured. */
const measuring = frequenciesBetween(4, 14);

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
    const left = blocks.map(({ headrooms }) =>
      leftOf(headrooms, Math.max(deviation, found.deviation)),
    );
    const whole = deviation / Math.sqrt(mean(left.map((part) => part ** 2)));
    const isSame = Math.abs(whole - found.deviation) <= sameWithin * found.deviation;
    found = { deviation: whole, softnessPx };
    if (isSame) break;
  }
  return found;
}

const sameWithin = 0.02;

const meanPowers = (
  blocks: readonly FlatBlock[],
  of: (block: FlatBlock) => Float32Array,
): number[] => frequencies.map((i) => mean(blocks.map((block) => of(block)[i] as number)));

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
function plainNoiseOf(kept: FlatBlock[]): Noise {
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

/** Tells whether a spectrum is level, as only noise is: texture and blurred pictures have less high frequencies. */
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
function unevennessOf(blocks: readonly FlatBlock[], powers: readonly number[], sharedPart: number) {
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

function withoutRough(blocks: FlatBlock[]): FlatBlock[] {
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
