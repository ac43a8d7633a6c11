/** How far a cut-out can be handed on unseen, from how sure the network was of what it said. Pure. */
import type { Grade } from '../../../../contract/task.ts';
import type { Mask } from './mask-tensor.ts';

/**
 * Limits of the doubt, on the held-out ECSSD pictures of test/bench (66, and two of PASCAL-S): below the first
 * none of the worst tenth lies (by intersection over union), above the second the half does.
 */
const goodDoubt = 0.03;
const poorDoubt = 0.14;

export function gradeOf(said: Mask): Grade {
  const doubt = doubtOf(said);
  if (doubt > poorDoubt) return 'poor';
  return doubt > goodDoubt ? 'look' : 'good';
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
