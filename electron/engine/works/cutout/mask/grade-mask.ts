/** How far a cut-out can be handed on unseen, from how sure the network was of what it said. Pure. */
import type { MaskTuning } from '../../../../contract/model.ts';
import type { Grade } from '../../../../contract/task.ts';
import type { Mask } from './mask-tensor.ts';

/** Of the picture. A subject that is larger leaves hardly anything out, so perhaps all of it was taken for one. */
const largestShare = 0.9;

/**
 * Of the embedded network, on the held-out pictures of test/bench (66 of ECSSD, 56 of PASCAL-S): of the worst tenth of
 * either set (by intersection over union) none has less than `goodDoubt` and a smaller subject; more than half of them
 * have more than `poorDoubt`.
 */
export function gradeOf(
  said: Mask,
  { goodDoubt, poorDoubt }: Pick<MaskTuning, 'goodDoubt' | 'poorDoubt'>,
): Grade {
  const doubt = doubtOf(said);
  if (doubt > poorDoubt) return 'poor';
  return doubt > goodDoubt || shareOf(said) > largestShare ? 'look' : 'good';
}

/** The part of the picture that is more subject than not. */
function shareOf({ data }: Mask): number {
  return data.reduce((count, value) => (value > 0.5 ? count + 1 : count), 0) / data.length;
}

/** What the mask leaves open, as a share of what it calls the subject; 1 where it calls nothing so. */
export function doubtOf({ data }: Mask): number {
  let open = 0;
  let subject = 0;
  for (const value of data) {
    open += Math.min(value, 1 - value);
    subject += value;
  }
  return subject === 0 ? 1 : open / subject;
}
