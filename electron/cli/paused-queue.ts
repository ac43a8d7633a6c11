/** Says that the queue is paused, so that nobody waits without knowing for what. */
import type { QueueState } from '../contract/queue.ts';

/** Says each pause once on standard error. */
export function createPauseTeller(): (queue: QueueState) => void {
  let wasPaused = false;
  return ({ paused }) => {
    if (paused && !wasPaused)
      console.error(
        'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.',
      );
    wasPaused = paused;
  };
}
