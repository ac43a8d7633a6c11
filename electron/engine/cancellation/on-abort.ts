/**
 * Calls `act` when the signal fires, or at once if it already has.
 *
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}
