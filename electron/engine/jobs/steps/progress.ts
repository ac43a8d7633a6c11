/** Tells how far a job is and how long it will take. Each step has a share of the whole. */
import type { JobProgress, Step } from '../../protocol/messages.ts';

/** The same progress is told again only after this time. */
const repeatMs = 250;

export type Share = readonly [step: Step, share: number];

export interface ProgressPlan {
  /**
   * The share of each step in the order in which the steps are entered; the whole is 1. A step may stand in
   * it twice, and one that is missing takes nothing.
   */
  shares: readonly Share[];
  /** Gives the seconds left when `done` of the whole is done, 0..1; undefined while nothing was measured. */
  secondsLeft: (done: number, step: Step) => number | undefined;
}

export interface Progress {
  enter(step: Step, stallLimitMs: number): void;
  /** Tells again where the job is, as a sign of life. */
  stillAlive(stallLimitMs: number): void;
  /** Tells how much of the step is done, 0..1. */
  part(fraction: number, stallLimitMs: number): void;
}

/** @param emit is given `stallLimitMs`, the silence in milliseconds after which the job counts as hung */
export function createProgress(
  { shares, secondsLeft }: ProgressPlan,
  emit: (progress: JobProgress, stallLimitMs: number) => void,
): Progress {
  const state = { step: 'decode' as Step, at: 0, done: 0 };
  let said = { words: '', atMs: 0 };

  /** Tells what changed; unchanged progress is told only now and then, as a sign of life. */
  function say(stallLimitMs: number): void {
    const { step, done } = state;
    const percent = Math.min(99, percentOf(done));
    const seconds = secondsLeft(done, step);
    const eta = seconds === undefined ? undefined : Math.ceil(seconds);
    const words = `${step} ${percent} ${eta ?? ''}`;
    if (words === said.words && performance.now() - said.atMs < repeatMs) return;
    said = { words, atMs: performance.now() };
    emit({ step, percent, ...(eta !== undefined && { etaSeconds: eta }) }, stallLimitMs);
  }

  function reach(fraction: number, stallLimitMs: number): void {
    const [step, share] = shares[state.at] ?? [undefined, 0];
    const own = step === state.step ? fraction * share : 0;
    state.done = Math.max(state.done, beginOf(state.at, shares) + own);
    say(stallLimitMs);
  }

  return {
    enter(step, stallLimitMs) {
      state.step = step;
      const next = shares.findIndex(([name], at) => at >= state.at && name === step);
      if (next >= 0) state.at = next;
      reach(0, stallLimitMs);
    },
    stillAlive: say,
    part: reach,
  };
}

/** Rounds down to whole percents; the addend makes up for the rounding error of a sum of shares. */
const percentOf = (done: number) => Math.floor(100 * done + 1e-6);

/** Sums the shares before the one at an index. */
export const beginOf = (at: number, shares: readonly Share[]): number =>
  shares.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
