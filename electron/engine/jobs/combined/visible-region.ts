/**
 * The region of a photo that its cut-out shows, or whose colours are needed to solve its edge, and the
 * visible region of a finished cut-out. Elsewhere alpha is certainly 0, and no network has to run.
 */
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import { boxOf, pathOf } from '../../../../packages/painting/src/index.ts';
import type { MaskNetworkFile } from '../../protocol/messages.ts';
import type { Mask } from '../../tiles/mask-tensor.ts';
import { cleanMask } from '../cutout/refine/clean-mask.ts';
import { softPixels } from '../cutout/refine/trimap.ts';
import { isHard } from '../cutout/strokes/hard-strokes.ts';
import { tuningOf } from '../cutout/tuning.ts';
import { hasAlpha, type RasterShape, withRaster } from '../../raster/raster-file.ts';
import { eachStrip } from '../../raster/strips.ts';
import { dilate, type RegionMask } from '../../tiles/region-mask.ts';

/** Cells along the longer side of the region's grid. */
const cells = 256;
/**
 * Distance beyond the mask's edge to which colours count, as a share of the photo's longer side. The edge is
 * solved on copies with a longer side of at least 120 pixels (`solve-alpha`), where windows reach two pixels
 * beyond the band, and interpolation one more.
 */
const reachShare = 3 / 120;
/** Minimum of that distance in pixels: `match-colours` compares cells of 16 pixels a side. */
const minReachPx = 48;

interface VisibilityOptions {
  network: Partial<Pick<MaskNetworkFile, 'tuning' | 'matting' | 'size'>>;
  strokes: readonly Stroke[];
  /** Depth of the enlarged picture. */
  bits: 8 | 16;
}

/** Returns the region of a photo that its cut-out shows or needs. @param mask of the whole photo, as found */
export function visibleRegion(
  { network, strokes, bits }: VisibilityOptions,
  mask: Mask,
  photo: Size,
): RegionMask {
  const longest = Math.max(photo.width, photo.height);
  const side = (pixels: number) => Math.max(1, Math.round((pixels * cells) / longest));
  const size = { width: side(photo.width), height: side(photo.height) };
  const region = { ...size, data: new Uint8Array(size.width * size.height) };
  markMask(region, mask, visibilityOf(network, mask, bits));
  for (const stroke of strokes) if (isHard(stroke)) markStroke(region, stroke, photo);
  return dilate(region, Math.max(reachShare, minReachPx / longest));
}

/** Returns a predicate on the mask's pixels: whether alpha may be above 0 near one. */
function visibilityOf(
  network: VisibilityOptions['network'],
  mask: Mask,
  bits: 8 | 16,
): (at: number) => boolean {
  if (network.matting) {
    const minAlpha = 0.5 / (2 ** bits - 1);
    return (at) => (mask.data[at] as number) >= minAlpha;
  }
  const tuning = tuningOf(network);
  const cleaned = cleanMask(mask, tuning);
  const soft = softPixels(cleaned, tuning);
  return (at) => soft.data[at] === 1 || (cleaned.data[at] as number) >= 0.5;
}

/** Marks the cells of visible mask pixels. Interpolation spreads a pixel to the centres of its neighbours. */
function markMask(region: RegionMask, { width, height }: Size, isVisible: (at: number) => boolean) {
  const columns = Array.from({ length: width }, (_, x) => cellsOf(x, width, region.width));
  for (let y = 0; y < height; y += 1) {
    const rows = cellsOf(y, height, region.height);
    for (let x = 0; x < width; x += 1)
      if (isVisible(y * width + x)) mark(region, columns[x] as CellRange, rows);
  }
}

interface CellRange {
  first: number;
  last: number;
}

function cellsOf(at: number, size: number, into: number): CellRange {
  const first = Math.floor(((at - 0.5) * into) / size);
  const last = Math.ceil(((at + 1.5) * into) / size) - 1;
  return { first: Math.max(0, first), last: Math.min(into - 1, last) };
}

function mark({ width, data }: RegionMask, columns: CellRange, rows: CellRange): void {
  for (let y = rows.first; y <= rows.last; y += 1)
    data.fill(1, y * width + columns.first, y * width + columns.last + 1);
}

function markStroke(region: RegionMask, stroke: Stroke, photo: Size): void {
  const path = pathOf(stroke, region, photo);
  for (const [i, to] of path.points.entries()) {
    const points = [path.points[Math.max(0, i - 1)] ?? to, to];
    const box = boxOf({ ...path, points }, region, 1);
    if (!box) continue;
    const columns = { first: box.x, last: box.x + box.width - 1 };
    mark(region, columns, { first: box.y, last: box.y + box.height - 1 });
  }
}

/** Side of a cell, about as far as the finishing steps look around a pixel. */
const cellPx = 32;

/** Returns the region of a cut-out with alpha above 0; undefined: all of it. @throws the signal's reason */
export async function opaqueRegion(
  path: string,
  shape: RasterShape,
  signal: AbortSignal,
): Promise<RegionMask | undefined> {
  if (!hasAlpha(shape)) return undefined;
  const size = { width: Math.ceil(shape.width / cellPx), height: Math.ceil(shape.height / cellPx) };
  const region = { ...size, data: new Uint8Array(size.width * size.height) };
  await withRaster(path, async (raster) => {
    await eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
      for (let row = 0; row < rows; row += 1) {
        const cells = Math.floor(((y + row) * size.height) / shape.height) * size.width;
        let at = row * stride + shape.bands - 1;
        for (let x = 0; x < shape.width; x += 1, at += shape.bands)
          if ((samples[at] as number) > 0)
            region.data[cells + Math.floor((x * size.width) / shape.width)] = 1;
      }
    });
  });
  return dilate(region, 2 / Math.max(size.width, size.height));
}
