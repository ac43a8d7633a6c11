/** Finds where the subject stands on a cut-out raster. */
import type { Rect } from '../../../../contract/geometry.ts';
import { EnlargerError } from '../../../../contract/errors.ts';
import type { Raster, Samples } from '../../../raster/raster-file.ts';
import { eachStrip } from '../../../raster/strips.ts';

/** A pixel counts as the subject's from this alpha on; fainter ones are the tips of hairs, or nothing. */
export const seenFrom = 0.05;
/** This share of a row or column must be the subject's, so that single specks do not widen a crop. */
const leastShare = 0.002;

/**
 * Finds the box of the subject with a margin around it, which ends at the picture's border. It throws
 * NO_SUBJECT, and rejects with the signal's reason.
 *
 * @param marginPercent of the subject's longer side
 */
export async function findSubjectBox(
  raster: Raster,
  marginPercent: number,
  signal: AbortSignal,
): Promise<Rect> {
  const { width, height } = raster.shape;
  const { columns, rows } = await countSeen(raster, signal);
  const xs = spanOf(columns, Math.max(1, leastShare * height));
  const ys = spanOf(rows, Math.max(1, leastShare * width));
  if (!xs || !ys)
    throw new EnlargerError('NO_SUBJECT', 'Nothing in this picture stands out as its subject.');
  const margin = Math.round((marginPercent / 100) * Math.max(xs.length, ys.length));
  const across = widened(xs, margin, width);
  const down = widened(ys, margin, height);
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

interface Span {
  start: number;
  length: number;
}

function spanOf(counts: Uint32Array, least: number): Span | undefined {
  const start = counts.findIndex((count) => count >= least);
  const last = counts.findLastIndex((count) => count >= least);
  return start < 0 ? undefined : { start, length: last - start + 1 };
}

function widened({ start, length }: Span, margin: number, size: number): Span {
  const from = Math.max(0, start - margin);
  return { start: from, length: Math.min(size, start + length + margin) - from };
}

/** Counts the subject's pixels in each row and column. */
async function countSeen(raster: Raster, signal: AbortSignal) {
  const { width, height, bands, bits } = raster.shape;
  const counts = { columns: new Uint32Array(width), rows: new Uint32Array(height) };
  const least = seenFrom * (2 ** bits - 1);
  await eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
    for (let row = 0; row < rows; row += 1)
      countRow(samples, row * stride, bands, least, counts, y + row);
  });
  return counts;
}

function countRow(
  samples: Samples,
  offset: number,
  bands: number,
  least: number,
  { columns, rows }: { columns: Uint32Array; rows: Uint32Array },
  y: number,
): void {
  let seen = 0;
  for (let x = 0, at = offset + bands - 1; x < columns.length; x += 1, at += bands) {
    if ((samples[at] as number) < least) continue;
    columns[x] = (columns[x] as number) + 1;
    seen += 1;
  }
  rows[y] = seen;
}
