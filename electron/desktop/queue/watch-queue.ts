/** Follows the queue over the API, reconnecting after the service was away. */
import type { Client } from '../../../packages/api-client/src/client.ts';
import { keepEvents } from '../../../packages/api-client/src/events.ts';
import {
  idleQueue,
  applyChange,
  applyCounts,
  type BatchSummary,
  type QueueStatus,
} from './queue-state.ts';

export interface QueueWatch {
  close(): void;
}

interface QueueWatchOptions {
  client(): Pick<Client, 'events' | 'watches'>;
  onState(state: QueueStatus): void;
  onBatchEnd(end: BatchSummary): void;
  /** Called when the stream ended or could not be opened. Resolves when a retry makes sense. */
  onLost(): Promise<void>;
}

/** Event-driven, without polling. */
export function watchQueue(options: QueueWatchOptions): QueueWatch {
  const ending = new AbortController();
  let state = idleQueue;
  const show = (next: QueueStatus) => {
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
      onChange: (change) => show(applyChange(state, change)),
      // Sent after the changes that it counts, so that ended tasks are in the batch.
      onQueue(queue) {
        const { state: counted, ended } = applyCounts(state, queue);
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
  // Ends by its signal only; errors while the service is away are handled in onLost.
  void following;
  return { close: () => ending.abort() };
}

/** Undefined on failure; the stream's end reports a lost service. */
async function enabledWatches(client: Pick<Client, 'watches'>): Promise<number | undefined> {
  try {
    return (await client.watches()).filter(({ enabled }) => enabled).length;
  } catch {
    return undefined;
  }
}
