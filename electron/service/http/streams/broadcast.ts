/**
 * One event to hundreds of readers: what comes within a moment is written once, and its bytes are shared by all.
 * A few readers are written to in a turn, so that calls in between are answered.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventBatch, EventStream, StreamEvent } from './event-stream.ts';

export interface Broadcast {
  send(event: StreamEvent): void;
  /** From now on. Answers the function that ends it. */
  add(stream: EventStream): () => void;
}

/** Each reader is written to once in that time at most, however much happens. */
const coalesceMs = 40;
/** Writing to a socket takes some hundredths of a millisecond: many readers are written to less often. */
const perReaderMs = 0.5;
const readersATurn = 32;

/** Events, and who listened when they came. */
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
  /** Rounds go out one after the other, so each reader is told in order. */
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
      // What came before is not for this one.
      flush();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
  };
}
