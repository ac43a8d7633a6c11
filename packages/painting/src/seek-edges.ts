/**
 * Edge-aware selection for a brush: its core is selected whatever it shows, the rest where it resembles the
 * core. Engine and page use the same rules. Pure.
 */
import type { Rect } from '../../contract/src/geometry.ts';
import { minRadiusPx, type Colours, type BrushPath, type Plane } from './brush-path.ts';

type Levels = Float32Array;

/** Radius of the core as a share of the brush's radius. */
const coreShare = 0.2;
/**
 * Euclidean distance in RGB (0..1) up to which a colour resembles the core's: some deviations of the noise there, so
 * that pale things end before pale walls, and textures are filled.
 */
const minColourDistance = 0.06;
const maxColourDistance = 0.15;
const noiseFactor = 2.5;
/** Maximum number of propagation sweeps, each down and up. */
const maxSweeps = 3;

/** Returns the core's radius in brush radii, at least large enough to cover a pixel's centre. */
export function coreOf({ across, down }: BrushPath): number {
  return Math.max(coreShare, minRadiusPx / Math.min(across, down));
}

/**
 * Selects the core and the pixels that can be reached from it without crossing a pixel that differs much, so
 * that a stroke fills textures and gradients and stops at sharp and soft edges.
 *
 * @param distances in brush radii, for the pixels of `box`
 * @param colours of the whole mask
 * @returns a predicate on indices into `distances`
 */
export function selectLikeCore(
  distances: Plane,
  core: number,
  colours: Colours,
  box: Rect,
): (at: number) => boolean {
  const indices = planeIndices(colours[0].width, box);
  const found = startOf(distances, core, colours, indices);
  const { farthest } = found;
  const relax = createRelax(found, colours, indices);
  for (let sweep = 0, still = 0; sweep < 2 * maxSweeps && still < 2; sweep += 1)
    still = sweepOnce(distances, farthest, sweep % 2 === 0, relax) ? 0 : still + 1;
  return (at) => (farthest[at] as number) <= 1;
}

interface Propagation {
  /**
   * Largest colour difference on the path from the core to each pixel, as a share of what is allowed there; Infinity if
   * none leads there.
   */
  farthest: Float32Array;
  /** Index, in the colour planes, of the core pixel from which each pixel was reached. */
  origin: Int32Array;
  /** Colour difference that is allowed from there. */
  allowed: Float32Array;
}

function startOf(
  { data }: Plane,
  core: number,
  colours: Colours,
  indices: Int32Array,
): Propagation {
  const farthest = new Float32Array(data.length).fill(Infinity);
  const allowed = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    if ((data[at] as number) > core) continue;
    farthest[at] = 0;
    const noise = noiseFactor * noiseAt(colours, indices[at] as number);
    allowed[at] = Math.min(maxColourDistance, Math.max(minColourDistance, noise));
  }
  return { farthest, origin: indices.slice(), allowed };
}

/** Standard deviation of the colour in the 3 x 3 pixels around, as far as they are on the plane. */
function noiseAt(colours: Colours, place: number): number {
  const { width, height } = colours[0];
  const column = place % width;
  const row = (place - column) / width;
  let variance = 0;
  for (const { data } of colours) {
    let [sum, squares, count] = [0, 0, 0];
    for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y += 1)
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x += 1) {
        const value = data[y * width + x] as number;
        sum += value;
        squares += value * value;
        count += 1;
      }
    variance += Math.max(0, squares / count - (sum / count) ** 2);
  }
  return Math.sqrt(variance);
}

/** Returns a function that relaxes one pixel by way of a neighbour and returns whether the pixel changed. */
function createRelax(
  { farthest, origin, allowed }: Propagation,
  colours: Colours,
  indices: Int32Array,
) {
  const [red, green, blue] = colours.map(({ data }) => data) as [Levels, Levels, Levels];
  return (at: number, from: number): boolean => {
    const start = origin[from] as number;
    const place = indices[at] as number;
    const r = (red[place] as number) - (red[start] as number);
    const g = (green[place] as number) - (green[start] as number);
    const b = (blue[place] as number) - (blue[start] as number);
    const limit = allowed[from] as number;
    const far = Math.max(farthest[from] as number, Math.sqrt(r * r + g * g + b * b) / limit);
    // A pixel unlike the core is a border, across which nothing propagates.
    if (far > 1 || far >= (farthest[at] as number)) return false;
    farthest[at] = far;
    origin[at] = start;
    allowed[at] = limit;
    return true;
  };
}

/** Returns for each pixel of a box its index in a plane of the given width. */
function planeIndices(planeWidth: number, { x, y, width, height }: Rect): Int32Array {
  const indices = new Int32Array(width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      indices[row * width + column] = (y + row) * planeWidth + x + column;
  return indices;
}

/**
 * Sweeps once over all rows, down or up, and relaxes each pixel within the brush's reach by way of those
 * neighbours already visited that have a smaller difference.
 *
 * @returns whether anything changed
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
  const relaxFrom = (at: number, from: number) => {
    if ((farthest[from] as number) < (farthest[at] as number) && relax(at, from)) isChanged = true;
  };
  for (let row = 0; row < height; row += 1) {
    const start = (firstRow + step * row) * width + firstColumn;
    for (let column = 0; column < width; column += 1) {
      const at = start + step * column;
      if ((data[at] as number) > 1 || farthest[at] === 0) continue;
      if (column > 0) relaxFrom(at, at - step);
      if (row === 0) continue;
      relaxFrom(at, at - step * width);
      if (column > 0) relaxFrom(at, at - step * (width + 1));
      if (column < width - 1) relaxFrom(at, at - step * (width - 1));
    }
  }
  return isChanged;
}
