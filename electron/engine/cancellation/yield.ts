/** Cooperative scheduling: long computations yield to the event loop and stop when their job is cancelled. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A signal that never fires. */
export const neverAborted = new AbortController().signal;

/** Time slice between two yields. */
const sliceMs = 20;

/** Yields if the current slice is over; cheap otherwise. @throws the signal's reason */
export type YieldTurn = () => Promise<void>;

export function createYield(signal: AbortSignal): YieldTurn {
  let last = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - last < sliceMs) return;
    await nextTurn();
    last = performance.now();
    signal.throwIfAborted();
  };
}

/** Runs a generator to its end and may yield to the event loop between its steps. */
export async function runInSteps<Result>(
  steps: Generator<unknown, Result>,
  yieldTurn: YieldTurn,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldTurn();
  }
}
