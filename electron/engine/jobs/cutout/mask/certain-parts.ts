/**
 * Decides which parts of a mask belong to the subject. Networks also answer faintly for what resembles the
 * subject: a shadow, a pattern, a thing far behind. Such a part is recognised by its low certainty, which is
 * one measure for every picture, or by its small size.
 */
import {
  flood,
  subjectComponents,
  subjectFrom,
  withComponentsAt,
} from '../../../raster/planes/components.ts';
import type { MaskTuning } from '../../../../contract/models/model.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';

/**
 * Removes the parts of the mask that are small or not certain, together with their soft borders;
 * the largest part always stays. The certainty of a part may be measured on another mask of this
 * size: the one before a decision.
 */
export function certainParts(
  mask: Mask,
  { partCertainty, smallPart }: Pick<MaskTuning, 'partCertainty' | 'smallPart'>,
  before: Mask = mask,
): Mask {
  return largestAndMore(mask, before, partCertainty, smallPart);
}

/** Fills the holes of the mask that are not certain: the mask before the decision hardly had them. */
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
  /** This is the sum of the mask's values in the part. */
  sum: number;
  /** This is the mean of the values in the mask on which certainty is measured. */
  certainty: number;
}

/** Keeps the largest part, and those that are certain and have at least a share of the largest one's size. */
function largestAndMore(mask: Mask, before: Mask, certain: number, share: number): Mask {
  const parts = partsOf(mask, before);
  const [main] = parts.toSorted((one, other) => other.sum - one.sum);
  const least = share * (main?.pixels.length ?? 0);
  const isKept = ({ certainty, pixels }: Part) => certainty >= certain && pixels.length >= least;
  const others = parts.filter((part) => part !== main && !isKept(part));
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

/** Clears the soft border of a part: the places over which the mask falls, until it rises again or is 0. */
function clearSoftBorder(pixels: number[], mask: Mask, data: Float32Array): void {
  flood(pixels, mask, 8, (next, at) => {
    const value = data[next] as number;
    if (value === 0 || value >= subjectFrom || value > (mask.data[at] as number)) return false;
    data[next] = 0;
    return true;
  });
}
