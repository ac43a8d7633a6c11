/** Tells that the queue as a whole has changed: what waits, runs and has ended, and whether it is paused. */

export interface QueueChanges {
  /** Notes that something changed. Many changes within a moment are told once. */
  note(): void;
  /** The answer is the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Ends all telling. */
  close(): void;
}

/** The many changes of a batch are coalesced: the counts are told no more often than this. */
const coalesceMs = 200;

export function createQueueChanges(): QueueChanges {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const tell = () => {
    timer = undefined;
    for (const listener of [...listeners]) listener();
  };
  return {
    note() {
      if (!isClosed) timer ??= setTimeout(tell, coalesceMs);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
