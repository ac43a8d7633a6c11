/**
 * Checks whether a mask shows a subject at all. These networks respond to every picture: for a wall, a sky or
 * a crowd with a few faint or scattered pixels, or with all of them.
 */
import type { Size } from '../../../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../../../packages/contract/src/errors.ts';
import { minSubject } from '../../../raster/planes/components.ts';
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import type { Grade } from '../../../../../packages/contract/src/task.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';

/** Minimum of a picture's shorter side for a recognisable subject. */
const minSidePx = 8;

/** @throws EnlargerError NO_SUBJECT for a picture that is too small to show a subject */
export function assertLargeEnough({ width, height }: Size): void {
  if (Math.min(width, height) >= minSidePx) return;
  throw noSubject(`A picture of ${width} x ${height} pixels is too small to show a subject`);
}

type SubjectTuning = Pick<MaskTuning, 'subjectCertainty' | 'leastSubject' | 'mostSubject'>;

/** @throws EnlargerError NO_SUBJECT for a mask whose subject is too small, too large or too uncertain */
export function assertSubject(mask: Mask, tuning: SubjectTuning): void {
  const why = whyNoSubject(mask, tuning);
  if (why !== undefined) throw noSubject(why);
}

/** Whether the network found a subject by itself. */
export const findsSubject = (
  found: SeparationInput,
  tuning: SubjectTuning & SeparationTuning,
): boolean => whyNoSubject(found.mask, tuning) === undefined && isSeparate(found, tuning);

function whyNoSubject(
  { data }: Mask,
  { subjectCertainty, leastSubject, mostSubject }: SubjectTuning,
): string | undefined {
  let count = 0;
  let sum = 0;
  for (const value of data) {
    if (value < minSubject) continue;
    count += 1;
    sum += value;
  }
  const share = count / data.length;
  if (share < leastSubject) return 'Nothing in this picture stands out as its subject';
  if (share > mostSubject) return 'The subject fills this picture, so nothing can be cut off';
  const isCertain = sum / count >= subjectCertainty;
  return isCertain ? undefined : 'It cannot be told what in this picture is its subject';
}

type SeparationTuning = Pick<MaskTuning, 'apartDoubt' | 'apartBorder' | 'apartLikeness'>;

/**
 * @throws EnlargerError NO_SUBJECT for a part of a wall, a floor or a sky: it has the colours of the rest,
 *   and it touches the border or is doubtful. A white cat in snow does neither. Of 45 photographs with a
 *   subject none had an overlap above 0.59; of 8 grey and paler copies two had, and both were certain and off
 *   the border.
 */
export function assertSeparate(found: SeparationInput, tuning: SeparationTuning): void {
  if (!isSeparate(found, tuning))
    throw noSubject('What stands out in this picture looks like all the rest of it');
}

const isSeparate = (
  { mask, rawMask, colourOverlap = 0 }: SeparationInput,
  { apartDoubt, apartBorder, apartLikeness }: SeparationTuning,
): boolean =>
  colourOverlap <= apartLikeness ||
  (doubtOf(rawMask) <= apartDoubt && borderShare(mask) <= apartBorder);

interface SeparationInput {
  mask: Mask;
  /** The network's own mask. */
  rawMask: Mask;
  colourOverlap?: number;
}

/** Share of the picture's border that is subject. */
export function borderShare({ width, height, data }: Mask): number {
  let [count, border] = [0, 0];
  for (const [at, value] of data.entries()) {
    const x = at % width;
    const isInside = x > 0 && x < width - 1 && at >= width && at < (height - 1) * width;
    if (isInside) continue;
    border += 1;
    if (value >= minSubject) count += 1;
  }
  return count / border;
}

const noSubject = (why: string) =>
  new EnlargerError(
    'NO_SUBJECT',
    `${why}. Try a picture with one clear subject that differs from what is behind it, or paint what to keep: Touch up in the window, --strokes of the command line, strokes in a submit.`,
  );

type GradeTuning = Pick<MaskTuning, 'goodDoubt' | 'goodShare' | 'goodBorder' | 'poorDoubt'>;

/**
 * Grades a mask by its doubt. Of 122 held-out pictures (66 of ECSSD, 56 of PASCAL-S) 25 are below
 * `goodDoubt`, one of them with an intersection over union under 0.8; of the 15 above `poorDoubt` none has
 * more than 0.82.
 *
 * @param rawMask the network's own mask
 */
export function gradeOf(
  rawMask: Mask,
  { goodDoubt, goodShare, goodBorder, poorDoubt }: GradeTuning,
): Grade {
  const doubt = doubtOf(rawMask);
  if (doubt > poorDoubt) return 'poor';
  const isGood =
    doubt <= goodDoubt && shareOf(rawMask) <= goodShare && borderShare(rawMask) <= goodBorder;
  return isGood ? 'good' : 'look';
}

/** Share of the picture that is more subject than not. */
function shareOf({ data }: Mask): number {
  return data.reduce((count, value) => (value > 0.5 ? count + 1 : count), 0) / data.length;
}

/** Undecided mass of the mask as a share of the subject's; 1 if it shows no subject. */
export function doubtOf({ data }: Mask): number {
  let open = 0;
  let subject = 0;
  for (const value of data) {
    open += Math.min(value, 1 - value);
    subject += value;
  }
  return subject === 0 ? 1 : open / subject;
}
