/**
 * The trimap: where the mask is certain and where alpha is unknown. It is decided on the mask's own pixels,
 * because the edge lies within a few of them, however large the picture is.
 */
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import { dilation, erosion } from '../../../raster/planes/morphology.ts';
import { createPlane, type Plane } from '../../../raster/planes/plane.ts';
import { endsOf, resample, tapsOf } from '../../../raster/planes/resample.ts';

export interface Trimap {
  width: number;
  height: number;
  /** 1 where alpha must be solved, 0 where it is that of `sure`. */
  unknown: Uint8Array;
  /** 0 or 1 where alpha is known; in the unknown band the mask's value, enlarged bilinearly. */
  sure: Plane;
}

type EdgeTuning = Pick<MaskTuning, 'outsideBelow' | 'insideAbove' | 'edgeReachPx'>;

/** Builds the trimap at `width` x `height`. @param soft the mask's `softPixels` */
export function trimapOf(mask: Plane, soft: Plane, width: number, height: number): Trimap {
  const sure = resample(mask, width, height);
  const unknown = new Uint8Array(width * height);
  const { firsts, lasts } = endsOf(tapsOf(width, mask.width, mask.width / width));
  const rows = tapsOf(height, mask.height, mask.height / height);
  for (const [y, { first: top, weights: down }] of rows.entries()) {
    const low = top * mask.width;
    const high = low + (down.length - 1) * mask.width;
    for (let x = 0; x < width; x += 1) {
      const left = firsts[x] as number;
      const right = lasts[x] as number;
      const touching =
        (soft.data[low + left] as number) +
        (soft.data[low + right] as number) +
        (soft.data[high + left] as number) +
        (soft.data[high + right] as number);
      const at = y * width + x;
      if (touching > 0) unknown[at] = 1;
      else sure.data[at] = (sure.data[at] as number) < 0.5 ? 0 : 1;
    }
  }
  return { width, height, unknown, sure };
}

/** Marks with 1 the pixels that are soft, or have soft or different pixels within reach. */
export function softPixels(
  mask: Plane,
  { outsideBelow, insideAbove, edgeReachPx }: EdgeTuning,
): Plane {
  const eroded = erosion(mask, edgeReachPx);
  const dilated = dilation(mask, edgeReachPx);
  const soft = createPlane(mask.width, mask.height);
  for (let i = 0; i < soft.data.length; i += 1) {
    const isInside = (eroded.data[i] as number) > insideAbove;
    const isOutside = (dilated.data[i] as number) < outsideBelow;
    soft.data[i] = isInside || isOutside ? 0 : 1;
  }
  return soft;
}
