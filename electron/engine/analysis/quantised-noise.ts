/**
 * Fits the level of normally distributed noise to its quantised coefficients. Noise may be soft: a Gaussian
 * may have attenuated its higher frequencies.
 */
import { frequencySquared } from './block-transform.ts';
import { roundedMoments } from './normal-distribution.ts';

/** Coefficients of one frequency over some blocks. */
export interface FrequencySample {
  i: number;
  /** The quantiser's step, enlarged by what clipping removed, so that the level is that without clipping. */
  step: number;
  /** Mean of the squared coefficients, in steps. */
  mean: number;
  blocks: number;
}

export interface NoiseFit {
  /** Deviation of a coefficient of frequency 0, in levels. */
  level: number;
  error: number;
  softness: number;
  /** Sum of the squared deviations from what this level would leave. */
  misfit: number;
}

/** Remaining share of a coefficient after a Gaussian of a softness, 0..1. */
export const gainAt = (i: number, softness: number) =>
  Math.exp((-softness * (frequencySquared[i] as number)) / 2);

/** Maximum-likelihood level for a softness, by bisection; frequencies are weighted by their information. */
export function fitNoise(samples: readonly FrequencySample[], softness: number): NoiseFit {
  let [low, high] = [0.05, 120];
  for (let turn = 0; turn < 20; turn += 1) {
    const middle = Math.sqrt(low * high);
    if (slopeAt(samples, softness, middle).slope > 0) low = middle;
    else high = middle;
  }
  const level = Math.sqrt(low * high);
  const { information } = slopeAt(samples, softness, level);
  const misfit = samples.reduce((sum, { i, step, mean, blocks }) => {
    const expected = roundedMoments((level * gainAt(i, softness)) / step);
    return sum + (blocks * (mean - expected.mean) ** 2) / (expected.variance + minVariance);
  }, 0);
  return { level, error: 1 / Math.sqrt(information + 1e-12), softness, misfit };
}

const minVariance = 1e-4;

/** Slope of the log likelihood over the level, and Fisher information of all frequencies. */
function slopeAt(samples: readonly FrequencySample[], softness: number, level: number) {
  let slope = 0;
  let information = 0;
  for (const { i, step, mean, blocks } of samples) {
    const steps = (level * gainAt(i, softness)) / step;
    const here = roundedMoments(steps);
    const grows = (roundedMoments(1.05 * steps).mean - here.mean) / (0.05 * level);
    const weight = (grows * blocks) / (here.variance + 1e-9);
    slope += weight * (mean - here.mean);
    information += weight * grows;
  }
  return { slope, information };
}
