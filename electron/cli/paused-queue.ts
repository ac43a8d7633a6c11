/** Says that the queue is paused, so that nobody waits without knowing for what. */
import type { Client } from '../client/client.ts';

const betweenMs = 5000;

/** Looks every few seconds, and says each pause once on standard error. Returns what ends it. */
export function tellOfPause(
  client: Pick<Client, 'list'>,
  signal: AbortSignal,
  everyMs = betweenMs,
): () => void {
  let wasPaused = false;
  const look = async () => {
    const { paused } = await client.list(1);
    if (paused && !wasPaused && !signal.aborted)
      console.error(
        'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.',
      );
    wasPaused = paused;
  };
  // A service that does not answer is told of by those who wait for its tasks.
  const tryToLook = () => void look().catch(() => undefined);
  const timer = setInterval(tryToLook, everyMs);
  tryToLook();
  return () => clearInterval(timer);
}
