/**
 * Limits the processor time of a thread. On a busy machine a thread that computes for two seconds may wait a
 * minute for its turn, and its picture is not to blame.
 */
import type { Worker } from 'node:worker_threads';

const tickMs = 250;
/**
 * The thread may live this many times as long as it may compute. Threads that it starts itself are not
 * counted otherwise.
 */
export const maxWaitFactor = 4;

/**
 * Calls `onLate` once the thread has computed for the limit, or lived for several times as long.
 *
 * @returns a function that ends the watch
 */
export function watchThread(
  worker: Pick<Worker, 'cpuUsage'>,
  limitMs: number,
  onLate: () => void,
  waitFactor = maxWaitFactor,
): () => void {
  const startMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - startMs > limitMs * waitFactor) {
      onLate();
      return;
    }
    worker.cpuUsage().then(
      ({ user, system }) => {
        if ((user + system) / 1000 > limitMs) onLate();
      },
      // The thread has not begun or has ended, which it reports itself.
      () => undefined,
    );
  }, tickMs);
  return () => clearInterval(timer);
}
