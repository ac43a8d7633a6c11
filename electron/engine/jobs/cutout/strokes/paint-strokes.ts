/**
 * Paints strokes over a mask. A brush is coarser than a subject's edge: a stroke selects what its core
 * covers, and of the rest of its breadth what resembles that. Pure.
 */
import type { Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import {
  boxOf,
  distancesInSteps,
  pathOf,
  coreOf,
  selectLikeCore,
} from '../../../../../packages/painting/src/index.ts';
import { runInSteps, type YieldTurn } from '../../../cancellation/yield.ts';
import {
  flood,
  subjectComponents,
  minSubject,
  withComponentsAt,
  type Component,
} from '../../../raster/planes/components.ts';
import { closing, erosion, opening } from '../../../raster/planes/morphology.ts';
import { planeIn, type Colours, type Plane } from '../../../raster/planes/plane.ts';
import { resample } from '../../../raster/planes/resample.ts';

/** Maximum side of a mask for painting. */
const maxMaskPx = 1024;
/** Remainders within a stroke up to twice this width are left-overs of an edge, and are selected as well. */
const thinPx = 2;
/** Parts smaller than this share of the largest part are specks. */
const speckShare = 0.02;
/** Values below this are empty. */
const minFaint = 0.01;

/** Size of a mask for painting: a network's own mask is coarser than a brush. */
export function sizeForPainting({ width, height }: Size): Size {
  return { width: Math.min(width, maxMaskPx), height: Math.min(height, maxMaskPx) };
}

/**
 * Returns the mask with the strokes painted on it in order, in the size of the colours (0..1), which show the
 * whole picture.
 *
 * @throws as `yieldTurn`
 */
export async function painted(
  mask: Plane,
  strokes: readonly Stroke[],
  colours: Colours,
  picture: Size,
  yieldTurn: YieldTurn,
): Promise<Plane> {
  const { width, height } = colours[0];
  const before = resample(mask, width, height);
  const canvas = {
    mask: { ...before, data: before.data.slice() },
    kept: new Uint8Array(width * height),
  };
  for (const stroke of strokes) {
    await paint(canvas, stroke, colours, picture, yieldTurn);
    await yieldTurn();
  }
  return withoutRemainders(before, canvas);
}

interface PaintedMask {
  mask: Plane;
  /** 1 where a stroke kept the picture, else 0. */
  kept: Uint8Array;
}

/** Removes remainders of what strokes removed: specks and faint edges. */
function withoutRemainders(before: Plane, { mask, kept }: PaintedMask): Plane {
  const parts = subjectComponents(mask);
  const largest = Math.max(...parts.map(({ pixels }) => pixels.length));
  const isSpeck = ({ pixels }: Component) =>
    pixels.length < speckShare * largest && pixels.every((at) => kept[at] === 0);
  const filtered = withComponentsAt(mask, parts.filter(isSpeck), 0);
  clearFaint(before, filtered);
  return filtered;
}

/** Clears faint pixels: each belongs to the nearest pixel that was not faint, and vanishes with it. */
function clearFaint(before: Plane, mask: Plane): void {
  const isSubject = ({ data }: Plane, at: number) => (data[at] as number) >= minSubject;
  const inner = erosion(before, 1);
  const contour = subjectComponents(before).flatMap(({ pixels }) =>
    [...pixels].filter((at) => !isSubject(inner, at)),
  );
  const visited = new Uint8Array(before.data.length);
  const isGone = Uint8Array.from(mask.data, (_, at) => Number(!isSubject(mask, at)));
  flood(contour, before, 8, (next, at) => {
    const isFaint = !isSubject(before, next) && (before.data[next] as number) >= minFaint;
    if (!isFaint || visited[next] === 1) return false;
    visited[next] = 1;
    isGone[next] = isGone[at] as number;
    if (isGone[at] === 1 && !isSubject(mask, next)) mask.data[next] = 0;
    return true;
  });
}

async function paint(
  { mask, kept }: PaintedMask,
  stroke: Stroke,
  colours: Colours,
  picture: Size,
  yieldTurn: YieldTurn,
): Promise<void> {
  const { width } = mask;
  const path = pathOf(stroke, mask, picture);
  const box = boxOf(path, mask, 2 * thinPx);
  if (box === undefined) return;
  const reach = await runInSteps(distancesInSteps(path, box), yieldTurn);
  const isTaken = selectLikeCore(reach, coreOf(path), colours, box);
  const before = planeIn(mask, box);
  const side = stroke.kind === 'keep' ? 1 : 0;
  const after = { ...before, data: before.data.map((value, at) => (isTaken(at) ? side : value)) };
  // Thin remainders of the other side within the stroke are selected as well.
  const whole = side === 0 ? opening(after, thinPx) : closing(after, thinPx);
  for (let y = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1) {
      const at = y * box.width + x;
      if ((reach.data[at] as number) > 1) continue;
      const to = (box.y + y) * width + box.x + x;
      mask.data[to] = whole.data[at] as number;
      if (isTaken(at)) kept[to] = side;
    }
}
