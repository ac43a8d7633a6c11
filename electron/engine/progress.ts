/** How far a job is and how long it will take: each step has a share of the whole. */
import type { JobProgress, Step } from './protocol.ts';

/** The same words are said again after this. */
const repeatMs = 250;

export type Share = readonly [step: Step, share: number];

export interface ProgressPlan {
  /**
   * What the steps take of the whole, which is 1, in the order in which they are entered. One may come twice; one
   * that is not named takes nothing.
   */
  shares: readonly Share[];
  /** Seconds that are left when `done` of the whole is behind, 0..1; undefined while nothing was measured. */
  secondsLeft: (done: number, step: Step) => number | undefined;
}

export interface Progress {
  enter(step: Step, nextWithinMs: number): void;
  /** Says again where the job is: a sign of life. */
  stillAlive(nextWithinMs: number): void;
  /** How much of the step is done, 0..1. */
  part(fraction: number, nextWithinMs: number): void;
}

/** @param emit takes `nextWithinMs`: after how much silence the job counts as hung */
export function createProgress(
  { shares, secondsLeft }: ProgressPlan,
  emit: (progress: JobProgress, nextWithinMs: number) => void,
): Progress {
  const state = { step: 'decode' as Step, at: 0, done: 0 };
  let said = { words: '', atMs: 0 };

  /** Says what changed; the same again only now and then, as a sign of life. */
  function say(nextWithinMs: number): void {
    const { step, done } = state;
    const percent = Math.min(99, percentOf(done));
    const seconds = secondsLeft(done, step);
    const eta = seconds === undefined ? undefined : Math.ceil(seconds);
    const words = `${step} ${percent} ${eta ?? ''}`;
    if (words === said.words && performance.now() - said.atMs < repeatMs) return;
    said = { words, atMs: performance.now() };
    emit({ step, percent, ...(eta !== undefined && { etaSeconds: eta }) }, nextWithinMs);
  }

  function reach(fraction: number, nextWithinMs: number): void {
    const [step, share] = shares[state.at] ?? [undefined, 0];
    const own = step === state.step ? fraction * share : 0;
    state.done = Math.max(state.done, beginOf(state.at, shares) + own);
    say(nextWithinMs);
  }

  return {
    enter(step, nextWithinMs) {
      state.step = step;
      const next = shares.findIndex(([name], at) => at >= state.at && name === step);
      if (next >= 0) state.at = next;
      reach(0, nextWithinMs);
    },
    stillAlive: say,
    part: reach,
  };
}

/** Sums of shares are a little off what they stand for. */
const percentOf = (done: number) => Math.floor(100 * done + 1e-6);

/** The shares before one, together. */
export const beginOf = (at: number, shares: readonly Share[]): number =>
  shares.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
