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
  const deviations = new Map(lowest.map((i) => [i, Math.hypot(roundingDeviation, moved[i] ?? 0)]));
  const magnitudes = magnitudeCounts(counts, deviations);
  const total = magnitudes.reduce((sum, { count }) => sum + count, 0);
  if (total < minCoefficients) return undefined;
  const evidenceAt = cacheEvidence(magnitudes);
  let best: { quality: number; evidence: number } | undefined;
  for (let quality = 10; quality <= 97; quality += 1) {
    const steps = stepsOfQuality(quality);
    let evidence = 0;
    for (const frequency of lowest) evidence += evidenceAt(frequency, steps[frequency] as number);
    if (!best || evidence >= best.evidence) best = { quality, evidence };
  }
  return best && best.evidence / total >= minEvidence ? best.quality : undefined;
}

/** The coefficients of a frequency that have this magnitude, rounded to a class. */
interface MagnitudeCount {
  frequency: number;
  magnitude: number;
  deviation: number;
  count: number;
}

/** Caches the evidence for each step of a frequency, because many qualities share a step. */
function cacheEvidence(
  magnitudes: readonly MagnitudeCount[],
): (frequency: number, step: number) => number {
  const known = new Map<number, number>();
  const byFrequency = Map.groupBy(magnitudes, ({ frequency }) => frequency);
  return (frequency, step) => {
    const key = frequency * 1024 + step;
    const found = known.get(key);
    if (found !== undefined) return found;
    let evidence = 0;
    for (const { magnitude, count, deviation } of byFrequency.get(frequency) ?? [])
      evidence += count * evidenceOf(magnitude, step, deviation);
    known.set(key, evidence);
    return evidence;
  };
}

function magnitudeCounts(
  counts: CoefficientCounts,
  deviations: ReadonlyMap<number, number>,
): MagnitudeCount[] {
  const found: MagnitudeCount[] = [];
  for (const [frequency, histogram] of counts) {
    const deviation = deviations.get(frequency) ?? roundingDeviation;
    const minMagnitude = Math.max(minCoefficient, minDeviations * deviation);
    for (let i = Math.ceil(minMagnitude / classWidth); i < classes; i += 1) {
      const count = histogram[i] as number;
      if (count > 0) found.push({ frequency, magnitude: i * classWidth, deviation, count });
    }
  }
  return found;
}

/** Log likelihood ratio of a magnitude with this step against none. */
function evidenceOf(magnitude: number, step: number, deviation: number): number {
  const off = magnitude - Math.round(magnitude / step) * step;
  const isZero = magnitude < step / 2;
  const densityAt = (distance: number) => Math.exp(-0.5 * (distance / deviation) ** 2);
  const density = isZero ? 0 : densityAt(off - step) + densityAt(off) + densityAt(off + step);
  const onMultiples = (step * density) / (deviation * Math.sqrt(2 * Math.PI));
  return Math.log(outlierShare + (1 - outlierShare) * onMultiples);
}
