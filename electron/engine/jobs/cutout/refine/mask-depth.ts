/**
 * Measures how deep each mask pixel lies inside or outside the subject, and thereby how confident the mask is
 * there. At the same depth the middle of a thin part is believed more than a place in a broad part: the edge
 * of a broad part may be misplaced, but a strand or a gap consists of little but its middle.
 */
import type { MaskTuning } from '../../../../contract/models/model.ts';
import { dilation } from '../../../raster/planes/morphology.ts';
import { createPlane, type Plane } from '../../../raster/planes/plane.ts';

/** Full confidence takes at least this depth, in mask pixels. */
const leastPx = 0.5;

/** Answers the confidence of each mask pixel: 0 at the mask's edge, 1 at the depth where it is believed. */
export function confidenceOf(
  mask: Plane,
  { beliefPx, thinBelief }: Pick<MaskTuning, 'beliefPx' | 'thinBelief'>,
): Plane {
  const confidence = createPlane(mask.width, mask.height);
  for (const side of [1, -1] as const) {
    const depth = depthOf(mask, side, 2 * beliefPx);
    const most = dilation(depth, beliefPx);
    for (let i = 0; i < confidence.data.length; i += 1) {
      const own = depth.data[i] as number;
      if (own <= 0) continue;
      const full = Math.min(Math.max(thinBelief * (most.data[i] as number), leastPx), beliefPx);
      confidence.data[i] = Math.min(own / full, 1);
    }
  }
  return confidence;
}

/**
 * Answers the distance in mask pixels to the edge, which is where the mask is one half. It is 0 or less
 * on the other side, and at most `mostPx`. It is a chamfer distance of two sweeps; `side` is 1 for the
 * inside and -1 for the outside.
 */
function depthOf({ width, height, data }: Plane, side: 1 | -1, mostPx: number): Plane {
  const depth = createPlane(width, height);
  for (let i = 0; i < data.length; i += 1) {
    const beyond = side * ((data[i] as number) - 0.5);
    depth.data[i] = beyond <= 0 ? beyond : mostPx;
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) relax(depth, x, y, -1);
  }
  for (let y = height - 1; y >= 0; y -= 1) {
    for (let x = width - 1; x >= 0; x -= 1) relax(depth, x, y, 1);
  }
  return depth;
}

/** Lowers a pixel's distance to the least that leads over the neighbours that the sweep has passed. */
function relax({ width, height, data }: Plane, x: number, y: number, ahead: 1 | -1): void {
  const at = y * width + x;
  const row = at + ahead * width;
  let least = data[at] as number;
  if (x + ahead >= 0 && x + ahead < width)
    least = Math.min(least, (data[at + ahead] as number) + 1);
  if (y + ahead >= 0 && y + ahead < height) {
    least = Math.min(least, (data[row] as number) + 1);
    if (x > 0) least = Math.min(least, (data[row - 1] as number) + Math.SQRT2);
    if (x + 1 < width) least = Math.min(least, (data[row + 1] as number) + Math.SQRT2);
  }
  data[at] = least;
}
