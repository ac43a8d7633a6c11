/** Follows the queue over the API, as any client does, also after the service was away. */
import type { Client } from '../../client/client.ts';
import { keepEvents } from '../../client/events.ts';
import {
  idleQueue,
  takeChange,
  takeCounts,
  type BatchEnd,
  type QueueState,
} from './queue-state.ts';

export interface QueueWatch {
  /** Ends the watching. */
  close(): void;
}

interface QueueWatchOptions {
  client(): Pick<Client, 'events' | 'watches'>;
  onState(state: QueueState): void;
  onBatchEnd(end: BatchEnd): void;
  /** Is called when the stream ended or could not be opened. It resolves when that may be tried again. */
  onLost(): Promise<void>;
}

/** Watches the queue without polling: the service's events tell of every change. */
export function watchQueue(options: QueueWatchOptions): QueueWatch {
  const ending = new AbortController();
  let state = idleQueue;
  const show = (next: QueueState) => {
    state = next;
    options.onState(state);
  };
  const countWatches = async () => {
    const watching = await enabledWatches(options.client());
    if (watching !== undefined) show({ ...state, watching });
  };
  const following = keepEvents(
    () => options.client(),
    {
      onChange: (change) => show(takeChange(state, change)),
      // This event comes after the changes that it counts, so tasks that ended are in the batch by then.
      onQueue(queue) {
        const { state: counted, ended } = takeCounts(state, queue);
        show(counted);
        if (ended !== undefined) options.onBatchEnd(ended);
      },
      onSet(names) {
        if (names.includes('watches')) void countWatches();
      },
      onConnected(isConnected) {
        if (isConnected) void countWatches();
        else state = { ...state, progress: new Map() };
      },
      onLost: () => options.onLost(),
    },
    ending.signal,
  );
  // The stream ends by its signal alone, and faults while the service is waited for are handled in onLost.
  void following;
  return { close: () => ending.abort() };
}

/** Counts the enabled watches; undefined where that fails, because the stream's end tells of a lost service. */
async function enabledWatches(client: Pick<Client, 'watches'>): Promise<number | undefined> {
  try {
    return (await client.watches()).filter(({ enabled }) => enabled).length;
  } catch {
    return undefined;
  }
}
