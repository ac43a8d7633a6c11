/**
 * Finds the part of a photo that a cut-out shows or by whose colours it solves its edge, and the visible part
 * of a finished cut-out. Elsewhere alpha is certainly 0, and nothing needs to be enlarged by a network.
 */
import type { Size } from '../../../contract/geometry.ts';
import type { Stroke } from '../../../contract/options/strokes.ts';
import { boxOf, pathOf } from '../../../painting/brush-path.ts';
import type { MaskNetworkFile } from '../../protocol/messages.ts';
import type { Mask } from '../../tiles/mask-tensor.ts';
import { settled } from '../cutout/refine/settle-mask.ts';
import { softPixels } from '../cutout/refine/trimap.ts';
import { isHard } from '../cutout/strokes/hard-strokes.ts';
import { tuningOf } from '../cutout/tuning.ts';
import { hasAlpha, type RasterShape, withRaster } from '../../raster/raster-file.ts';
import { eachStrip } from '../../raster/strips.ts';
import { dilate, type RegionMask } from '../../tiles/region-mask.ts';

/** The grid has this many cells along the longer side. */
const cells = 256;
/**
 * Colours count this far beyond the mask's edge, as a share of the photo's longer side: the edge is solved on
 * copies whose longer side has at least 120 pixels (`solve-alpha`), and there the windows reach two pixels
 * beyond the band, and interpolation reaches one more.
 */
const reach = 3 / 120;
/** The reach is at least this many pixels, for `hold-colours` compares cells of 16 pixels a side. */
const leastReachPx = 48;

interface SeenWish {
  network: Partial<Pick<MaskNetworkFile, 'tuning' | 'matting'>>;
  strokes: readonly Stroke[];
  /** The enlarged picture has this many bits. */
  bits: 8 | 16;
}

/**
 * Answers the part of a photo that its cut-out shows or needs.
 *
 * @param mask of the whole photo, as it was found
 */
export function seenPart(
  { network, strokes, bits }: SeenWish,
  mask: Mask,
  photo: Size,
): RegionMask {
  const longest = Math.max(photo.width, photo.height);
  const side = (pixels: number) => Math.max(1, Math.round((pixels * cells) / longest));
  const size = { width: side(photo.width), height: side(photo.height) };
  const part = { ...size, data: new Uint8Array(size.width * size.height) };
  markMask(part, mask, isSeenIn(network, mask, bits));
  for (const stroke of strokes) if (isHard(stroke)) markStroke(part, stroke, photo);
  return dilate(part, Math.max(reach, leastReachPx / longest));
}

/** Answers a predicate of the mask's pixels: whether alpha may be more than 0 around one. */
function isSeenIn(network: SeenWish['network'], mask: Mask, bits: 8 | 16): (at: number) => boolean {
  if (network.matting) {
    const least = 0.5 / (2 ** bits - 1);
    return (at) => (mask.data[at] as number) >= least;
  }
  const tuning = tuningOf(network);
  const believed = settled(mask, tuning);
  const soft = softPixels(believed, tuning);
  return (at) => soft.data[at] === 1 || (believed.data[at] as number) >= 0.5;
}

/** Marks the cells of seen mask pixels. Interpolation spreads a pixel to the middles of its neighbours. */
function markMask(part: RegionMask, { width, height }: Size, isSeen: (at: number) => boolean) {
  const columns = Array.from({ length: width }, (_, x) => cellsOf(x, width, part.width));
  for (let y = 0; y < height; y += 1) {
    const rows = cellsOf(y, height, part.height);
    for (let x = 0; x < width; x += 1)
      if (isSeen(y * width + x)) mark(part, columns[x] as Cells, rows);
  }
}

interface Cells {
  first: number;
  last: number;
}

function cellsOf(at: number, size: number, into: number): Cells {
  const first = Math.floor(((at - 0.5) * into) / size);
  const last = Math.ceil(((at + 1.5) * into) / size) - 1;
  return { first: Math.max(0, first), last: Math.min(into - 1, last) };
}

function mark({ width, data }: RegionMask, columns: Cells, rows: Cells): void {
  for (let y = rows.first; y <= rows.last; y += 1)
    data.fill(1, y * width + columns.first, y * width + columns.last + 1);
}

function markStroke(part: RegionMask, stroke: Stroke, photo: Size): void {
  const path = pathOf(stroke, part, photo);
  for (const [i, to] of path.points.entries()) {
    const points = [path.points[Math.max(0, i - 1)] ?? to, to];
    const box = boxOf({ ...path, points }, part, 1);
    if (!box) continue;
    const columns = { first: box.x, last: box.x + box.width - 1 };
    mark(part, columns, { first: box.y, last: box.y + box.height - 1 });
  }
}

/** A cell has this many pixels a side, which is about as far as the finishing steps look around a pixel. */
const cellPx = 32;

/** Answers the visible part of a cut-out; undefined means all of it. It rejects with the signal's reason. */
export async function visiblePart(
  path: string,
  shape: RasterShape,
  signal: AbortSignal,
): Promise<RegionMask | undefined> {
  if (!hasAlpha(shape)) return undefined;
  const size = { width: Math.ceil(shape.width / cellPx), height: Math.ceil(shape.height / cellPx) };
  const part = { ...size, data: new Uint8Array(size.width * size.height) };
  await withRaster(path, async (raster) => {
    await eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
      for (let row = 0; row < rows; row += 1) {
        const cells = Math.floor(((y + row) * size.height) / shape.height) * size.width;
        let at = row * stride + shape.bands - 1;
        for (let x = 0; x < shape.width; x += 1, at += shape.bands)
          if ((samples[at] as number) > 0)
            part.data[cells + Math.floor((x * size.width) / shape.width)] = 1;
      }
    });
  });
  return dilate(part, 2 / Math.max(size.width, size.height));
}
