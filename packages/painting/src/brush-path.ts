/** Geometry of a brush's path on a mask. Pure. */
import type { Rect, Size } from '../../contract/src/geometry.ts';
import type { Stroke } from '../../contract/src/options/strokes.ts';

/** One value per pixel, row-major. */
export interface Plane extends Size {
  data: Float32Array;
}

/** Three planes of one size, 0..1. A grey picture has the same plane three times. */
export type Colours = readonly [red: Plane, green: Plane, blue: Plane];

/** Smallest radius that covers the centre of a pixel wherever the brush is. */
export const minRadiusPx = 0.75;

/** A brush's path in mask pixels. */
export interface BrushPath {
  points: Stroke['points'];
  /** Horizontal and vertical radius in pixels: the mask's aspect ratio may differ from the picture's. */
  across: number;
  down: number;
}

/** Maps a stroke to a path on a mask. */
export function pathOf({ points, radius }: Stroke, mask: Size, picture: Size): BrushPath {
  const radiusPx = radius * Math.max(picture.width, picture.height);
  return {
    points: points.map(([x, y]) => [x * mask.width, y * mask.height]),
    across: Math.max(minRadiusPx, (radiusPx * mask.width) / picture.width),
    down: Math.max(minRadiusPx, (radiusPx * mask.height) / picture.height),
  };
}

/** Returns a path's bounding box with a margin; undefined if the path lies outside the mask. */
export function boxOf(
  { points, across, down }: BrushPath,
  { width, height }: Size,
  marginPx: number,
): Rect | undefined {
  const span = (values: number[], radius: number, size: number) => {
    const start = Math.max(0, Math.floor(Math.min(...values) - radius) - marginPx);
    const end = Math.min(size, Math.ceil(Math.max(...values) + radius) + marginPx);
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

/** Returns each pixel's distance from the path in brush radii; Infinity beyond one radius. */
export function distancesTo(path: BrushPath, box: Rect): Plane {
  const steps = distancesInSteps(path, box);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Pixels per step, which takes some hundredths of a second. */
const pixelsPerStep = 2e6;

/** As `distancesTo`, but yields between steps. */
export function* distancesInSteps(
  { points, across, down }: BrushPath,
  box: Rect,
): Generator<undefined, Plane> {
  const { width, height } = box;
  const distances = { width, height, data: new Float32Array(width * height).fill(Infinity) };
  let left = pixelsPerStep;
  for (const [i, to] of points.entries()) {
    const segment = { from: points[Math.max(0, i - 1)] ?? to, to, across, down };
    const last = Math.min(height - 1, Math.ceil(Math.max(segment.from[1], to[1]) + down - box.y));
    let y = Math.max(0, Math.floor(Math.min(segment.from[1], to[1]) - down - box.y));
    for (; y <= last; y += 1) {
      left -= lowerRow(distances, y, box, segment);
      if (left > 0) continue;
      yield;
      left = pixelsPerStep;
    }
  }
  return distances;
}

/** A straight part of a path, with the brush's radii. */
interface PathSegment {
  from: Stroke['points'][number];
  to: Stroke['points'][number];
  across: number;
  down: number;
}

/** Lowers a row's distances to those from a segment. @returns the number of visited pixels, plus one */
function lowerRow({ width, data }: Plane, y: number, box: Rect, segment: PathSegment): number {
  const { from, to, across, down } = segment;
  const [fromX, fromY] = from;
  const [alongX, alongY] = [(to[0] - fromX) / across, (to[1] - fromY) / down];
  const length = alongX ** 2 + alongY ** 2;
  const toY = (box.y + y + 0.5 - fromY) / down;
  const [leftX, rightX] = spanOf(toY, alongX, alongY);
  const left = Math.max(0, Math.floor(fromX + (leftX - 1) * across - box.x - 1));
  const right = Math.min(width - 1, Math.ceil(fromX + (rightX + 1) * across - box.x));
  for (let x = left; x <= right; x += 1) {
    const toX = (box.x + x + 0.5 - fromX) / across;
    const share = length === 0 ? 0 : (toX * alongX + toY * alongY) / length;
    const on = Math.min(Math.max(share, 0), 1);
    const offX = toX - on * alongX;
    const offY = toY - on * alongY;
    const distance = Math.sqrt(offX * offX + offY * offY);
    const at = y * width + x;
    if (distance <= 1 && distance < (data[at] as number)) data[at] = distance;
  }
  return 1 + Math.max(0, right - left + 1);
}

/**
 * Returns the least and greatest x of a segment from (0, 0) to (alongX, alongY) within one radius above and
 * below a row. All values are in brush radii.
 */
function spanOf(row: number, alongX: number, alongY: number): [left: number, right: number] {
  const shareAt = (y: number) => Math.min(Math.max(y / alongY, 0), 1);
  // A horizontal segment is within reach as a whole or not at all.
  const [first, last] = alongY === 0 ? [0, 1] : [shareAt(row - 1), shareAt(row + 1)];
  const [a, b] = [first * alongX, last * alongX];
  return [Math.min(a, b), Math.max(a, b)];
}

/** Coverage, 0..1, at a distance in radii: 1 up to `hard`, then falling linearly to 0 at the edge. */
export function coverage(distance: number, hard: number): number {
  if (distance > 1) return 0;
  return distance <= hard ? 1 : (1 - distance) / (1 - hard);
}
