/** Follows the queue over the API, as any client does, and finds the service again when it went away. */
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
  /** The stream ended or could not be had. Returns when it may be tried again. */
  onLost(): Promise<void>;
}

/** Nothing is asked again and again: what changes is told. */
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
      // It comes after the changes that it counts: what ended is counted as ended by then.
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
  // It ends by its signal alone: waiting for the service answers for its own faults.
  void following;
  return { close: () => ending.abort() };
}

/** Undefined where they cannot be told now: that the service is lost, the stream's end tells. */
async function enabledWatches(client: Pick<Client, 'watches'>): Promise<number | undefined> {
  try {
    return (await client.watches()).filter(({ enabled }) => enabled).length;
  } catch {
    return undefined;
  }
}
