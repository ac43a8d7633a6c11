/** Long computations yield to the thread's other work, and stop when the job is cancelled. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A signal that never fires, for work that nobody cancels. */
export const unstopped = new AbortController().signal;

/** A computation keeps its thread for this long at a time. */
const everyMs = 20;

/** Yields every `everyMs`, however often it is called. It rejects with the signal's reason. */
export type YieldTurn = () => Promise<void>;

export function createYield(signal: AbortSignal): YieldTurn {
  let last = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - last < everyMs) return;
    await nextTurn();
    last = performance.now();
    signal.throwIfAborted();
  };
}

/** Runs a computation step by step, and yields between the steps. */
export async function stepByStep<Result>(
  steps: Generator<unknown, Result>,
  yieldTurn: YieldTurn,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldTurn();
  }
}
