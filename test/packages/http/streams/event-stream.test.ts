import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  eventText,
  openEventStream,
  type EventStream,
} from '../../../../packages/http/src/streams/event-stream.ts';
import { eventsIn, sendRaw } from '../../../support/sse.ts';

/** A stream to a client that reads nothing until it is told to. */
async function openSlowly() {
  const app = fastify();
  onTestFinished(() => app.close());
  let open: (stream: EventStream) => void = () => undefined;
  const opened = new Promise<EventStream>((resolve) => (open = resolve));
  let isClosed = false;
  app.get('/', (_request, reply) =>
    open(openEventStream(reply, { keepAliveMs: 10_000, onClose: () => (isClosed = true) })),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const client = sendRaw(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.socket.pause();
  return { stream: await opened, client, isClosed: () => isClosed };
}

const event = (about: string, n: number, isProgress: boolean) => ({
  about,
  isProgress,
  text: eventText({ about, n, isProgress, filler: 'x'.repeat(1000) }),
});

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a slow reader', () => {
  it('gets the newest progress and every change of state, in order, and costs little memory', async () => {
    const { stream, client } = await openSlowly();
    let n = 0;
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 1000; i++) stream.send(event('a', ++n, true));
      stream.send(event('a', ++n, false));
      await soon();
    }
    stream.send(event('a', ++n, true));
    stream.end();
    client.socket.resume();
    await client.closed();
    const seen = eventsIn(client.body()).map(({ data }) => data);
    const order = seen.map(({ n: number }) => Number(number));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(seen.filter(({ isProgress }) => isProgress === false)).toHaveLength(50);
    expect(order.at(-1)).toBe(n);
    expect(seen.length).toBeLessThan(n / 5);
  });

  it('is cut off when more than half a megabyte of changes waits for it', async () => {
    const { stream, client, isClosed } = await openSlowly();
    const maxSystemTakes = 10_000;
    for (let i = 0; i < maxSystemTakes && !isClosed(); i++) {
      stream.send(event(`task ${i}`, i, false));
      if (i % 1000 === 0) await soon();
    }
    client.socket.resume();
    await Promise.race([client.closed(), once(client.socket, 'error')]);
    await expect.poll(isClosed).toBe(true);
  });

  it('that goes away ends the stream', async () => {
    const { stream, client, isClosed } = await openSlowly();
    client.socket.destroy();
    await expect.poll(isClosed).toBe(true);
    stream.send(event('a', 1, false));
  });
});
