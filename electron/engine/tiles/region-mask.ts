/** Restricts a pass to a region of the picture; tiles outside are enlarged without the network. Pure. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { TileSpan, TilePlan } from './tile-plan.ts';

/** A grid stretched over the whole picture: 1 in cells of the region, else 0. */
export interface RegionMask extends Size {
  data: Uint8Array;
}

export type TileFilter = (row: TileSpan, column: TileSpan) => boolean;

/** Returns a predicate for tiles whose core touches the region. Without a region it is always true. */
export function tilesInRegion({ width, height }: Size, region: RegionMask | undefined): TileFilter {
  if (!region) return () => true;
  return (row, column) => {
    const top = Math.floor((row.start * region.height) / height);
    const bottom = Math.ceil(((row.start + row.length) * region.height) / height);
    const left = Math.floor((column.start * region.width) / width);
    const right = Math.ceil(((column.start + column.length) * region.width) / width);
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1)
        if (region.data[y * region.width + x] === 1) return true;
    return false;
  };
}

export const countTiles = ({ rows, columns }: TilePlan, isInRegion: TileFilter): number =>
  rows.reduce((sum, row) => sum + columns.filter((column) => isInRegion(row, column)).length, 0);

/** Returns the cells of a region that another one of the same size lacks. */
export function without({ width, height, data }: RegionMask, known: RegionMask): RegionMask {
  return { width, height, data: data.map((cell, at) => (known.data[at] === 1 ? 0 : cell)) };
}

/** Returns the cells of two regions of one size. */
export function union({ width, height, data }: RegionMask, other: RegionMask): RegionMask {
  return { width, height, data: data.map((cell, at) => (other.data[at] === 1 ? 1 : cell)) };
}

export const isEmpty = ({ data }: RegionMask): boolean => !data.includes(1);

/** Dilates a region with a square structuring element. @param reach share of the picture's longer side */
export function dilate(region: RegionMask, reach: number): RegionMask {
  const cells = Math.ceil(reach * Math.max(region.width, region.height));
  const across = dilateAlong(region, region.width, 1, cells);
  return dilateAlong(across, region.height, region.width, cells);
}

/** Dilates along lines of `length` cells whose neighbours are `step` apart in memory. */
function dilateAlong(
  { width, height, data }: RegionMask,
  length: number,
  step: number,
  cells: number,
): RegionMask {
  const to = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    if (data[at] === 0) continue;
    const index = Math.floor(at / step) % length;
    const first = at - Math.min(index, cells) * step;
    const last = at + Math.min(length - 1 - index, cells) * step;
    for (let near = first; near <= last; near += step) to[near] = 1;
  }
  return { width, height, data: to };
}

/** Nearest-neighbour enlargement of a core, converted to the depth of `to`. */
export function enlargeNearest(
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
