/** The parts of a mask: what of it hangs together, and apart from the rest. */
import type { Mask } from './mask-tensor.ts';

/** Pixels from here on that touch, also at a corner, are one part. */
export const partFrom = 0.25;
/** From here on a pixel counts as the subject's. */
const countsFrom = 0.5;

export interface MaskPart {
  /** Places in the mask's data. */
  pixels: number[];
  /** Of all its values. */
  sum: number;
  /** How many of its pixels count as the subject's. */
  count: number;
  /** The mean of those, in the mask that tells it. */
  certainty: number;
}

/** @param certainty tells how certain each part is, by its values at the same places */
export function partsOf(mask: Mask, certainty: Mask = mask): MaskPart[] {
  const seen = new Uint8Array(mask.data.length);
  const parts: MaskPart[] = [];
  mask.data.forEach((value, start) => {
    if (value < partFrom || seen[start] === 1) return;
    seen[start] = 1;
    const pixels = [start];
    for (const at of pixels)
      for (const next of neighboursOf(at, mask)) {
        if (seen[next] === 1 || (mask.data[next] as number) < partFrom) continue;
        seen[next] = 1;
        pixels.push(next);
      }
    parts.push({ pixels, ...measured(pixels, mask.data, certainty.data) });
  });
  return parts;
}

function measured(
  pixels: number[],
  data: Float32Array,
  certainty: Float32Array,
): Omit<MaskPart, 'pixels'> {
  const counting = pixels.filter((at) => (data[at] as number) >= countsFrom);
  const total = (of: Float32Array, some: number[]) =>
    some.reduce((sum, at) => sum + (of[at] as number), 0);
  return {
    sum: total(data, pixels),
    count: counting.length,
    certainty: counting.length === 0 ? 0 : total(certainty, counting) / counting.length,
  };
}

/** The up to eight places around one. */
export function neighboursOf(
  at: number,
  { width, height }: { width: number; height: number },
): number[] {
  const [column, row] = [at % width, Math.floor(at / width)];
  const found: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y += 1)
    for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x += 1)
      if (x !== column || y !== row) found.push(y * width + x);
  return found;
}
