/** Maps between a mask of the whole picture and a mask of a box of it. It is pure. */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { Plane } from '../../../raster/planes/plane.ts';
import { resampleAt, tapsOf } from '../../../raster/planes/resample.ts';

/** Crops a mask of the whole picture to a box (in pixels of the picture), resampled to `width` x `height`. */
export function cutFrom(mask: Plane, box: Rect, picture: Size, { width, height }: Size): Plane {
  const [perX, perY] = [mask.width / picture.width, mask.height / picture.height];
  const xs = tapsOf(width, mask.width, (box.width * perX) / width, box.x * perX);
  const ys = tapsOf(height, mask.height, (box.height * perY) / height, box.y * perY);
  return resampleAt(mask, xs, ys);
}

/**
 * Calls `use` for each place of a mask of the whole picture whose middle lies in the box, with the value
 * there of a plane that covers the box, and with the place in pixels of the picture.
 */
export function eachIn(
  mask: Plane,
  ofBox: Plane,
  box: Rect,
  picture: Size,
  use: (at: number, value: number, x: number, y: number) => void,
): void {
  const [stepX, stepY] = [picture.width / mask.width, picture.height / mask.height];
  const rows = placesIn(box.y, box.height, stepY, mask.height);
  const columns = placesIn(box.x, box.width, stepX, mask.width);
  const [perX, perY] = [ofBox.width / box.width, ofBox.height / box.height];
  const there = resampleAt(
    ofBox,
    tapsOf(columns.count, ofBox.width, stepX * perX, (columns.first * stepX - box.x) * perX),
    tapsOf(rows.count, ofBox.height, stepY * perY, (rows.first * stepY - box.y) * perY),
  );
  for (let v = 0; v < rows.count; v += 1) {
    const y = (rows.first + v + 0.5) * stepY;
    const start = (rows.first + v) * mask.width + columns.first;
    for (let u = 0; u < columns.count; u += 1) {
      const value = there.data[v * columns.count + u] as number;
      use(start + u, value, (columns.first + u + 0.5) * stepX, y);
    }
  }
}

/** Answers the places whose middles lie between `start` and `start + length` pixels of the picture. */
function placesIn(start: number, length: number, step: number, size: number) {
  const first = Math.max(0, Math.ceil(start / step - 0.5));
  const end = Math.min(size, Math.ceil((start + length) / step - 0.5));
  return { first, count: Math.max(0, end - first) };
}
