/**
 * Measures a photo's noise on its flattest blocks, selected by their lowest frequencies and measured by the
 * others, so that texture and edges do not count (Ponomarenko et al. 2007, "An automatic approach to lossy
 * compression of AVIRIS images"; Colom and Buades 2013, IPOL 3). Remaining texture is recognised by what all
 * colours share. Cameras' noise is soft, so a Gaussian is fitted to its spectrum. The level is that of
 * unclipped areas: what clipping at black and white removes elsewhere is compensated.
 */
import { frequencies, frequenciesBetween, frequencySquared } from './block-transform.ts';
import { remainingShare } from './clipped-noise.ts';
import type { Noise } from '../protocol/damage.ts';
import {
  selectingFrequencies,
  flattestOf,
  type FlatBlock,
  type FlatBlocks,
} from './flat-blocks.ts';

/** The frequencies that measure the noise of flat blocks. */
const measuringFrequencies = frequenciesBetween(4, 14);

/** Variance of rounding to integer levels. */
const roundingPower = 1 / 12;
const minPower = 0.01;

const maxRounds = 5;

/** Returns the noise; 0 for a picture without a usable block (all clipped, or the picture is smaller). */
export function noiseOf(flat: FlatBlocks): Noise {
  let found: Noise = { deviation: 0, softnessPx: 0 };
  for (let round = 0; round < maxRounds; round += 1) {
    const blocks = flattestOf(flat, found.deviation);
    if (blocks.length === 0) break;
    const { deviation, softnessPx } = textureFreeNoise(blocks);
    const remaining = blocks.map(({ headrooms }) =>
      remainingShare(headrooms, Math.max(deviation, found.deviation)),
    );
    const unclipped = deviation / Math.sqrt(mean(remaining.map((part) => part ** 2)));
    const isSame = Math.abs(unclipped - found.deviation) <= sameWithin * found.deviation;
    found = { deviation: unclipped, softnessPx };
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
 * Measures the noise of blocks without their texture. Texture moves all colours alike, most noise each colour
 * separately. So what colours share counts only if it is distributed over the blocks as by chance, or flat
 * over the frequencies; otherwise only what each colour has alone counts.
 */
function textureFreeNoise(candidates: FlatBlock[]): Noise {
  const blocks = withoutRough(candidates);
  const powers = meanPowers(blocks, ({ powers: own }) => own);
  const noise = fittedTo(powers, measuringFrequencies, blocks.length);
  const lowPower = mean(selectingFrequencies.map((i) => powers[i] as number));
  const shared = meanPowers(blocks, (block) => block.shared);
  const sharedPart =
    sumOf(shared, measuringFrequencies) / Math.max(minPower, sumOf(powers, measuringFrequencies));
  const excess = lowPower / Math.max(noise.deviation ** 2, minPower);
  const uneven = unevennessOf(candidates, powers, sharedPart);
  const isChance = chanceLimits.some(
    ({ maxUnevenness, maxExcess }) => uneven <= maxUnevenness && excess <= maxExcess,
  );
  if (isChance || isWhite(noise)) return noise;
  if (sharedPart > greyThreshold) return withoutTexture(noise, lowPower, typicalGreyExcess);
  const own = powers.map((power, i) => power - (shared[i] as number));
  const ownNoise = fittedTo(own, measuringFrequencies, blocks.length);
  if (isWhite(ownNoise)) return ownNoise;
  const ownLowPower = mean(selectingFrequencies.map((i) => own[i] as number));
  return withoutTexture(ownNoise, ownLowPower, excessOfChance);
}

/** Whether a spectrum is flat, as only noise is: texture and blur have weaker high frequencies. */
const isWhite = ({ slope }: SpectrumFit) => Math.abs(slope) <= maxSlope;
/** Three standard deviations of the slope for eight blocks with noise that all colours share. */
const maxSlope = 0.0625;

const sumOf = (powers: readonly number[], places: readonly number[]) =>
  places.reduce((sum, i) => sum + (powers[i] as number), 0);

/** Above this shared part the picture is grey, and what a colour has alone means nothing. */
const greyThreshold = 0.995;
const typicalGreyExcess = 2;
/** The more evenly power is distributed over blocks, the more low-frequency excess still counts as noise. */
const chanceLimits = [
  { maxUnevenness: 1.1, maxExcess: 6 },
  { maxUnevenness: 1.6, maxExcess: 2 },
  { maxUnevenness: Infinity, maxExcess: 1.3 },
];
/** Interquartile range of a normal distribution, in standard deviations. */
const betweenQuartiles = 1.35;

/** Dispersion of the blocks' powers relative to that of noise with these powers. */
function unevennessOf(blocks: readonly FlatBlock[], powers: readonly number[], sharedPart: number) {
  const own = blocks
    .map((block) => mean(measuringFrequencies.map((i) => block.powers[i] as number)))
    .toSorted((a, b) => a - b);
  const at = (share: number) => Math.max(minPower, own[Math.floor(own.length * share)] as number);
  const found = Math.log(at(0.75) / at(0.25)) / betweenQuartiles;
  const squares = measuringFrequencies.reduce((sum, i) => sum + (powers[i] as number) ** 2, 0);
  const ofOneColour = (2 * squares) / Math.max(minPower, sumOf(powers, measuringFrequencies)) ** 2;
  return found / Math.sqrt((ofOneColour * (1 + 2 * sharedPart ** 2)) / 3);
}

/**
 * Noise is equally strong in all blocks: one with this multiple of the lower quartile's power has texture.
 */
const roughFrom = 1.7;

function withoutRough(blocks: FlatBlock[]): FlatBlock[] {
  const own = blocks.map(({ powers }) =>
    mean(measuringFrequencies.map((i) => powers[i] as number)),
  );
  const quiet = own.toSorted((a, b) => a - b)[Math.floor(blocks.length / 4)] as number;
  return blocks.filter((_, i) => (own[i] as number) <= roughFrom * quiet);
}

/** Low-frequency excess that few blocks, or soft noise, have by chance. */
const excessOfChance = 3;

/**
 * Lowers the noise of a picture with texture. In the flattest blocks noise has least power at the lowest
 * frequencies, because these selected the blocks. More power there is texture, and reduces the share of noise
 * in the measured deviation.
 */
function withoutTexture(noise: Noise, lowPower: number, typicalExcess: number): Noise {
  const excess = lowPower / Math.max(noise.deviation ** 2, minPower);
  if (excess <= typicalExcess) return noise;
  return { ...noise, deviation: (noise.deviation * typicalExcess) / excess };
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Maximum softness of cameras' noise; beyond, it is blur. */
const maxSoftness = 1.2;

/**
 * Quantile of frequencies that determines the level, and its distance below the mean in standard deviations.
 */
const floor = { share: 0.2, deviations: 0.84 };

interface SpectrumFit extends Noise {
  /** Slope of log power over squared frequency: 0 for white noise, negative for soft noise. */
  slope: number;
}

/**
 * Fits a line to log power over squared frequency, the spectrum of a Gaussian. Noise scatters about the line
 * only by chance, so a low quantile determines its level; texture stands out at some frequencies.
 */
function fitted(powers: readonly (readonly [number, number])[], blocks: number): SpectrumFit {
  const xs = powers.map(([i]) => frequencySquared[i] as number);
  const ys = powers.map(([, power]) => Math.log(Math.max(minPower, power)));
  const [x, y] = [mean(xs), mean(ys)];
  const spread = mean(xs.map((value) => (value - x) ** 2));
  const slope = mean(xs.map((value, k) => (value - x) * ((ys[k] as number) - y))) / spread;
  const softness =
    Math.abs(slope) <= maxSlope ? 0 : Math.min(Math.max(-slope, 0), maxSoftness ** 2);
  const off = ys.map((value, k) => value - y - softness * (x - (xs[k] as number)));
  const low = off.toSorted((a, b) => a - b)[Math.floor(off.length * floor.share)] as number;
  const level = y + Math.min(0, low + floor.deviations * Math.sqrt(2 / blocks) + lineTolerance);
  const power = mean(frequencySquared.map((square) => Math.exp(level + softness * (x - square))));
  const deviation = power <= 2 * minPower ? 0 : Math.sqrt(power);
  return { deviation, softnessPx: deviation === 0 ? 0 : Math.sqrt(softness), slope };
}

/** The line may be higher by this, because cameras' spectra are not exactly Gaussian. */
const lineTolerance = 0.1;
