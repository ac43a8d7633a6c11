/** Native work that cannot be stopped: watched while a job waits for it, left alone when it is cancelled. */

/** When each piece of work that nobody waits for any more was left. */
const left = new Map<Promise<unknown>, number>();

/** How long the oldest piece of such work has been running on by itself; 0 when there is none. */
export function leftForMs(): number {
  const oldest = Math.min(...left.values());
  return Number.isFinite(oldest) ? performance.now() - oldest : 0;
}

/**
 * Waits for native work that cannot be stopped: tells of life while its bytes grow, and leaves it
 * to end by itself when the job is cancelled.
 */
export async function watched<T>(
  work: Promise<T>,
  bytesSoFar: () => number,
  onGrowth: () => void,
  signal: AbortSignal,
): Promise<T> {
  let bytes = 0;
  const timer = setInterval(() => {
    const now = bytesSoFar();
    if (now > bytes) onGrowth();
    bytes = now;
  }, 500);
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    left.set(work, performance.now());
    void ended.then(() => left.delete(work));
  }
}
