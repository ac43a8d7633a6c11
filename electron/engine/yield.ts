/** Long computations give the thread's other work its turn, and stop when the job is no longer wanted. */
import { setImmediate as nextTurn } from 'node:timers/promises';

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
