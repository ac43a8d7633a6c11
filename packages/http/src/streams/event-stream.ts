/**
 * One server-sent event stream. Events are written without chunk framing, headers at once, and the connection
 * closes at the end. Memory per slow reader is bounded: only the newest progress event per task waits, other
 * events wait in order, and a reader with too much waiting is disconnected.
 */
import type { FastifyReply } from 'fastify';

export interface StreamEvent {
  /** The event as sent, including its blank line. */
  text: string;
  /** Id of the task or other subject. */
  about: string;
  /** May be replaced by a newer event of the same subject while it waits. */
  isProgress: boolean;
}

/** Events for many streams, and their shared bytes. */
export interface EventBatch {
  events: readonly StreamEvent[];
  bytes: Buffer;
}

export interface EventStream {
  send(event: StreamEvent): void;
  sendBatch(batch: EventBatch): void;
  /** Closes after the waiting events were sent. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
  /** Resolves when the reader has caught up or is gone; never in the same turn of the event loop. */
  isReady(): Promise<void>;
  readonly isClosed: boolean;
}

interface EventStreamOptions {
  keepAliveMs: number;
  onClose(): void;
}

/** A disconnected reader resumes with Last-Event-ID, or reloads its lists. */
const maxWaitingBytes = 512 * 1024;

/** Event in the form of API.md. `eventId` lets a client resume from it. */
export function eventText(data: object, eventId?: number, name = 'message'): string {
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return `${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const { raw } = sendHead(reply);
  const waiting = createWaitingQueue();
  let isFull = false;
  let isEnding = false;
  let whenReady = () => {};
  const write = (text: string | Buffer): boolean => {
    isFull = !raw.write(text);
    keepAlive.refresh();
    return !isFull;
  };
  const keepAlive = setInterval(() => {
    if (!isFull) write(': keep-alive\n\n');
  }, options.keepAliveMs);
  const flush = () => {
    isFull = false;
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      if (!write(next.text)) return;
    }
    if (isEnding) raw.end();
    whenReady();
  };
  raw.on('drain', flush);
  raw.on('close', () => {
    clearInterval(keepAlive);
    whenReady();
    options.onClose();
  });
  const send = (event: StreamEvent) => {
    if (isEnding || raw.destroyed) return;
    if (!isFull) write(event.text);
    else if (waiting.add(event) + raw.writableLength > maxWaitingBytes) raw.destroy();
  };
  return {
    send,
    sendBatch: ({ events, bytes }) => {
      if (isFull) events.forEach(send);
      else if (!isEnding && !raw.destroyed) write(bytes);
    },
    end: () => {
      isEnding = true;
      if (!isFull) raw.end();
    },
    destroy: () => raw.destroy(),
    isReady: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          if (!isFull || raw.destroyed) resolve();
          else whenReady = resolve;
        });
      }),
    get isClosed() {
      return isEnding || raw.destroyed;
    },
  };
}

function sendHead(reply: FastifyReply): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('content-type', 'text/event-stream; charset=utf-8');
  raw.setHeader('cache-control', 'no-cache, no-transform');
  raw.setHeader('connection', 'close');
  // Otherwise Node would frame each event as a chunk.
  raw.removeHeader('transfer-encoding');
  raw.statusCode = 200;
  raw.flushHeaders();
  return reply;
}

/** Events that wait for a slow reader, in order. */
function createWaitingQueue() {
  const queue: StreamEvent[] = [];
  const lastOf = new Map<string, StreamEvent>();
  let waitingBytes = 0;
  return {
    /** @returns the approximate number of waiting bytes */
    add(event: StreamEvent): number {
      const last = lastOf.get(event.about);
      if (last?.isProgress === true && event.isProgress) {
        queue.splice(queue.lastIndexOf(last), 1);
        waitingBytes -= last.text.length;
      }
      lastOf.set(event.about, event);
      queue.push(event);
      return (waitingBytes += event.text.length);
    },
    take(): StreamEvent | undefined {
      const event = queue.shift();
      waitingBytes -= event?.text.length ?? 0;
      if (event !== undefined && lastOf.get(event.about) === event) lastOf.delete(event.about);
      return event;
    },
  };
}

/** The open streams, closed with the service. */
export interface OpenStreams {
  /** `onClose` is called once, whichever side closes. */
  open(reply: FastifyReply, onClose: () => void): EventStream;
  closeAll(): void;
  readonly count: number;
}

export function createOpenStreams(keepAliveMs: number): OpenStreams {
  const streams = new Set<EventStream>();
  return {
    open: (reply, onClose) => {
      const stream = openEventStream(reply, {
        keepAliveMs,
        onClose: () => {
          streams.delete(stream);
          onClose();
        },
      });
      streams.add(stream);
      return stream;
    },
    closeAll: () => {
      for (const stream of streams) stream.end();
    },
    get count() {
      return streams.size;
    },
  };
}
