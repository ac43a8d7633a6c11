/**
 * Which parts of a mask are the subject's. Beside what stands out, networks answer faintly for what
 * resembles it: a shadow, a pattern, a thing far behind. Such a part is told by its own certainty,
 * the same measure for every picture.
 */
import type { Mask } from './mask-tensor.ts';

/** Pixels from here on that touch, also at a corner, are one part. */
const partFrom = 0.25;
/** From here on a pixel counts for how certain its part is. */
const countsFrom = 0.5;
/** The mean that a part has, at the least, over what counts. */
const leastPartCertainty = 0.85;

interface Part {
  pixels: number[];
  /** Of all its values. */
  sum: number;
  certainty: number;
}

/** The mask without the parts that are not certain, down to where they end; the largest part always stays. */
export function certainParts(mask: Mask): Mask {
  const parts = partsOf(mask);
  const [main] = parts.toSorted((one, other) => other.sum - one.sum);
  const unsure = parts.filter((part) => part !== main && part.certainty < leastPartCertainty);
  if (unsure.length === 0) return mask;
  const data = mask.data.slice();
  for (const { pixels } of unsure) for (const at of pixels) data[at] = 0;
  for (const { pixels } of unsure) clearFringe(pixels, mask, data);
  return { ...mask, data };
}

function partsOf(mask: Mask): Part[] {
  const seen = new Uint8Array(mask.data.length);
  const parts: Part[] = [];
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
    parts.push({ pixels, ...measured(pixels, mask.data) });
  });
  return parts;
}

function measured(pixels: number[], data: Float32Array): { sum: number; certainty: number } {
  const values = pixels.map((at) => data[at] as number);
  const counting = values.filter((value) => value >= countsFrom);
  const total = (some: number[]) => some.reduce((sum, value) => sum + value, 0);
  return {
    sum: total(values),
    certainty: counting.length === 0 ? 0 : total(counting) / counting.length,
  };
}

/** Clears what falls away around a part, until it rises again or is gone. */
function clearFringe(pixels: number[], { width, height, data: before }: Mask, data: Float32Array) {
  const reached = [...pixels];
  for (const at of reached)
    for (const next of neighboursOf(at, { width, height })) {
      const value = data[next] as number;
      if (value === 0 || value >= partFrom || value > (before[at] as number)) continue;
      data[next] = 0;
      reached.push(next);
    }
}

function neighboursOf(at: number, { width, height }: { width: number; height: number }): number[] {
  const [column, row] = [at % width, Math.floor(at / width)];
  const found: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y += 1)
    for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x += 1)
      if (x !== column || y !== row) found.push(y * width + x);
  return found;
}
