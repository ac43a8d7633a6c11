/**
 * Whether a mask shows a subject at all. Networks of this kind answer something for every picture:
 * for a wall, a sky or a crowd it is a few faint or scattered pixels, or all of them.
 */
import { EnlargerError } from '../../../../contract/errors.ts';
import type { MaskTuning } from '../../../../contract/model.ts';
import type { Mask } from './mask-tensor.ts';

/** From here on a pixel counts as the subject's. */
const subjectFrom = 0.5;
/** A subject takes at least this share of the picture: a square of a thirtieth of each side. */
export const leastShare = 0.001;
/** Beyond this nothing is left that it could be cut out of. */
export const mostShare = 0.995;

/** A side of fewer pixels shows nothing that could be told from what is behind it. */
const leastSidePx = 8;

/** @param picture the whole one. Throws NO_SUBJECT with a sentence. */
export function assertLargeEnough({ width, height }: { width: number; height: number }): void {
  if (Math.min(width, height) >= leastSidePx) return;
  throw none(`A picture of ${width} x ${height} pixels is too small to show a subject`);
}

/** Throws NO_SUBJECT with a sentence. */
export function assertSubject(
  { data }: Mask,
  { subjectCertainty }: Pick<MaskTuning, 'subjectCertainty'>,
): void {
  let count = 0;
  let sum = 0;
  for (const value of data) {
    if (value < subjectFrom) continue;
    count += 1;
    sum += value;
  }
  const share = count / data.length;
  if (share < leastShare) throw none('Nothing in this picture stands out as its subject');
  if (share > mostShare) throw none('The subject fills this picture, so nothing can be cut off');
  if (sum / count < subjectCertainty)
    throw none('It cannot be told what in this picture is its subject');
}

const none = (why: string) =>
  new EnlargerError(
    'NO_SUBJECT',
    `${why}. Try a picture with one clear subject that differs from what is behind it, or paint what to keep: Touch up in the window, strokes in a submit.`,
  );
