/**
 * What a person painted over a mask. A brush is rough and a subject's edge is not: a stroke takes
 * what its middle shows, and of the rest of its breadth what looks like that. Pure.
 */
import type { Stroke } from '../../../../contract/strokes.ts';
import type { Size } from '../../../output-plan.ts';
import { boxOf, distancesTo, leastRadiusPx, pathOf } from './brush-path.ts';
import { planeIn, type Colours } from '../mask/colours.ts';
import { neighboursOf, partFrom, partsOf, type MaskPart } from '../mask/mask-parts.ts';
import type { Breathe } from '../refine/breathe.ts';
import { spanOf } from '../refine/near.ts';
import { resample, type Plane } from '../refine/plane.ts';

/** The longest side of a mask that is painted on. */
const mostMaskPx = 1024;
/** Part of the brush's radius that is taken whatever it shows. */
const coreShare = 0.2;
/** How far from a colour of the core one is still like it; RGB of 0..1, Euclidean. */
const likeWithin = 0.15;
/** What a stroke leaves within its breadth no wider than twice this is an edge's rest, and goes along. */
const thinPx = 2;
/** How often likeness is carried on from pixel to pixel, there and back. */
const sweeps = 3;
/** A part smaller than this beside the largest is a speck. */
const speckShare = 0.02;
/** Below it a mask shows nothing. */
const leastFaint = 0.01;

/** The size of a mask for painting: a network's own is coarser than a brush. */
export function sizeForPainting({ width, height }: Size): Size {
  return { width: Math.min(width, mostMaskPx), height: Math.min(height, mostMaskPx) };
}

/**
 * The mask with the strokes on it, one after the other, at the size of the colours (0..1), which
 * show the whole picture. Rejects as `breathe` does.
 */
export async function painted(
  mask: Plane,
  strokes: readonly Stroke[],
  colours: Colours,
  picture: Size,
  breathe: Breathe,
): Promise<Plane> {
  const { width, height } = colours[0];
  const before = resample(mask, width, height);
  const canvas = {
    mask: { ...before, data: before.data.slice() },
    kept: new Uint8Array(width * height),
  };
  for (const stroke of strokes) {
    paint(canvas, stroke, colours, picture);
    await breathe();
  }
  return withoutRests(before, canvas);
}

interface Canvas {
  mask: Plane;
  /** 1 where a stroke kept what is there. */
  kept: Uint8Array;
}

/** Without what strokes left of the things that they removed: small parts of their own, and faint edges. */
function withoutRests(before: Plane, { mask, kept }: Canvas): Plane {
  const parts = partsOf(mask);
  const largest = Math.max(...parts.map(({ pixels }) => pixels.length));
  const isSpeck = ({ pixels }: MaskPart) =>
    pixels.length < speckShare * largest && pixels.every((at) => kept[at] === 0);
  for (const { pixels } of parts.filter(isSpeck)) for (const at of pixels) mask.data[at] = 0;
  clearFaint(before, mask);
  return mask;
}

/** Where a mask is faint belongs to the nearest place where it was not, and goes with that one. */
function clearFaint(before: Plane, mask: Plane): void {
  const isPart = ({ data }: Plane, at: number) => (data[at] as number) >= partFrom;
  const reached = partsOf(before).flatMap(({ pixels }) =>
    pixels.filter((at) => neighboursOf(at, before).some((next) => !isPart(before, next))),
  );
  const seen = new Uint8Array(before.data.length);
  const isGone = Uint8Array.from(mask.data, (_, at) => Number(!isPart(mask, at)));
  for (const at of reached)
    for (const next of neighboursOf(at, before)) {
      const isFaint = !isPart(before, next) && (before.data[next] as number) >= leastFaint;
      if (!isFaint || seen[next] === 1) continue;
      seen[next] = 1;
      isGone[next] = isGone[at] as number;
      if (isGone[at] === 1 && !isPart(mask, next)) mask.data[next] = 0;
      reached.push(next);
    }
}

function paint({ mask, kept }: Canvas, stroke: Stroke, colours: Colours, picture: Size): void {
  const { width } = mask;
  const path = pathOf(stroke, mask, picture);
  const box = boxOf(path, mask, 2 * thinPx);
  if (box === undefined) return;
  const reach = distancesTo(path, box);
  const seen = colours.map((plane) => planeIn(plane, box)) as Colours;
  const core = Math.max(coreShare, leastRadiusPx / Math.min(path.across, path.down));
  const isTaken = likeCore(reach, core, seen);
  const before = planeIn(mask, box);
  const side = stroke.kind === 'keep' ? 1 : 0;
  const after = { ...before, data: before.data.map((value, at) => (isTaken(at) ? side : value)) };
  const whole = withoutThin(after, side);
  for (let y = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1) {
      const at = y * box.width + x;
      if ((reach.data[at] as number) > 1) continue;
      const to = (box.y + y) * width + box.x + x;
      mask.data[to] = whole.data[at] as number;
      if (isTaken(at)) kept[to] = side;
    }
}

/**
 * Which pixels belong to a stroke: the core, and what of the rest can be reached from a pixel of it
 * over none that differs much from that one. So a stroke fills textures and slow changes of light,
 * and stops at edges, sharp ones and soft ones.
 */
function likeCore(reach: Plane, core: number, colours: Colours): (at: number) => boolean {
  const { width, height, data } = reach;
  const isCore = (at: number) => (data[at] as number) <= core;
  const origin = Int32Array.from(data, (_, at) => (isCore(at) ? at : -1));
  const farthest = Float32Array.from(data, (_, at) => (isCore(at) ? 0 : Infinity));
  const carry = (at: number, from: number) => {
    const start = origin[from] as number;
    if (start < 0) return;
    const far = Math.max(farthest[from] as number, difference(colours, at, start));
    if (far >= (farthest[at] as number)) return;
    farthest[at] = far;
    origin[at] = start;
  };
  for (let sweep = 0; sweep < 2 * sweeps; sweep += 1)
    carryOn(width, height, sweep % 2 === 0, (at, from) => {
      if ((data[at] as number) <= 1) carry(at, from);
    });
  return (at) => (farthest[at] as number) <= likeWithin;
}

/** Calls back for each pixel with those of its neighbours that were there before it, in rows down or up. */
function carryOn(
  width: number,
  height: number,
  isDown: boolean,
  carry: (at: number, from: number) => void,
): void {
  const count = width * height;
  const step = isDown ? 1 : -1;
  for (let i = 0; i < count; i += 1) {
    const at = isDown ? i : count - 1 - i;
    const column = at % width;
    const hasRow = i >= width;
    const hasBefore = isDown ? column > 0 : column < width - 1;
    const hasAfter = isDown ? column < width - 1 : column > 0;
    if (hasBefore) carry(at, at - step);
    if (hasRow) carry(at, at - step * width);
    if (hasRow && hasBefore) carry(at, at - step * (width + 1));
    if (hasRow && hasAfter) carry(at, at - step * (width - 1));
  }
}

function difference(colours: Colours, one: number, other: number): number {
  let sum = 0;
  for (const { data } of colours) sum += ((data[one] as number) - (data[other] as number)) ** 2;
  return Math.sqrt(sum);
}

/** The mask without what is thin of the other side: opened (side 0) or closed (side 1). */
function withoutThin(mask: Plane, side: 0 | 1): Plane {
  const shrink = (plane: Plane) => spanOf(plane, thinPx)[side === 0 ? 'least' : 'most'];
  const grow = (plane: Plane) => spanOf(plane, thinPx)[side === 0 ? 'most' : 'least'];
  return grow(shrink(mask));
}
