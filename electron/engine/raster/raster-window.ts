/** Reads windows that may extend beyond the picture, padded from its border. */
import type { Rect } from '../../../packages/contract/src/geometry.ts';
import type { Padding } from '../../../packages/contract/src/models/model.ts';
import type { Raster, Samples } from './raster-file.ts';

/** Maps a coordinate to the picture's coordinate that pads it. */
export function coordinateInside(at: number, size: number, padding: Padding): number {
  if (padding === 'replicate' || size === 1) return Math.min(Math.max(at, 0), size - 1);
  const period = 2 * (size - 1);
  const folded = ((at % period) + period) % period;
  return folded < size ? folded : period - folded;
}

/** The range of a line that contains every mapped coordinate of the window. */
function spanToRead(start: number, length: number, size: number, padding: Padding) {
  let low = size;
  let high = -1;
  for (let at = start; at < start + length; at += 1) {
    const inside = coordinateInside(at, size, padding);
    low = Math.min(low, inside);
    high = Math.max(high, inside);
  }
  return { low, length: high - low + 1 };
}

/**
 * Fills `into` with the window, row-major, interleaved.
 *
 * @param scratch returns a buffer of at least the given length, for windows that extend beyond the picture
 */
export function readWindow(
  raster: Raster,
  window: Rect,
  padding: Padding,
  into: Samples,
  scratch: (length: number) => Samples,
): void {
  const { width, height, bands } = raster.shape;
  if (isInside(window, width, height)) {
    raster.readRect(window, into, 0, window.width * bands);
    return;
  }
  const xs = spanToRead(window.x, window.width, width, padding);
  const ys = spanToRead(window.y, window.height, height, padding);
  const read = scratch(xs.length * ys.length * bands);
  const rect = { x: xs.low, y: ys.low, width: xs.length, height: ys.length };
  raster.readRect(rect, read, 0, xs.length * bands);
  const columns = Int32Array.from(
    { length: window.width },
    (_, i) => (coordinateInside(window.x + i, width, padding) - xs.low) * bands,
  );
  for (let row = 0; row < window.height; row += 1) {
    const y = coordinateInside(window.y + row, height, padding) - ys.low;
    copyRow(read, y * xs.length * bands, columns, bands, into, row * window.width * bands);
  }
}

const isInside = (r: Rect, width: number, height: number) =>
  r.x >= 0 && r.y >= 0 && r.x + r.width <= width && r.y + r.height <= height;

function copyRow(
  from: Samples,
  fromOffset: number,
  columns: Int32Array,
  bands: number,
  to: Samples,
  toOffset: number,
): void {
  let at = toOffset;
  for (const column of columns) {
    for (let band = 0; band < bands; band += 1) {
      to[at] = from[fromOffset + column + band] as number;
      at += 1;
    }
  }
}
