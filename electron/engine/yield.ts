/** Long computations give the thread's other work its turn, and stop when the job is no longer wanted. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of work that nobody stops. */
export const unstopped = new AbortController().signal;

/** Called often; every `everyMs` it really waits one turn of the event loop. Rejects with the signal's reason. */
export type YieldTurn = () => Promise<void>;

export function createYield(signal: AbortSignal, everyMs = 20): YieldTurn {
  let last = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - last < everyMs) return;
    await nextTurn();
    last = performance.now();
    signal.throwIfAborted();
  };
}

/** Goes through the steps of a computation, and gives others their turn between them. */
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
