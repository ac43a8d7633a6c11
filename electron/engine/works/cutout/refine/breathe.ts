/** Lets other work of the thread in between, and stops when the job is no longer wanted. */
import { setImmediate } from 'node:timers/promises';

/** Called often; every `everyMs` it really waits one turn of the event loop. Rejects with the signal's reason. */
export type Breathe = () => Promise<void>;

export function createBreathing(signal: AbortSignal, everyMs = 20): Breathe {
  let last = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - last < everyMs) return;
    await setImmediate();
    last = performance.now();
    signal.throwIfAborted();
  };
}
