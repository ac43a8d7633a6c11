/** One event to hundreds of readers: what comes within a moment is written once, and its bytes are shared by all. */
import type { EventStream, StreamEvent } from './event-stream.ts';

export interface Broadcast {
  send(event: StreamEvent): void;
  /** From now on. Answers the function that ends it. */
  add(stream: EventStream): () => void;
}

/** So often in a second each reader is written to at most, however much happens. */
const togetherMs = 40;

export function createBroadcast(): Broadcast {
  const streams = new Set<EventStream>();
  let events: StreamEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (events.length === 0) return;
    const batch = { events, bytes: Buffer.from(events.map(({ text }) => text).join('')) };
    events = [];
    for (const stream of [...streams]) stream.sendBatch(batch);
  };
  return {
    send(event) {
      if (streams.size === 0) return;
      events.push(event);
      timer ??= setTimeout(flush, togetherMs).unref();
    },
    add(stream) {
      // What came before is not for this one.
      flush();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
  };
}
