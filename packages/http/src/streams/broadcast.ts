/**
 * Sends events to hundreds of streams. Events are coalesced into batches whose bytes all streams share, and
 * only some streams are written to per turn of the event loop.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventBatch, EventStream, StreamEvent } from './event-stream.ts';

export interface Broadcast {
  send(event: StreamEvent): void;
  /** @returns the function that removes the stream */
  add(stream: EventStream): () => void;
}

/** Minimum interval between writes to a stream. */
const coalesceMs = 40;
/** A write takes some hundredths of a millisecond: the interval grows with the number of streams. */
const perReaderMs = 0.5;
const readersATurn = 32;

/** A batch and the streams open at its time. */
interface Round {
  batch: EventBatch;
  streams: readonly EventStream[];
}

export function createBroadcast(): Broadcast {
  const streams = new Set<EventStream>();
  const rounds: Round[] = [];
  let events: StreamEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;
  let flushedMs = -Infinity;
  /** Last write with more than progress in it, and whether the next one has more. */
  let changedMs = -Infinity;
  let hasChange = false;

  /**
   * An event after a pause is sent at once, with those of the same turn. For all but progress only what is not progress
   * ends a pause: a task's end waits for none of its last steps.
   */
  const schedule = () => {
    if (events.length === 0 || isSending) return;
    const intervalMs = Math.max(coalesceMs, streams.size * perReaderMs);
    const lastMs = hasChange ? changedMs : flushedMs;
    const waitMs = Math.max(0, lastMs + intervalMs - performance.now());
    timer ??= setTimeout(flush, waitMs).unref();
  };
  /** One round after the other, so that each stream gets its events in order. */
  async function sendRounds(): Promise<void> {
    if (isSending) return;
    isSending = true;
    for (let round = rounds.shift(); round; round = rounds.shift())
      for (let from = 0; from < round.streams.length; from += readersATurn) {
        if (from > 0) await nextTurn();
        for (const stream of round.streams.slice(from, from + readersATurn))
          stream.sendBatch(round.batch);
      }
    isSending = false;
    schedule();
  }
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (events.length === 0) return;
    flushedMs = performance.now();
    if (hasChange) changedMs = flushedMs;
    hasChange = false;
    const batch = { events, bytes: Buffer.from(events.map(({ text }) => text).join('')) };
    events = [];
    rounds.push({ batch, streams: [...streams] });
    void sendRounds();
  }
  return {
    send(event) {
      if (streams.size === 0) return;
      events.push(event);
      if (!event.isProgress && !hasChange) {
        hasChange = true;
        clearTimeout(timer);
        timer = undefined;
      }
      schedule();
    },
    add(stream) {
      // Earlier events are not for the new stream.
      flush();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
  };
}
