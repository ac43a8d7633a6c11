/**
 * Fits the level of normally distributed noise to what a quantiser left of its coefficients. Noise may be
 * soft: a Gaussian may have taken off its higher frequencies.
 */
import { frequencySquared } from './block-transform.ts';
import { roundedMoments } from './normal-distribution.ts';

/** What the coefficients of one frequency show over some blocks. */
export interface SeenFrequency {
  i: number;
  /** The quantiser's step, enlarged by what clipping took, so that the level is that without clipping. */
  step: number;
  /** The mean of the squares of the coefficients, in steps. */
  mean: number;
  blocks: number;
}

export interface NoiseFit {
  /** The deviation of a coefficient of frequency 0, in levels. */
  level: number;
  error: number;
  softness: number;
  /** The sum of the squared deviations from what this level would leave. */
  misfit: number;
}

/** Gives how much of a coefficient is left by the Gaussian of a softness, 0..1. */
export const gainAt = (i: number, softness: number) =>
  Math.exp((-softness * (frequencySquared[i] as number)) / 2);

/** Finds the likeliest level for a softness by bisection; frequencies are weighted by their information. */
export function fitNoise(seen: readonly SeenFrequency[], softness: number): NoiseFit {
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

/** Gives the slope of the log-likelihood over the level, and Fisher's information of all frequencies. */
function slopeAt(seen: readonly SeenFrequency[], softness: number, level: number) {
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
