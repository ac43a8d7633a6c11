/**
 * What a brush takes that is rough where a subject's edge is not: what its middle shows, and of the rest of
 * its breadth what looks like that. The engine and the page settle it by these same rules. Pure.
 */
import { leastRadiusPx, type Box, type Path, type Plane } from './brush-path.ts';

/** Red, green and blue of 0..1, of one size. */
type Colours = readonly [red: Plane, green: Plane, blue: Plane];

/** Part of the brush's radius that is taken whatever it shows. */
const coreShare = 0.2;
/** How far from a colour of the core one is still like it; RGB of 0..1, Euclidean. */
const likeWithin = 0.15;
/** How often likeness is carried on from pixel to pixel, there and back. */
const sweeps = 3;

/** In radii; at least so much that it meets a pixel's middle. */
export function coreOf({ across, down }: Path): number {
  return Math.max(coreShare, leastRadiusPx / Math.min(across, down));
}

/**
 * Which pixels belong to a stroke: the core, and what of the rest can be reached from a pixel of it
 * over none that differs much from that one. So a stroke fills textures and slow changes of light,
 * and stops at edges, sharp ones and soft ones. `reach` tells distances within `box` of the mask, in radii,
 * and is what the answer's places count in; the colours show the whole mask.
 */
export function likeCore(
  reach: Plane,
  core: number,
  colours: Colours,
  box: Box,
): (at: number) => boolean {
  const { width, height, data } = reach;
  const places = placesIn(colours[0].width, box);
  const isCore = (at: number) => (data[at] as number) <= core;
  const origin = Int32Array.from(data, (_, at) => (isCore(at) ? at : -1));
  const farthest = Float32Array.from(data, (_, at) => (isCore(at) ? 0 : Infinity));
  const carry = (at: number, from: number) => {
    const start = origin[from] as number;
    if (start < 0) return;
    const far = Math.max(
      farthest[from] as number,
      difference(colours, places[at] as number, places[start] as number),
    );
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

/** Of each pixel of a box, its place in a plane of that width. */
function placesIn(planeWidth: number, { x, y, width, height }: Box): Int32Array {
  const places = new Int32Array(width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      places[row * width + column] = (y + row) * planeWidth + x + column;
  return places;
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
