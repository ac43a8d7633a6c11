/** Tells that the queue as a whole is another: what waits, runs and has ended, and whether it is paused. */

export interface QueueChanges {
  /** Something changed. Many changes within a moment are told once. */
  note(): void;
  /** Answers the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Nothing is told any more. */
  close(): void;
}

/** Of the many changes of a batch: so often in a second the counts are told at most. */
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
