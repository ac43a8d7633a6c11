/** Composes a cut-out: crops the refined subject or places it on a canvas, over its background. */
import { note } from '../../../../../packages/contract/src/notes/notes.ts';
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { sizeWithin } from '../../../plan/output-plan.ts';
import { finishRaster } from '../../../raster/finish-raster.ts';
import { type Raster, type RasterShape, consumeRaster } from '../../../raster/raster-file.ts';
import { choosePainter } from './choose-painter.ts';
import { compose } from './compose.ts';
import { pasteOnCanvas } from './paste-on-canvas.ts';
import {
  isPlaced,
  placeSubject,
  visiblePart,
  type Placement,
} from '../../../../../packages/painting/src/index.ts';
import type { CutoutHooks } from '../refine/refine-mask.ts';
import { findSubjectBox } from './subject-box.ts';

export interface ComposedCutout {
  rasterPath: string;
  shape: RasterShape;
  /** Raster pixels per source pixel, along a side. */
  scale: number;
  /** Part of the source that the raster shows, possibly beyond its borders; absent: all of it. */
  crop?: Rect;
  /** Whether the raster's numbers are no longer those of the source's profile. */
  converted: boolean;
  notes: string[];
}

export interface ComposeOrder extends Pick<
  CutoutJob,
  | 'background'
  | 'backgroundPath'
  | 'shadow'
  | 'crop'
  | 'canvas'
  | 'subjectScale'
  | 'position'
  | 'maskOnly'
  | 'scratchDir'
  | 'target'
  | 'limits'
> {
  bits: 8 | 16;
  icc: Buffer | undefined;
  /** Crops are aligned to multiples of this; undefined: 1. */
  gridPx?: number | undefined;
}

/** Composes the cut-out into a raster of the scratch folder, and removes the subject's raster. */
export async function composeCutout(
  order: ComposeOrder,
  source: Raster,
  subjectPath: string,
  hooks: CutoutHooks,
): Promise<ComposedCutout> {
  return consumeRaster(subjectPath, async (cut) => {
    const part = await partOf(order, cut, hooks.signal);
    if (!isPlaced(order)) {
      const composed = await composePart(order, source, cut, part, hooks);
      return { ...composed, ...(order.crop !== undefined && { crop: part }) };
    }
    return composePlaced(order, source, cut, placeSubject(part, source.shape, order), hooks);
  });
}

/** Places a cut-out that was enlarged, all of it, on the order's canvas, and removes its raster. */
export function placeEnlarged(
  order: ComposeOrder,
  enlargedPath: string,
  hooks: CutoutHooks,
): Promise<ComposedCutout> {
  // It may have the path to which the result is composed.
  const path = join(order.scratchDir, 'enlarged.v');
  renameSync(enlargedPath, path);
  return consumeRaster(path, (cut) => {
    const { width, height } = cut.shape;
    const part = { x: 0, y: 0, width, height };
    return composePlaced(order, cut, cut, placeSubject(part, part, order), hooks);
  });
}

/** A subject that is stretched no further looks sharp enough. */
const unseenStretch = 1.25;

/** Composes on a canvas, which has the size of the result before the final reduction. */
async function composePlaced(
  order: ComposeOrder,
  source: Raster,
  cut: Raster,
  placement: Placement,
  hooks: CutoutHooks,
): Promise<ComposedCutout> {
  const placedPath = await pasteOnCanvas(cut, placement, order.scratchDir, hooks.signal);
  return consumeRaster(placedPath, async (placed) => {
    const whole = { x: 0, y: 0, ...placement.canvas };
    const composed = await composePart(order, source, placed, whole, hooks);
    const { factor } = placement;
    const notes =
      factor > unseenStretch
        ? [...composed.notes, note('SUBJECT_STRETCHED', { factor: factor.toFixed(1) })]
        : composed.notes;
    const scale = composed.scale * factor;
    return { ...composed, scale, crop: visiblePart(placement), notes };
  });
}

async function composePart(
  order: ComposeOrder,
  source: Raster,
  cut: Raster,
  region: Rect,
  hooks: CutoutHooks,
): Promise<ComposedCutout> {
  const { bits } = order;
  const { signal, onProgress } = hooks;
  const rasterPath = join(order.scratchDir, 'cutout.v');
  const stillAlive = () => onProgress(0);
  const chosen = await choosePainter({ ...order, source, cut, region, signal, stillAlive });
  const { painter, converted, notes } = chosen;
  try {
    const shape = await compose({ cut, region, output: rasterPath, bits, painter, ...hooks });
    return { ...(await reduced(order, { rasterPath, shape })), converted, notes };
  } finally {
    chosen.close();
  }
}

/** Reduces the composed raster to the target size if that is smaller. */
async function reduced(
  { target, scratchDir }: ComposeOrder,
  whole: { rasterPath: string; shape: RasterShape },
): Promise<{ rasterPath: string; shape: RasterShape; scale: number }> {
  const { rasterPath, shape } = whole;
  const size = target && sizeWithin(target, shape);
  if (!size || isSame(size, shape)) return { ...whole, scale: 1 };
  const toPath = join(scratchDir, 'reduced.v');
  await finishRaster(rasterPath, toPath, size);
  rmSync(rasterPath);
  return { rasterPath: toPath, shape: { ...shape, ...size }, scale: size.width / shape.width };
}

const isSame = (a: Size, b: Size) => a.width === b.width && a.height === b.height;

/** Part of the photo that the result shows or has on its canvas. */
async function partOf(order: ComposeOrder, cut: Raster, signal: AbortSignal): Promise<Rect> {
  const { width, height } = cut.shape;
  if (order.crop === undefined && !isPlaced(order)) return { x: 0, y: 0, width, height };
  const box = await findSubjectBox(cut, order.crop ?? 0, signal);
  return onGrid(box, order.gridPx ?? 1, cut.shape);
}

/** Widens a box to multiples of `px`, within the picture. */
function onGrid({ x, y, width, height }: Rect, px: number, picture: Size): Rect {
  const [left, top] = [Math.floor(x / px) * px, Math.floor(y / px) * px];
  const right = Math.min(picture.width, Math.ceil((x + width) / px) * px);
  const bottom = Math.min(picture.height, Math.ceil((y + height) / px) * px);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
