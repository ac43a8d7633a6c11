/** Progress and remaining time of an enlarged cut-out. Pure except for the clock of the passes. */
import type { EnlargeOrder } from '../../../../packages/contract/src/request.ts';
import { beginOf, type ProgressPlan, type StepShare } from '../steps/progress.ts';
import type { EnlargedCutoutPlan } from '../../plan/plan-cutout.ts';
import type { PassClock } from '../upscale/pass-clock.ts';

/** Assumed share of cutting while one of the speeds is unknown. */
const assumedCutting = 0.3;
/** Assumed share of decoding. */
const decoding = 0.04;

export function planCombinedProgress(
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

interface StepShares {
  shares: readonly StepShare[];
  /** Index of the passes' share. */
  passes: number;
}

/** Enlarging first: mask, passes, edge on the enlarged picture. */
const enlargeFirst = (cutting: number): StepShares => ({
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

/** Cutting first: mask, edge, passes. */
const cutFirst = (cutting: number): StepShares => ({
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
