/** The parts of a mask: what of it hangs together, and apart from the rest. */
import type { Mask } from './mask-tensor.ts';

/** Pixels from here on count as the subject's; those that touch, also at a corner, are one part. */
export const partFrom = 0.5;

export interface MaskPart {
  /** Places in the mask's data. */
  pixels: number[];
  /** Of all its values. */
  sum: number;
  /** The mean of its values in the mask that tells it. */
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
    for (const at of pixels) gather(at, mask, seen, pixels);
    const sum = totalOf(mask.data, pixels);
    parts.push({ pixels, sum, certainty: totalOf(certainty.data, pixels) / pixels.length });
  });
  return parts;
}

/** Adds what touches a place and was not seen before; runs for every pixel, and so makes no arrays. */
function gather(at: number, { width, height, data }: Mask, seen: Uint8Array, pixels: number[]) {
  const column = at % width;
  const row = (at - column) / width;
  for (let y = Math.max(0, row - 1); y <= row + 1 && y < height; y += 1)
    for (let x = Math.max(0, column - 1); x <= column + 1 && x < width; x += 1) {
      const next = y * width + x;
      if (seen[next] === 1 || (data[next] as number) < partFrom) continue;
      seen[next] = 1;
      pixels.push(next);
    }
}

const totalOf = (values: Float32Array, places: number[]) =>
  places.reduce((sum, at) => sum + (values[at] as number), 0);

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
