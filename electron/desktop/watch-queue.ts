/** Follows the queue over the API, as any client does, and finds the service again when it went away. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import { keepEvents, type EventHandlers } from '../client/events.ts';
import {
  idleQueue,
  takeChange,
  takeCounts,
  type BatchEnd,
  type Counted,
  type QueueState,
} from './queue-state.ts';

export interface QueueWatch {
  /** Ends the watching. */
  close(): void;
}

export interface QueueWatchOptions {
  client(): Pick<Client, 'events' | 'list' | 'watches'>;
  onState(state: QueueState): void;
  onBatchEnd(end: BatchEnd): void;
  /** The stream ended or could not be had. Returns when it may be tried again. */
  onLost(): Promise<void>;
}

/** Counting follows the events at this distance, so that what ended meanwhile is counted as ended. */
const settleMs = 300;
/** A pause makes no event. */
const recountMs = 5000;

export function watchQueue(options: QueueWatchOptions): QueueWatch {
  const ending = new AbortController();
  const { signal } = ending;
  let state = idleQueue;
  let isDue = false;
  let counting: Promise<void> | undefined;

  const countWhileDue = async () => {
    while (isDue) {
      await pause(settleMs, signal);
      if (signal.aborted) return;
      isDue = false;
      const { state: counted, ended } = takeCounts(state, await readCounts(options.client()));
      state = counted;
      options.onState(state);
      if (ended !== undefined) options.onBatchEnd(ended);
    }
  };
  const countSoon = () => {
    isDue = true;
    // What cannot be counted now is counted later; that the service is lost, the stream's end tells.
    counting ??= countWhileDue()
      .catch(() => undefined)
      .finally(() => (counting = undefined));
  };
  const repeat = setInterval(countSoon, recountMs);
  const handlers: EventHandlers = {
    onChange(change) {
      state = takeChange(state, change);
      options.onState(state);
      countSoon();
    },
    onConnected(isConnected) {
      if (isConnected) countSoon();
      else state = { ...state, progress: new Map() };
    },
    onLost: () => options.onLost(),
  };
  // Only what `onLost` throws could end it, and that rejects with the application's own fault.
  void keepEvents(() => options.client(), handlers, signal);
  return {
    close() {
      clearInterval(repeat);
      ending.abort();
    },
  };
}

async function readCounts(client: Pick<Client, 'list' | 'watches'>): Promise<Counted> {
  const [{ counts, paused }, watching] = await Promise.all([client.list(1), countWatches(client)]);
  return { counts, paused, watching };
}

/** The queue is counted also where its watches cannot be told. */
async function countWatches(client: Pick<Client, 'watches'>): Promise<number> {
  try {
    return (await client.watches()).filter(({ enabled }) => enabled).length;
  } catch {
    return 0;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
