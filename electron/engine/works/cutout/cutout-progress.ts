/** How far a cut-out is: shares of the whole that its steps were measured to take. */
import type { JobProgress, Step } from '../../protocol.ts';

/** Where each step begins; the next one's beginning is its end. */
const begins: Record<Step, number> = {
  decode: 0,
  wait: 0.1,
  network: 0.1,
  refine: 0.2,
  encode: 0.7,
};
const ends: Record<Step, number> = { decode: 0.1, wait: 0.1, network: 0.2, refine: 0.7, encode: 1 };

/** The same words are said again after this. */
const repeatMs = 250;

export interface CutoutProgress {
  enter(step: Step, nextWithinMs: number): void;
  /** Says again where the job is: a sign of life. */
  stillAlive(nextWithinMs: number): void;
  /** How much of the step is done, 0..1. */
  part(fraction: number, nextWithinMs: number): void;
}

/** @param seconds of the whole by measured speed; undefined while nothing was measured */
export function createCutoutProgress(
  seconds: number | undefined,
  emit: (progress: JobProgress, nextWithinMs: number) => void,
): CutoutProgress {
  const state = { step: 'decode' as Step, done: 0 };
  let said = { words: '', atMs: 0 };

  function say(nextWithinMs: number): void {
    const { step } = state;
    const percent = Math.min(99, Math.floor(100 * state.done));
    const eta = seconds === undefined ? undefined : Math.ceil(seconds * (1 - state.done));
    const words = `${step} ${percent} ${eta ?? ''}`;
    if (words === said.words && performance.now() - said.atMs < repeatMs) return;
    said = { words, atMs: performance.now() };
    emit({ step, percent, ...(eta !== undefined && { etaSeconds: eta }) }, nextWithinMs);
  }

  return {
    enter(step, nextWithinMs) {
      state.step = step;
      state.done = Math.max(state.done, begins[step]);
      say(nextWithinMs);
    },
    stillAlive: say,
    part(fraction, nextWithinMs) {
      const { step } = state;
      const done = begins[step] + fraction * (ends[step] - begins[step]);
      state.done = Math.max(state.done, done);
      say(nextWithinMs);
    },
  };
}
