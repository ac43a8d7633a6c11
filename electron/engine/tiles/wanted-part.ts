/** Only a part of a picture may be wanted from a pass: other tiles are filled by repeating pixels. It is pure. */
import type { Size } from '../../contract/geometry.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { Span, TilePlan } from './tile-plan.ts';

/** The grid is stretched over the whole picture: a cell is 1 where the picture is wanted, else 0. */
export interface WantedPart extends Size {
  data: Uint8Array;
}

export type IsWanted = (row: Span, column: Span) => boolean;

/** Answers a predicate: whether a tile's core touches a wanted cell. It is always true without a wanted part. */
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

/** Dilates a part by `reach`, a share of the picture's longer side, with a square as structuring element. */
export function dilated(part: WantedPart, reach: number): WantedPart {
  const cells = Math.ceil(reach * Math.max(part.width, part.height));
  const across = dilatedAlong(part, part.width, 1, cells);
  return dilatedAlong(across, part.height, part.width, cells);
}

/** Dilates along lines of `length` cells, which lie `step` apart in memory. */
function dilatedAlong(
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

/** Enlarges a core by repeating pixels: each becomes a square of its own colour, in the depth of `to`. */
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
