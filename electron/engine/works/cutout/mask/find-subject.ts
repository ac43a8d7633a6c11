/**
 * Whether a mask shows a subject at all. Networks of this kind answer something for every picture:
 * for a wall, a sky or a crowd it is a few faint or scattered pixels, or all of them.
 */
import { EnlargerError } from '../../../../contract/errors.ts';
import type { MaskTuning } from '../../../../contract/model.ts';
import { subjectFrom } from '../../../raster/planes/components.ts';
import { doubtOf } from './grade-mask.ts';
import type { Mask } from './mask-tensor.ts';

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

/** What shares so much of its colours with what is around it is set apart by them in nothing. */
const mostLikeness = 2 / 3;
/** Of the picture's border, what a subject takes at the most that looks like its surroundings. */
const mostOfBorder = 0.4;

/**
 * Throws NO_SUBJECT with a sentence for a part of a wall, a floor or a sky: what has the colours of all the rest,
 * and runs along the border or is doubtful. A white cat in snow is neither. Of 45 photographs with a subject none had
 * a likeness above 0.59; of 8 grey and paler copies two had, and both were sure and off the border.
 */
export function assertApart(
  { mask, said, likeness = 0 }: Apart,
  { apartDoubt }: Pick<MaskTuning, 'apartDoubt'>,
): void {
  if (likeness <= mostLikeness) return;
  if (doubtOf(said) <= apartDoubt && borderShare(mask) <= mostOfBorder) return;
  throw none('What stands out in this picture looks like all the rest of it');
}

interface Apart {
  mask: Mask;
  /** What the network said of the whole picture, before anything was decided. */
  said: Mask;
  likeness?: number;
}

/** How much of the picture's border is the subject's. */
function borderShare({ width, height, data }: Mask): number {
  let [count, border] = [0, 0];
  for (const [at, value] of data.entries()) {
    const x = at % width;
    const isInside = x > 0 && x < width - 1 && at >= width && at < (height - 1) * width;
    if (isInside) continue;
    border += 1;
    if (value >= subjectFrom) count += 1;
  }
  return count / border;
}

const none = (why: string) =>
  new EnlargerError(
    'NO_SUBJECT',
    `${why}. Try a picture with one clear subject that differs from what is behind it, or paint what to keep: Touch up in the window, strokes in a submit.`,
  );
