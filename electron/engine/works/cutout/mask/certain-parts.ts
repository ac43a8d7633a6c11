/**
 * Which parts of a mask are the subject's. Beside what stands out, networks answer faintly for what
 * resembles it: a shadow, a pattern, a thing far behind. Such a part is told by its own certainty,
 * the same measure for every picture, or by how little it is.
 */
import {
  flood,
  subjectComponents,
  subjectFrom,
  withComponentsAt,
} from '../../../raster/planes/components.ts';
import type { MaskTuning } from '../../../../contract/model.ts';
import type { Mask } from './mask-tensor.ts';

/**
 * The mask without the parts that are small or not certain, down to where they end; the largest part
 * always stays. How certain they are may be told by another mask of this size: one from before a decision.
 */
export function certainParts(
  mask: Mask,
  { partCertainty, smallPart }: Pick<MaskTuning, 'partCertainty' | 'smallPart'>,
  before: Mask = mask,
): Mask {
  return largestAndMore(mask, before, partCertainty, smallPart);
}

/** The same of what lies around the subject and within it: a hole that a mask before hardly told is filled. */
export function certainHoles(
  mask: Mask,
  { holeCertainty }: Pick<MaskTuning, 'holeCertainty'>,
  before: Mask,
): Mask {
  return inverse(largestAndMore(inverse(mask), inverse(before), holeCertainty, 0));
}

const inverse = (mask: Mask): Mask => ({ ...mask, data: mask.data.map((value) => 1 - value) });

interface Part {
  pixels: Int32Array;
  /** Of all its values. */
  sum: number;
  /** The mean of its values in the mask that tells it. */
  certainty: number;
}

/** The largest part, and others that are certain and have a share of its size. */
function largestAndMore(mask: Mask, before: Mask, certain: number, share: number): Mask {
  const parts = partsOf(mask, before);
  const [main] = parts.toSorted((one, other) => other.sum - one.sum);
  const least = share * (main?.pixels.length ?? 0);
  const isIts = ({ certainty, pixels }: Part) => certainty >= certain && pixels.length >= least;
  const others = parts.filter((part) => part !== main && !isIts(part));
  if (others.length === 0) return mask;
  const filtered = withComponentsAt(mask, others, 0);
  for (const { pixels } of others) clearSoftBorder([...pixels], mask, filtered.data);
  return filtered;
}

const partsOf = (mask: Mask, before: Mask): Part[] =>
  subjectComponents(mask).map(({ pixels }) => ({
    pixels,
    sum: totalOf(mask.data, pixels),
    certainty: totalOf(before.data, pixels) / pixels.length,
  }));

const totalOf = (values: Float32Array, places: Int32Array) =>
  places.reduce((sum, at) => sum + (values[at] as number), 0);

/** Clears the soft border of a part: where the mask falls away from it, until it rises again or is 0. */
function clearSoftBorder(pixels: number[], mask: Mask, data: Float32Array): void {
  flood(pixels, mask, 8, (next, at) => {
    const value = data[next] as number;
    if (value === 0 || value >= subjectFrom || value > (mask.data[at] as number)) return false;
    data[next] = 0;
    return true;
  });
}
