/**
 * One server-sent event stream to one client. Its bytes are the events' own: no chunk framing, headers at
 * once, the connection closed at the end. A slow reader costs bounded memory: of one task's progress only
 * the newest waits for it, everything else waits in order, and a reader that lets too much wait is cut off.
 */
import type { FastifyReply } from 'fastify';

export interface StreamEvent {
  /** The event as it is sent, with the blank line at its end. */
  text: string;
  /** A task's id, or what else it tells of. */
  about: string;
  /** Whether a newer one of the same kind may take its place while it waits. */
  isProgress: boolean;
}

/** Events that go to many readers, as bytes that they share. */
export interface EventBatch {
  events: readonly StreamEvent[];
  bytes: Buffer;
}

export interface EventStream {
  send(event: StreamEvent): void;
  sendBatch(batch: EventBatch): void;
  /** Closes the connection after what waits has been sent. */
  end(): void;
  /** Closes it at once. */
  destroy(): void;
  /** Resolves when the reader has read what it was sent, or is gone; never in the same turn. */
  isReady(): Promise<void>;
  readonly isClosed: boolean;
}

interface EventStreamOptions {
  keepAliveMs: number;
  onClose(): void;
}

/** A reader that lets more wait resumes with Last-Event-ID, or lists anew. */
const mostWaitingBytes = 512 * 1024;

/** `data: {…}` as API.md shows an event; `eventId` makes it one that a client can resume from. */
export function eventText(data: object, eventId?: number, name = 'message'): string {
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return `${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const { raw } = sendHead(reply);
  const waiting = createWaitingLine();
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
    else if (waiting.add(event) + raw.writableLength > mostWaitingBytes) raw.destroy();
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
  // Without it Node would frame each event as a chunk; the body ends where the connection does.
  raw.removeHeader('transfer-encoding');
  raw.statusCode = 200;
  raw.flushHeaders();
  return reply;
}

/** Events that wait for a slow reader, in order. */
function createWaitingLine() {
  const line: StreamEvent[] = [];
  const lastOf = new Map<string, StreamEvent>();
  let waitingBytes = 0;
  return {
    /** Returns how many bytes wait, about. */
    add(event: StreamEvent): number {
      const last = lastOf.get(event.about);
      if (last?.isProgress === true && event.isProgress) {
        line.splice(line.lastIndexOf(last), 1);
        waitingBytes -= last.text.length;
      }
      lastOf.set(event.about, event);
      line.push(event);
      return (waitingBytes += event.text.length);
    },
    take(): StreamEvent | undefined {
      const event = line.shift();
      waitingBytes -= event?.text.length ?? 0;
      if (event !== undefined && lastOf.get(event.about) === event) lastOf.delete(event.about);
      return event;
    },
  };
}

/** The streams that are open now, so that the end of the service ends them. */
export interface OpenStreams {
  /** `onClose` is called once, whoever closed it. */
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
