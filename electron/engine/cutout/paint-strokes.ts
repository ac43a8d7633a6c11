/**
 * What a person painted over a mask. A brush is rough and a subject's edge is not: a stroke takes
 * what its middle shows, and of the rest of its breadth what looks like that. Pure.
 */
import type { Stroke } from '../../contract/strokes.ts';
import type { Size } from '../output-plan.ts';
import type { Rect } from '../raster/raster-file.ts';
import { planeIn, type Colours } from './colours.ts';
import type { Breathe } from './refine/breathe.ts';
import { spanOf } from './refine/near.ts';
import { resample, type Plane } from './refine/plane.ts';

/** The longest side of a mask that is painted on. */
const mostMaskPx = 1024;
/** Part of the brush's radius that is taken whatever it shows. */
const coreShare = 0.4;
/** How far from a colour of the core one is still like it; RGB of 0..1, Euclidean. */
const likeWithin = 0.15;
/** What a stroke leaves within its breadth no wider than twice this is an edge's rest, and goes along. */
const thinPx = 2;
/** How often likeness is carried on from pixel to pixel, there and back. */
const sweeps = 3;

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
  const enlarged = resample(mask, width, height);
  for (const stroke of strokes) {
    paint(enlarged, stroke, colours, picture);
    await breathe();
  }
  return enlarged;
}

/** A brush's path on a mask, in pixels of it. */
interface Path {
  points: Stroke['points'];
  /** Radii: masks have the picture's sides, but not always its aspect. */
  across: number;
  down: number;
}

function paint(mask: Plane, stroke: Stroke, colours: Colours, picture: Size): void {
  const { width, height } = mask;
  const perPicture = stroke.radius * Math.max(picture.width, picture.height);
  const path: Path = {
    points: stroke.points.map(([x, y]) => [x * width, y * height]),
    across: (perPicture * width) / picture.width,
    down: (perPicture * height) / picture.height,
  };
  const box = boxOf(path, mask);
  if (box === undefined) return;
  const reach = distancesTo(path, box);
  const seen = colours.map((plane) => planeIn(plane, box)) as Colours;
  const isTaken = likeCore(reach, seen);
  const before = planeIn(mask, box);
  const side = stroke.kind === 'keep' ? 1 : 0;
  const after = { ...before, data: before.data.map((value, at) => (isTaken(at) ? side : value)) };
  const whole = withoutThin(after, side);
  for (let y = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1) {
      const at = y * box.width + x;
      if ((reach.data[at] as number) > 1) continue;
      mask.data[(box.y + y) * width + box.x + x] = whole.data[at] as number;
    }
}

/** Around the path and what is thin beside it; undefined where it is nowhere on the mask. */
function boxOf({ points, across, down }: Path, { width, height }: Size): Rect | undefined {
  const span = (values: number[], radius: number, size: number) => {
    const start = Math.max(0, Math.floor(Math.min(...values) - radius) - 2 * thinPx);
    const end = Math.min(size, Math.ceil(Math.max(...values) + radius) + 2 * thinPx);
    return { start, length: end - start };
  };
  const x = span(
    points.map(([at]) => at),
    across,
    width,
  );
  const y = span(
    points.map(([, at]) => at),
    down,
    height,
  );
  if (x.length <= 0 || y.length <= 0) return undefined;
  return { x: x.start, y: y.start, width: x.length, height: y.length };
}

/** How far each pixel's middle is from the path, in radii; Infinity where that is more than one. */
function distancesTo({ points, across, down }: Path, box: Rect): Plane {
  const data = new Float32Array(box.width * box.height).fill(Infinity);
  points.forEach(([endX, endY], i) => {
    const [fromX, fromY] = points[Math.max(0, i - 1)] as [number, number];
    const [alongX, alongY] = [(endX - fromX) / across, (endY - fromY) / down];
    const length = alongX ** 2 + alongY ** 2;
    const first = Math.max(0, Math.floor(Math.min(fromY, endY) - down - box.y));
    const last = Math.min(box.height - 1, Math.ceil(Math.max(fromY, endY) + down - box.y));
    const left = Math.max(0, Math.floor(Math.min(fromX, endX) - across - box.x));
    const right = Math.min(box.width - 1, Math.ceil(Math.max(fromX, endX) + across - box.x));
    for (let y = first; y <= last; y += 1)
      for (let x = left; x <= right; x += 1) {
        const toX = (box.x + x + 0.5 - fromX) / across;
        const toY = (box.y + y + 0.5 - fromY) / down;
        const share = length === 0 ? 0 : (toX * alongX + toY * alongY) / length;
        const on = Math.min(Math.max(share, 0), 1);
        const distance = Math.hypot(toX - on * alongX, toY - on * alongY);
        const at = y * box.width + x;
        if (distance <= 1 && distance < (data[at] as number)) data[at] = distance;
      }
  });
  return { width: box.width, height: box.height, data };
}

/**
 * Which pixels belong to a stroke: the core, and what of the rest can be reached from a pixel of it
 * over none that differs much from that one. So a stroke fills textures and slow changes of light,
 * and stops at edges, sharp ones and soft ones.
 */
function likeCore(reach: Plane, colours: Colours): (at: number) => boolean {
  const { width, height, data } = reach;
  const isCore = (at: number) => (data[at] as number) <= coreShare;
  const origin = Int32Array.from(data, (_, at) => (isCore(at) ? at : -1));
  const farthest = Float32Array.from(data, (_, at) => (isCore(at) ? 0 : Infinity));
  if (origin.every((at) => at < 0)) nearestAlone(reach, origin, farthest);
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

/** A brush finer than a pixel has a core too. */
function nearestAlone(reach: Plane, origin: Int32Array, farthest: Float32Array): void {
  const nearest = reach.data.indexOf(Math.min(...reach.data));
  if (nearest < 0) return;
  origin[nearest] = nearest;
  farthest[nearest] = 0;
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
