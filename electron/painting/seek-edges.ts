/**
 * What a brush takes that is rough where a subject's edge is not: what its middle shows, and of the rest of
 * its breadth what looks like that. The engine and the page settle it by these same rules. Pure.
 */
import type { Rect } from '../contract/geometry.ts';
import { leastRadiusPx, type Colours, type Path, type Plane } from './brush-path.ts';

type Levels = Float32Array;

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
  box: Rect,
): (at: number) => boolean {
  const places = placesIn(colours[0].width, box);
  const found = startOf(reach, core, places);
  const { farthest } = found;
  const carry = carrier(found, colours, places);
  for (let sweep = 0, still = 0; sweep < 2 * sweeps && still < 2; sweep += 1)
    still = carryOn(reach, farthest, sweep % 2 === 0, carry) ? 0 : still + 1;
  return (at) => (farthest[at] as number) <= likeWithin;
}

interface Found {
  /** The largest difference on the way from the core to each pixel; Infinity where none leads there. */
  farthest: Float32Array;
  /** The place of the pixel of the core that each was reached from. */
  origin: Int32Array;
}

function startOf({ data }: Plane, core: number, places: Int32Array): Found {
  const farthest = new Float32Array(data.length).fill(Infinity);
  for (let at = 0; at < data.length; at += 1) if ((data[at] as number) <= core) farthest[at] = 0;
  return { farthest, origin: places.slice() };
}

/** Answers what takes a pixel where it is nearer by way of another one, and says whether it was. */
function carrier({ farthest, origin }: Found, colours: Colours, places: Int32Array) {
  const [red, green, blue] = colours.map(({ data }) => data) as [Levels, Levels, Levels];
  return (at: number, from: number): boolean => {
    const start = origin[from] as number;
    const place = places[at] as number;
    const r = (red[place] as number) - (red[start] as number);
    const g = (green[place] as number) - (green[start] as number);
    const b = (blue[place] as number) - (blue[start] as number);
    const far = Math.max(farthest[from] as number, Math.sqrt(r * r + g * g + b * b));
    // What is unlike the core is a border: nothing is carried on over it.
    if (far > likeWithin || far >= (farthest[at] as number)) return false;
    farthest[at] = far;
    origin[at] = start;
    return true;
  };
}

/** Of each pixel of a box, its place in a plane of that width. */
function placesIn(planeWidth: number, { x, y, width, height }: Rect): Int32Array {
  const places = new Int32Array(width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      places[row * width + column] = (y + row) * planeWidth + x + column;
  return places;
}

/**
 * Calls back for each pixel within reach with those of its neighbours that were there before it, in rows down or
 * up, as far as they are nearer than it. Answers whether any call did something.
 */
function carryOn(
  { width, height, data }: Plane,
  farthest: Float32Array,
  isDown: boolean,
  carry: (at: number, from: number) => boolean,
): boolean {
  const step = isDown ? 1 : -1;
  const [firstRow, firstColumn] = isDown ? [0, 0] : [height - 1, width - 1];
  let isChanged = false;
  const ask = (at: number, from: number) => {
    if ((farthest[from] as number) < (farthest[at] as number) && carry(at, from)) isChanged = true;
  };
  for (let row = 0; row < height; row += 1) {
    const start = (firstRow + step * row) * width + firstColumn;
    for (let column = 0; column < width; column += 1) {
      const at = start + step * column;
      if ((data[at] as number) > 1 || farthest[at] === 0) continue;
      if (column > 0) ask(at, at - step);
      if (row === 0) continue;
      ask(at, at - step * width);
      if (column > 0) ask(at, at - step * (width + 1));
      if (column < width - 1) ask(at, at - step * (width - 1));
    }
  }
  return isChanged;
}
