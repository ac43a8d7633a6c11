/** How far a job is and how long it will take: each step has a share of the whole. */
import { steps, type JobProgress, type Step } from './protocol.ts';

/** The same words are said again after this. */
const repeatMs = 250;

export interface ProgressPlan {
  /** What each step takes of the whole, which is 1; a step that is not named takes nothing. */
  shares: Partial<Record<Step, number>>;
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
  const state = { step: 'decode' as Step, done: 0 };
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
    const begun = beginOf(state.step, shares);
    state.done = Math.max(state.done, begun + fraction * (shares[state.step] ?? 0));
    say(nextWithinMs);
  }

  return {
    enter(step, nextWithinMs) {
      state.step = step;
      reach(0, nextWithinMs);
    },
    stillAlive: say,
    part: reach,
  };
}

/** Sums of shares are a little off what they stand for. */
const percentOf = (done: number) => Math.floor(100 * done + 1e-6);

/** The steps before a step, together. */
const beginOf = (step: Step, shares: ProgressPlan['shares']): number =>
  steps.slice(0, steps.indexOf(step)).reduce((sum, before) => sum + (shares[before] ?? 0), 0);
