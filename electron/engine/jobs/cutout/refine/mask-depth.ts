/**
 * Measures how deep each mask pixel lies inside or outside the subject, and from that the mask's confidence.
 * At the same depth the middle of a thin part is more reliable than a point in a broad part: the edge of a
 * broad part may be misplaced, but a strand or a gap is little but its middle.
 */
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import { dilation } from '../../../raster/planes/morphology.ts';
import { createPlane, type Plane } from '../../../raster/planes/plane.ts';

/** Minimum depth of full confidence, in mask pixels. */
const minFullPx = 0.5;

/** Confidence of each mask pixel: 0 at the mask's edge, 1 at full depth. */
export function confidenceOf(
  mask: Plane,
  { beliefPx, thinBelief }: Pick<MaskTuning, 'beliefPx' | 'thinBelief'>,
): Plane {
  const confidence = createPlane(mask.width, mask.height);
  for (const side of [1, -1] as const) {
    const depth = depthOf(mask, side, 2 * beliefPx);
    const maxDepth = dilation(depth, beliefPx);
    for (let i = 0; i < confidence.data.length; i += 1) {
      const own = depth.data[i] as number;
      if (own <= 0) continue;
      const full = Math.min(
        Math.max(thinBelief * (maxDepth.data[i] as number), minFullPx),
        beliefPx,
      );
      confidence.data[i] = Math.min(own / full, 1);
    }
  }
  return confidence;
}

/**
 * Chamfer distance (two sweeps) in mask pixels to the edge, where the mask is one half: 0 or less on the
 * other side, at most `maxPx`.
 *
 * @param side 1 for the inside, -1 for the outside
 */
function depthOf({ width, height, data }: Plane, side: 1 | -1, maxPx: number): Plane {
  const depth = createPlane(width, height);
  for (let i = 0; i < data.length; i += 1) {
    const beyond = side * ((data[i] as number) - 0.5);
    depth.data[i] = beyond <= 0 ? beyond : maxPx;
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) relax(depth, x, y, -1);
  }
  for (let y = height - 1; y >= 0; y -= 1) {
    for (let x = width - 1; x >= 0; x -= 1) relax(depth, x, y, 1);
  }
  return depth;
}

/** Lowers a pixel's distance by way of the neighbours that the sweep has passed. */
function relax({ width, height, data }: Plane, x: number, y: number, ahead: 1 | -1): void {
  const at = y * width + x;
  const row = at + ahead * width;
  let distance = data[at] as number;
  if (x + ahead >= 0 && x + ahead < width)
    distance = Math.min(distance, (data[at + ahead] as number) + 1);
  if (y + ahead >= 0 && y + ahead < height) {
    distance = Math.min(distance, (data[row] as number) + 1);
    if (x > 0) distance = Math.min(distance, (data[row - 1] as number) + Math.SQRT2);
    if (x + 1 < width) distance = Math.min(distance, (data[row + 1] as number) + Math.SQRT2);
  }
  data[at] = distance;
}
