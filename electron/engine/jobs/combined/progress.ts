/** Tells how far an enlarged cut-out is and how long the rest takes. It is pure but for the passes' clock. */
import type { EnlargeOrder } from '../../../contract/request.ts';
import { beginOf, type ProgressPlan, type Share } from '../steps/progress.ts';
import type { EnlargedCutoutPlan } from '../../plan/plan-cutout.ts';
import type { PassClock } from '../upscale/pass-clock.ts';

/** Cutting is assumed to take this share of the whole while one of both was never measured. */
const assumedCutting = 0.3;
/** Decoding is assumed to take this share of the whole. */
const decoding = 0.04;

export function progressOfBoth(
  first: EnlargeOrder,
  {
    cuttingSeconds,
    enlargingSeconds: seconds,
  }: Pick<EnlargedCutoutPlan, 'cuttingSeconds' | 'enlargingSeconds'>,
  clock: PassClock,
): ProgressPlan {
  const known =
    cuttingSeconds !== undefined && seconds !== undefined && cuttingSeconds + seconds > 0;
  const measured = known ? cuttingSeconds / (cuttingSeconds + seconds) : assumedCutting;
  const cutting = Math.min(0.9, Math.max(0.05, measured));
  const { shares, passes } = first === 'enlarge' ? enlargeFirst(cutting) : cutFirst(cutting);
  const passesBegin = beginOf(passes, shares);
  const passesEnd = beginOf(passes + 1, shares);
  return {
    shares,
    secondsLeft(done) {
      if (cuttingSeconds === undefined) return undefined;
      const passesLeft = done >= passesEnd ? 0 : clock.plan.secondsLeft(done, 'network');
      if (passesLeft === undefined) return undefined;
      const passesDone = Math.min(Math.max(done - passesBegin, 0), passesEnd - passesBegin);
      const cuttingDone = (done - passesDone) / (1 - (passesEnd - passesBegin));
      return passesLeft + cuttingSeconds * (1 - cuttingDone);
    },
  };
}

interface Shares {
  shares: readonly Share[];
  /** This is the index of the share of the passes. */
  passes: number;
}

/** These are the shares if the enlarging comes first: the mask, the passes, the edge on the large picture. */
const enlargeFirst = (cutting: number): Shares => ({
  shares: [
    ['decode', decoding],
    ['wait', 0],
    ['network', 0.1 * cutting],
    ['wait', 0],
    ['network', 1 - decoding - cutting],
    ['encode', 0],
    ['refine', 0.6 * cutting],
    ['encode', 0.3 * cutting],
  ],
  passes: 4,
});

/** These are the shares if the cutting comes first: the mask, the edge, the passes. */
const cutFirst = (cutting: number): Shares => ({
  shares: [
    ['decode', decoding],
    ['wait', 0],
    ['network', 0.2 * cutting],
    ['refine', 0.5 * cutting],
    ['wait', 0],
    ['network', 1 - decoding - cutting],
    ['encode', 0.3 * cutting],
  ],
  passes: 5,
});
