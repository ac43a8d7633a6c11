/**
 * Finds a JPEG's quality from pixels alone, for files without that information (a PNG made from a JPEG). On
 * the block grid coefficients are multiples of the quantiser's steps, unlike in other pictures. Follows Fan
 * and de Queiroz 2003, but with the likelihood of libjpeg's whole tables instead of single steps.
 */
import { blockSize, frequenciesBetween, transformBlock } from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { stepsOfQuality } from '../../../packages/file-records/src/index.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** Deviation in levels by which rounding colours to integers moves a coefficient. */
const roundingDeviation = 0.42;
/** Share of coefficients that clipping or later changes moved off their multiple. */
const outlierShare = 0.08;
/** Below this, or this many deviations, a coefficient may be a moved zero, without information on a step. */
const minCoefficient = 2;
const minDeviations = 3.5;
/** Only these lowest frequencies have enough non-zero coefficients. */
const lowest = frequenciesBetween(1, 4);
/** Width of the histogram's classes, up to a magnitude of 256. */
const classWidth = 0.125;
const classes = 2048;

/** Histogram of magnitudes for each frequency; its size does not grow with the picture. */
type CoefficientCounts = Map<number, Uint32Array>;

export const createCounts = (): CoefficientCounts =>
  new Map(lowest.map((frequency) => [frequency, new Uint32Array(classes)]));

const coefficients = new Float64Array(blockSize);

/** Adds the window's unclipped blocks that are aligned to the grid. */
export function addCoefficients(
  counts: CoefficientCounts,
  window: SampleWindow,
  grid: Pick<BlockGrid, 'x' | 'y'>,
): void {
  for (const offset of blocksIn(window, { ...grid, blindFrom: blindness.clipped })) {
    transformBlock(window.luma, offset, window.width, coefficients);
    for (const [frequency, histogram] of counts) {
      const at = Math.round(Math.abs(coefficients[frequency] as number) / classWidth);
      if (at < classes) histogram[at] = (histogram[at] as number) + 1;
    }
  }
}

/** Minimum mean evidence per coefficient, in nats, against "not compressed". */
const minEvidence = 0.12;
const minCoefficients = 60;

/**
 * Finds the quality that explains the coefficients best; undefined if none does, because the picture is
 * (nearly) lossless.
 *
 * @param moved how far a later compression moved each of the 64 coefficients, as a standard deviation in
 *   levels; empty: there was none
 */
export function qualityOfCoefficients(
  counts: CoefficientCounts,
  moved: readonly number[] = [],
): number | undefined {
  const evidences = [...counts].map(([frequency, histogram]) => {
    const deviation = Math.hypot(roundingDeviation, moved[frequency] ?? 0);
    return { frequency, ...createEvidence(histogram, deviation) };
  });
  const total = evidences.reduce((sum, { count }) => sum + count, 0);
  if (total < minCoefficients) return undefined;
  let best: { quality: number; evidence: number } | undefined;
  for (let quality = 10; quality <= 97; quality += 1) {
    const steps = stepsOfQuality(quality);
    let evidence = 0;
    for (const { frequency, evidenceOf } of evidences)
      evidence += evidenceOf(steps[frequency] as number);
    if (!best || evidence >= best.evidence) best = { quality, evidence };
  }
  return best && best.evidence / total >= minEvidence ? best.quality : undefined;
}

interface FrequencyEvidence {
  /** Coefficients that count. */
  count: number;
  /** Sums over them the log likelihood ratio of this step against none. */
  evidenceOf: (step: number) => number;
}

/** Evidence of one frequency, cached by step, because many qualities share one. */
function createEvidence(histogram: Uint32Array, deviation: number): FrequencyEvidence {
  const first = Math.ceil(Math.max(minCoefficient, minDeviations * deviation) / classWidth);
  const known = new Map<number, number>();
  return {
    count: histogram.subarray(first).reduce((sum, own) => sum + own, 0),
    evidenceOf(step) {
      const found = known.get(step);
      if (found !== undefined) return found;
      const evidence = sumEvidence(histogram, first, step, deviation);
      known.set(step, evidence);
      return evidence;
    },
  };
}

/** Sums the evidence of the classes from `first` on. Steps are whole, so it repeats with every step's classes. */
function sumEvidence(
  histogram: Uint32Array,
  first: number,
  step: number,
  deviation: number,
): number {
  const period = step / classWidth;
  const folded = new Float64Array(period);
  let zeros = 0;
  for (let i = first; i < period / 2; i += 1) zeros += histogram[i] as number;
  for (let i = Math.max(first, Math.ceil(period / 2)), at = i % period; i < classes; i += 1) {
    folded[at] = (folded[at] as number) + (histogram[i] as number);
    at = at + 1 === period ? 0 : at + 1;
  }
  let evidence = zeros * Math.log(outlierShare);
  for (let at = 0; at < period; at += 1) {
    const count = folded[at] as number;
    if (count > 0) evidence += count * logRatio(at * classWidth, step, deviation);
  }
  return evidence;
}

/** Log likelihood ratio of a magnitude `above` a multiple of the step, 0 to below `step`. */
function logRatio(above: number, step: number, deviation: number): number {
  const off = above - Math.round(above / step) * step;
  const densityAt = (distance: number) => Math.exp(-0.5 * (distance / deviation) ** 2);
  const density = densityAt(off - step) + densityAt(off) + densityAt(off + step);
  const onMultiples = (step * density) / (deviation * Math.sqrt(2 * Math.PI));
  return Math.log(outlierShare + (1 - outlierShare) * onMultiples);
}
