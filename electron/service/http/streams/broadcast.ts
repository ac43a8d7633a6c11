/**
 * Sends events to hundreds of readers. Events of one moment are coalesced into one batch, whose bytes all
 * readers share. A few readers are written to in one turn of the event loop, so that calls in between are
 * answered.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventBatch, EventStream, StreamEvent } from './event-stream.ts';

export interface Broadcast {
  send(event: StreamEvent): void;
  /** Adds a reader from now on. It answers the function that removes the reader. */
  add(stream: EventStream): () => void;
}

/** Each reader is written to at most once in this time, however much happens. */
const coalesceMs = 40;
/** Writing to a socket takes some hundredths of a millisecond, so many readers are written to less often. */
const perReaderMs = 0.5;
const readersATurn = 32;

/** A round has a batch of events, and the readers at that time. */
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

  const schedule = () => {
    if (events.length === 0 || isSending) return;
    const waitMs = Math.max(coalesceMs, streams.size * perReaderMs);
    timer ??= setTimeout(flush, waitMs).unref();
  };
  /** Sends the rounds one after the other, so each reader gets its events in order. */
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
    const batch = { events, bytes: Buffer.from(events.map(({ text }) => text).join('')) };
    events = [];
    rounds.push({ batch, streams: [...streams] });
    void sendRounds();
  }
  return {
    send(event) {
      if (streams.size === 0) return;
      events.push(event);
      schedule();
    },
    add(stream) {
      // Events from before are not for the new reader.
      flush();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
  };
}
