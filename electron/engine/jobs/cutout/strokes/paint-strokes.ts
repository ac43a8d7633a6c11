/**
 * Paints a person's strokes over a mask. A brush is rough and a subject's edge is not: a stroke takes what
 * its core covers, and of the rest of its breadth what looks like that. It is pure.
 */
import type { Size } from '../../../../contract/geometry.ts';
import type { Stroke } from '../../../../contract/options/strokes.ts';
import { boxOf, distancesInSteps, pathOf } from '../../../../painting/brush-path.ts';
import { coreOf, selectLikeCore } from '../../../../painting/seek-edges.ts';
import { runInSteps, type YieldTurn } from '../../../cancellation/yield.ts';
import {
  flood,
  subjectComponents,
  subjectFrom,
  withComponentsAt,
  type Component,
} from '../../../raster/planes/components.ts';
import { closing, erosion, opening } from '../../../raster/planes/morphology.ts';
import { planeIn, type Colours, type Plane } from '../../../raster/planes/plane.ts';
import { resample } from '../../../raster/planes/resample.ts';

/** The sides of a mask that is painted on have at most this many pixels. */
const mostMaskPx = 1024;
/** A remainder within a stroke that is no wider than twice this is the rest of an edge, and is taken, too. */
const thinPx = 2;
/** A part smaller than this share of the largest part is a speck. */
const speckShare = 0.02;
/** Below this value a mask shows nothing. */
const leastFaint = 0.01;

/** Answers the size of a mask for painting, for a network's own mask is coarser than a brush. */
export function sizeForPainting({ width, height }: Size): Size {
  return { width: Math.min(width, mostMaskPx), height: Math.min(height, mostMaskPx) };
}

/**
 * Answers the mask with the strokes painted on it, one after the other. Its size is that of the colours
 * (0..1), which show the whole picture. The function rejects as `yieldTurn` does.
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
  return withoutRests(before, canvas);
}

interface Canvas {
  mask: Plane;
  /** The value is 1 where a stroke kept the picture, else 0. */
  kept: Uint8Array;
}

/** Removes what strokes left over of the things that they removed: specks, and faint edges. */
function withoutRests(before: Plane, { mask, kept }: Canvas): Plane {
  const parts = subjectComponents(mask);
  const largest = Math.max(...parts.map(({ pixels }) => pixels.length));
  const isSpeck = ({ pixels }: Component) =>
    pixels.length < speckShare * largest && pixels.every((at) => kept[at] === 0);
  const filtered = withComponentsAt(mask, parts.filter(isSpeck), 0);
  clearFaint(before, filtered);
  return filtered;
}

/** Clears faint places: each belongs to the nearest place that was not faint, and vanishes with it. */
function clearFaint(before: Plane, mask: Plane): void {
  const isSubject = ({ data }: Plane, at: number) => (data[at] as number) >= subjectFrom;
  const inner = erosion(before, 1);
  const contour = subjectComponents(before).flatMap(({ pixels }) =>
    [...pixels].filter((at) => !isSubject(inner, at)),
  );
  const seen = new Uint8Array(before.data.length);
  const isGone = Uint8Array.from(mask.data, (_, at) => Number(!isSubject(mask, at)));
  flood(contour, before, 8, (next, at) => {
    const isFaint = !isSubject(before, next) && (before.data[next] as number) >= leastFaint;
    if (!isFaint || seen[next] === 1) return false;
    seen[next] = 1;
    isGone[next] = isGone[at] as number;
    if (isGone[at] === 1 && !isSubject(mask, next)) mask.data[next] = 0;
    return true;
  });
}

async function paint(
  { mask, kept }: Canvas,
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
  // Thin remainders of the other side within the stroke are taken, too.
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
