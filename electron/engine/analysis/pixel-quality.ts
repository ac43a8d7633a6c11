/**
 * Finds a JPEG's quality from pixels alone, where the file does not tell it (a PNG made from a JPEG). On the
 * blocks' grid the coefficients lie on multiples of the quantiser's steps, as no other picture's do. The
 * method follows Fan and de Queiroz 2003, but the likelihood is taken over libjpeg's whole tables, not step
 * by step.
 */
import { blockSize, frequenciesBetween, transformBlock } from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { stepsOfQuality } from '../raster/jpeg-quality.ts';
import { blindness, blocksIn, type SampleWindow } from './picture-sample.ts';

/** Rounding colours to whole levels moves a coefficient by about this deviation, in levels. */
const roundingDeviation = 0.42;
/** The share of coefficients that clipping or later changes moved off their multiple. */
const strayShare = 0.08;
/** Below this, or this many deviations, a coefficient may be a moved zero, which tells nothing of a step. */
const leastCoefficient = 2;
const leastDeviations = 3.5;
/** Only these lowest frequencies have enough coefficients that are not zero. */
const lowest = frequenciesBetween(1, 4);
/** The coefficients of each frequency are counted in classes of this width, up to a magnitude of 256. */
const classWidth = 0.125;
const classes = 2048;

/** It tells how often each class of magnitudes occurs at each frequency; its size does not grow with the picture. */
type CoefficientCounts = Map<number, Uint32Array>;

export const createCounts = (): CoefficientCounts =>
  new Map(lowest.map((frequency) => [frequency, new Uint32Array(classes)]));

const coefficients = new Float64Array(blockSize);

/** Adds the window's blocks that lie on the grid and are nowhere clipped. */
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

/** The best quality must explain a coefficient better than "not compressed" does by this many nats. */
const leastEvidence = 0.12;
const leastCoefficients = 60;

/**
 * Finds the quality that explains the coefficients best; undefined when none does, as the picture is lossless
 * or nearly.
 * @param moved how far a later compression moved each of the 64 coefficients, as a standard deviation in
 *   levels; empty: there was none
 */
export function qualityOfCoefficients(
  counts: CoefficientCounts,
  moved: readonly number[] = [],
): number | undefined {
  const deviations = new Map(lowest.map((i) => [i, Math.hypot(roundingDeviation, moved[i] ?? 0)]));
  const places = placesOf(counts, deviations);
  const total = places.reduce((sum, { count }) => sum + count, 0);
  if (total < leastCoefficients) return undefined;
  const evidenceAt = rememberEvidence(places);
  let best: { quality: number; evidence: number } | undefined;
  for (let quality = 10; quality <= 97; quality += 1) {
    const steps = stepsOfQuality(quality);
    let evidence = 0;
    for (const frequency of lowest) evidence += evidenceAt(frequency, steps[frequency] as number);
    if (!best || evidence >= best.evidence) best = { quality, evidence };
  }
  return best && best.evidence / total >= leastEvidence ? best.quality : undefined;
}

type Place = ReturnType<typeof placesOf>[number];

/** Remembers the evidence for each step of a frequency, because many qualities share a step. */
function rememberEvidence(places: readonly Place[]): (frequency: number, step: number) => number {
  const known = new Map<number, number>();
  const byFrequency = Map.groupBy(places, ({ frequency }) => frequency);
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

function placesOf(counts: CoefficientCounts, deviations: ReadonlyMap<number, number>) {
  return [...counts].flatMap(([frequency, histogram]) => {
    const deviation = deviations.get(frequency) ?? roundingDeviation;
    const least = Math.max(leastCoefficient, leastDeviations * deviation);
    return Array.from(histogram, (count, i) => ({
      frequency,
      magnitude: i * classWidth,
      deviation,
      count,
    })).filter(({ magnitude, count }) => count > 0 && magnitude >= least);
  });
}

/** Gives the logarithm of how much likelier a magnitude is with this step than without any. */
function evidenceOf(magnitude: number, step: number, deviation: number): number {
  const off = magnitude - Math.round(magnitude / step) * step;
  const isZero = magnitude < step / 2;
  let density = 0;
  if (!isZero)
    for (const turn of [-1, 0, 1])
      density += Math.exp(-0.5 * ((off + turn * step) / deviation) ** 2);
  const onMultiples = (step * density) / (deviation * Math.sqrt(2 * Math.PI));
  return Math.log(strayShare + (1 - strayShare) * onMultiples);
}
