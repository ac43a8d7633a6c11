/**
 * Decides what a brush takes that is coarser than a subject's edge: the core along its middle, and those
 * pixels of the rest of its breadth that look like the core. Engine and page both decide by these rules.
 * This is pure.
 */
import type { Rect } from '../contract/geometry.ts';
import { leastRadiusPx, type Colours, type Path, type Plane } from './brush-path.ts';

type Levels = Float32Array;

/** This part of the brush's radius is the core, which is taken whatever it shows. */
const coreShare = 0.2;
/** A colour is like one of the core up to this Euclidean distance in RGB of 0..1. */
const likeWithin = 0.15;
/** Likeness is propagated from pixel to pixel at most so many times, each time down and up. */
const sweeps = 3;

/** Computes the core's radius in brush radii, at least so large that it covers a pixel's centre. */
export function coreOf({ across, down }: Path): number {
  return Math.max(coreShare, leastRadiusPx / Math.min(across, down));
}

/**
 * Decides which pixels belong to a stroke: the core, and the pixels that can be reached from a pixel of the
 * core without crossing one that differs much from it. So a stroke fills textures and slow changes of light,
 * and stops at sharp and soft edges. `distances` are in radii, for the pixels of `box`, and the answer
 * takes an index into them. The colours are those of the whole mask.
 */
export function likeCore(
  distances: Plane,
  core: number,
  colours: Colours,
  box: Rect,
): (at: number) => boolean {
  const places = placesIn(colours[0].width, box);
  const found = startOf(distances, core, places);
  const { farthest } = found;
  const relax = createRelax(found, colours, places);
  for (let sweep = 0, still = 0; sweep < 2 * sweeps && still < 2; sweep += 1)
    still = sweepOnce(distances, farthest, sweep % 2 === 0, relax) ? 0 : still + 1;
  return (at) => (farthest[at] as number) <= likeWithin;
}

interface Found {
  /** It is the largest difference on the path from the core to each pixel, or Infinity where no path leads. */
  farthest: Float32Array;
  /** It is the index, in the planes of colours, of the core's pixel that each pixel was reached from. */
  origin: Int32Array;
}

function startOf({ data }: Plane, core: number, places: Int32Array): Found {
  const farthest = new Float32Array(data.length).fill(Infinity);
  for (let at = 0; at < data.length; at += 1) if ((data[at] as number) <= core) farthest[at] = 0;
  return { farthest, origin: places.slice() };
}

/** Answers a function that relaxes one pixel by way of a neighbour, and says whether the pixel changed. */
function createRelax({ farthest, origin }: Found, colours: Colours, places: Int32Array) {
  const [red, green, blue] = colours.map(({ data }) => data) as [Levels, Levels, Levels];
  return (at: number, from: number): boolean => {
    const start = origin[from] as number;
    const place = places[at] as number;
    const r = (red[place] as number) - (red[start] as number);
    const g = (green[place] as number) - (green[start] as number);
    const b = (blue[place] as number) - (blue[start] as number);
    const far = Math.max(farthest[from] as number, Math.sqrt(r * r + g * g + b * b));
    // A pixel that is unlike the core is a border, over which nothing propagates.
    if (far > likeWithin || far >= (farthest[at] as number)) return false;
    farthest[at] = far;
    origin[at] = start;
    return true;
  };
}

/** Lists for each pixel of a box its index in a plane of the given width. */
function placesIn(planeWidth: number, { x, y, width, height }: Rect): Int32Array {
  const places = new Int32Array(width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      places[row * width + column] = (y + row) * planeWidth + x + column;
  return places;
}

/**
 * Sweeps once over all rows, down or up. For each pixel within the brush's reach `relax` is called with those
 * neighbours that the sweep visited before and that have a smaller difference. The answer says whether a call
 * changed anything.
 */
function sweepOnce(
  { width, height, data }: Plane,
  farthest: Float32Array,
  isDown: boolean,
  relax: (at: number, from: number) => boolean,
): boolean {
  const step = isDown ? 1 : -1;
  const [firstRow, firstColumn] = isDown ? [0, 0] : [height - 1, width - 1];
  let isChanged = false;
  const ask = (at: number, from: number) => {
    if ((farthest[from] as number) < (farthest[at] as number) && relax(at, from)) isChanged = true;
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
