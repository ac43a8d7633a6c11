/** Progress and remaining time of a job. Each step has a share of the whole. */
import type { JobProgress, Step } from '../../protocol/messages.ts';

/** Minimum time between two equal reports. */
const repeatMs = 250;

export type StepShare = readonly [step: Step, share: number];

export interface ProgressPlan {
  /**
   * Share of each step in the order of entering; they sum to 1. A step may occur twice, and a missing one
   * takes no time.
   */
  shares: readonly StepShare[];
  /** Remaining seconds when `done` (0..1) of the whole is done; undefined while nothing was measured. */
  secondsLeft: (done: number, step: Step) => number | undefined;
}

export interface ProgressReporter {
  enter(step: Step, stallLimitMs: number): void;
  /** Repeats the current progress, as a heartbeat. */
  heartbeat(stallLimitMs: number): void;
  /** Reports the finished share of the step, 0..1. */
  part(fraction: number, stallLimitMs: number): void;
}

/** @param emit gets `stallLimitMs`, the silence in ms after which the job counts as hung */
export function createProgress(
  { shares, secondsLeft }: ProgressPlan,
  emit: (progress: JobProgress, stallLimitMs: number) => void,
): ProgressReporter {
  const state = { step: 'decode' as Step, at: 0, done: 0 };
  let lastReport = { words: '', atMs: 0 };

  /** Reports changes at once, and unchanged progress now and then, as a heartbeat. */
  function report(stallLimitMs: number): void {
    const { step, done } = state;
    const percent = Math.min(99, percentOf(done));
    const seconds = secondsLeft(done, step);
    const eta = seconds === undefined ? undefined : Math.ceil(seconds);
    const text = `${step} ${percent} ${eta ?? ''}`;
    if (text === lastReport.words && performance.now() - lastReport.atMs < repeatMs) return;
    lastReport = { words: text, atMs: performance.now() };
    emit({ step, percent, ...(eta !== undefined && { etaSeconds: eta }) }, stallLimitMs);
  }

  function reach(fraction: number, stallLimitMs: number): void {
    const [step, share] = shares[state.at] ?? [undefined, 0];
    const own = step === state.step ? fraction * share : 0;
    state.done = Math.max(state.done, beginOf(state.at, shares) + own);
    report(stallLimitMs);
  }

  return {
    enter(step, stallLimitMs) {
      state.step = step;
      const next = shares.findIndex(([name], at) => at >= state.at && name === step);
      if (next >= 0) state.at = next;
      reach(0, stallLimitMs);
    },
    heartbeat: report,
    part: reach,
  };
}

/** Rounds down to whole percents; the addend compensates rounding errors of summed shares. */
const percentOf = (done: number) => Math.floor(100 * done + 1e-6);

/** Sum of the shares before an index. */
export const beginOf = (at: number, shares: readonly StepShare[]): number =>
  shares.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
