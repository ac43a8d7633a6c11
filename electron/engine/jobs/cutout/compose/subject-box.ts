/** Finds the subject's bounding box on a cut-out raster. */
import type { Rect } from '../../../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../../../packages/contract/src/errors.ts';
import type { Raster, Samples } from '../../../raster/raster-file.ts';
import { eachStrip } from '../../../raster/strips.ts';

/** Alpha from which a pixel counts as subject; fainter ones are tips of hairs, or noise. */
export const minVisibleAlpha = 0.05;
/** Share of a row or column that must be subject, so that specks do not widen a crop. */
const minShare = 0.002;

/**
 * Finds the subject's bounding box with a margin, clipped to the picture.
 *
 * @param marginPercent of the subject's longer side
 * @throws EnlargerError NO_SUBJECT; the signal's reason
 */
export async function findSubjectBox(
  raster: Raster,
  marginPercent: number,
  signal: AbortSignal,
): Promise<Rect> {
  const { width, height } = raster.shape;
  const { columns, rows } = await countVisible(raster, signal);
  const xs = spanOf(columns, Math.max(1, minShare * height));
  const ys = spanOf(rows, Math.max(1, minShare * width));
  if (!xs || !ys)
    throw new EnlargerError('NO_SUBJECT', 'Nothing in this picture stands out as its subject.');
  const margin = Math.round((marginPercent / 100) * Math.max(xs.length, ys.length));
  const across = widened(xs, margin, width);
  const down = widened(ys, margin, height);
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

interface SubjectSpan {
  start: number;
  length: number;
}

function spanOf(counts: Uint32Array, min: number): SubjectSpan | undefined {
  const start = counts.findIndex((count) => count >= min);
  const last = counts.findLastIndex((count) => count >= min);
  return start < 0 ? undefined : { start, length: last - start + 1 };
}

function widened({ start, length }: SubjectSpan, margin: number, size: number): SubjectSpan {
  const from = Math.max(0, start - margin);
  return { start: from, length: Math.min(size, start + length + margin) - from };
}

/** Counts the subject's pixels in each row and column. */
async function countVisible(raster: Raster, signal: AbortSignal) {
  const { width, height, bands, bits } = raster.shape;
  const counts = { columns: new Uint32Array(width), rows: new Uint32Array(height) };
  const min = minVisibleAlpha * (2 ** bits - 1);
  await eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
    for (let row = 0; row < rows; row += 1)
      countRow(samples, row * stride, bands, min, counts, y + row);
  });
  return counts;
}

function countRow(
  samples: Samples,
  offset: number,
  bands: number,
  min: number,
  { columns, rows }: { columns: Uint32Array; rows: Uint32Array },
  y: number,
): void {
  let visible = 0;
  for (let x = 0, at = offset + bands - 1; x < columns.length; x += 1, at += bands) {
    if ((samples[at] as number) < min) continue;
    columns[x] = (columns[x] as number) + 1;
    visible += 1;
  }
  rows[y] = visible;
}
