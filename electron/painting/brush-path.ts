/** Where a brush went on a mask: pure geometry. */
import type { Stroke } from '../contract/strokes.ts';

export interface Size {
  width: number;
  height: number;
}

/** A part of a mask, in its pixels. */
export interface Box extends Size {
  x: number;
  y: number;
}

/** One value a pixel, row after row. */
export interface Plane extends Size {
  data: Float32Array;
}

/** With it a brush meets the middle of a pixel wherever it is. */
export const leastRadiusPx = 0.75;

/** A brush's path on a mask, in pixels of it. */
export interface Path {
  points: Stroke['points'];
  /** Radii: masks have the picture's sides, but not always its aspect. */
  across: number;
  down: number;
}

/** The path of a stroke on a mask of a picture. */
export function pathOf({ points, radius }: Stroke, mask: Size, picture: Size): Path {
  const radiusPx = radius * Math.max(picture.width, picture.height);
  return {
    points: points.map(([x, y]) => [x * mask.width, y * mask.height]),
    across: Math.max(leastRadiusPx, (radiusPx * mask.width) / picture.width),
    down: Math.max(leastRadiusPx, (radiusPx * mask.height) / picture.height),
  };
}

/** Around a path, with a margin; undefined where it is nowhere on the mask. */
export function boxOf(
  { points, across, down }: Path,
  { width, height }: Size,
  marginPx: number,
): Box | undefined {
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

/** How far each pixel's middle is from the path, in radii; Infinity where that is more than one. */
export function distancesTo({ points, across, down }: Path, box: Box): Plane {
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
        const offX = toX - on * alongX;
        const offY = toY - on * alongY;
        const distance = Math.sqrt(offX * offX + offY * offY);
        const at = y * box.width + x;
        if (distance <= 1 && distance < (data[at] as number)) data[at] = distance;
      }
  });
  return { width: box.width, height: box.height, data };
}

/** 0..1 at a distance in radii. Within `hard` of the radius a brush covers all, then less and less to its edge. */
export function coverage(distance: number, hard: number): number {
  if (distance > 1) return 0;
  return distance <= hard ? 1 : (1 - distance) / (1 - hard);
}
