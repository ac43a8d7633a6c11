/** Streams as they are on the wire, read from a plain socket. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface RawStream {
  socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** What came after the headers. */
  body(): string;
  /** Waits until the text holds the part. */
  until(part: string): Promise<void>;
  /** Waits until the server has closed the connection. */
  closed(): Promise<void>;
}

interface WireEvent {
  event: string;
  id?: string;
  data: Record<string, unknown>;
}

/** Sends the bytes as they are and collects what comes. */
export function sendRaw(url: string, bytes: string): RawStream {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  onTestFinished(() => void socket.destroy());
  const end = once(socket, 'close');
  return {
    socket,
    text: () => text,
    body: () => text.slice(text.indexOf('\r\n\r\n') + 4),
    async until(part) {
      for (const deadline = Date.now() + 10_000; !text.includes(part);) {
        if (Date.now() > deadline) throw new Error(`No ${JSON.stringify(part)} in:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    closed: async () => {
      await end;
    },
  };
}

export function openStream(
  url: string,
  route: string,
  key: string,
  headers: Record<string, string> = {},
): RawStream {
  const { host } = new URL(url);
  const lines = Object.entries({ host, authorization: `KEY ${key}`, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendRaw(url, `GET ${route} HTTP/1.1\r\n${head}\r\n`);
}

/** The events of a body; throws when a byte of it is not as API.md shows it. */
export function eventsIn(body: string): WireEvent[] {
  const events: WireEvent[] = [];
  for (const block of body.split('\n\n').slice(0, -1)) {
    if (block === ': keep-alive') continue;
    const found = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (\{.*\})$/.exec(block);
    if (found === null) throw new Error(`Not an event: ${JSON.stringify(block)}`);
    const [, id, event = '', data = ''] = found;
    const parsed = JSON.parse(data) as Record<string, unknown>;
    events.push({ event, data: parsed, ...(id !== undefined && { id }) });
  }
  return events;
}
