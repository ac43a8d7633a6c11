/** What of a picture somebody wants from a pass: tiles elsewhere are filled by repeating pixels. Pure. */
import type { Size } from '../../../../contract/geometry.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { Span, TilePlan } from './tile-plan.ts';

/** A grid that is stretched over the whole picture: 1 where it is wanted. */
export interface WantedPart extends Size {
  data: Uint8Array;
}

export type IsWanted = (row: Span, column: Span) => boolean;

/** Which tiles' cores have something wanted; all of them where nothing is said. */
export function wantedTiles({ width, height }: Size, wanted: WantedPart | undefined): IsWanted {
  if (!wanted) return () => true;
  return (row, column) => {
    const top = Math.floor((row.start * wanted.height) / height);
    const bottom = Math.ceil(((row.start + row.length) * wanted.height) / height);
    const left = Math.floor((column.start * wanted.width) / width);
    const right = Math.ceil(((column.start + column.length) * wanted.width) / width);
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1)
        if (wanted.data[y * wanted.width + x] === 1) return true;
    return false;
  };
}

export const countTiles = ({ rows, columns }: TilePlan, isWanted: IsWanted): number =>
  rows.reduce((sum, row) => sum + columns.filter((column) => isWanted(row, column)).length, 0);

/** The same and what lies within a distance of it, which is told as a share of the picture's longer side. */
export function widened(part: WantedPart, reach: number): WantedPart {
  const cells = Math.ceil(reach * Math.max(part.width, part.height));
  const across = spread(part, part.width, 1, cells);
  return spread(across, part.height, part.width, cells);
}

/** Along lines of `length` cells that lie `step` apart in memory. */
function spread(
  { width, height, data }: WantedPart,
  length: number,
  step: number,
  cells: number,
): WantedPart {
  const to = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    if (data[at] === 0) continue;
    const place = Math.floor(at / step) % length;
    const first = at - Math.min(place, cells) * step;
    const last = at + Math.min(length - 1 - place, cells) * step;
    for (let near = first; near <= last; near += step) to[near] = 1;
  }
  return { width, height, data: to };
}

/** Each pixel of a core becomes a square of its own colour, in the depth of `to`. */
export function repeatPixels(
  from: SampleView,
  to: SampleView,
  { width, height }: Size,
  scale: number,
): void {
  const gain = (2 ** to.bits - 1) / (2 ** from.bits - 1);
  for (let y = 0; y < height * scale; y += 1) {
    const source = from.offset + Math.floor(y / scale) * from.stride;
    let at = to.offset + y * to.stride;
    for (let x = 0; x < width * scale; x += 1) {
      const pixel = source + Math.floor(x / scale) * from.bands;
      for (let band = 0; band < to.bands; band += 1)
        to.samples[at++] = Math.round((from.samples[pixel + band] as number) * gain);
    }
  }
}
