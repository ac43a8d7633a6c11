/**
 * Decides which parts of a mask belong to the subject. Networks also respond faintly to what resembles the
 * subject: a shadow, a pattern, a thing far behind. Such a part has a low certainty, which is comparable
 * between pictures, or a small size.
 */
import {
  flood,
  subjectComponents,
  minSubject,
  withComponentsAt,
} from '../../../raster/planes/components.ts';
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';

/** Removes small or uncertain parts of the mask with their soft borders; the largest part always stays. */
export function certainParts(
  mask: Mask,
  { partCertainty, smallPart }: Pick<MaskTuning, 'partCertainty' | 'smallPart'>,
): Mask {
  const parts = partsOf(mask);
  const [main] = parts.toSorted((one, other) => other.sum - one.sum);
  const minPx = smallPart * (main?.pixels.length ?? 0);
  const isCertain = ({ certainty, pixels }: MaskPart) =>
    certainty >= partCertainty && pixels.length >= minPx;
  const others = parts.filter((part) => part !== main && !isCertain(part));
  if (others.length === 0) return mask;
  const filtered = withComponentsAt(mask, others, 0);
  for (const { pixels } of others) clearSoftBorder([...pixels], mask, filtered.data);
  return filtered;
}

interface MaskPart {
  pixels: Int32Array;
  /** Sum of the mask's values in the part. */
  sum: number;
  /** Mean of the mask's values in the part. */
  certainty: number;
}

const partsOf = (mask: Mask): MaskPart[] =>
  subjectComponents(mask).map(({ pixels }) => {
    const sum = totalOf(mask.data, pixels);
    return { pixels, sum, certainty: sum / pixels.length };
  });

const totalOf = (values: Float32Array, pixels: Int32Array) =>
  pixels.reduce((sum, at) => sum + (values[at] as number), 0);

/** Clears the soft border of a part: pixels over which the mask falls, until it rises again or is 0. */
function clearSoftBorder(pixels: number[], mask: Mask, data: Float32Array): void {
  flood(pixels, mask, 8, (next, at) => {
    const value = data[next] as number;
    if (value === 0 || value >= minSubject || value > (mask.data[at] as number)) return false;
    data[next] = 0;
    return true;
  });
}
