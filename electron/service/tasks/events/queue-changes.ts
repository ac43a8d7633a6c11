/** Coalesced change notification for the queue as a whole: counts, pause, wait reason. */

export interface QueueChanges {
  /** Schedules one notification; further calls until then are merged into it. */
  note(): void;
  /** @returns the function that unsubscribes */
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Minimum interval between two notifications. */
const coalesceMs = 200;

export function createQueueChanges(): QueueChanges {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const notify = () => {
    timer = undefined;
    for (const listener of [...listeners]) listener();
  };
  return {
    note() {
      if (!isClosed) timer ??= setTimeout(notify, coalesceMs);
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
