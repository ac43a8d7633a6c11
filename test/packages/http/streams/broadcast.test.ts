/** One event to many readers: each is told all that came while it listened, in order, and turns are left to others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createBroadcast } from '../../../../packages/http/src/streams/broadcast.ts';
import type {
  EventStream,
  StreamEvent,
} from '../../../../packages/http/src/streams/event-stream.ts';

function reader() {
  const told: string[] = [];
  const stream: EventStream = {
    send: ({ text }) => void told.push(text),
    sendBatch: ({ events }) => told.push(...events.map(({ text }) => text)),
    end: () => undefined,
    destroy: () => undefined,
    isReady: () => Promise.resolve(),
    isClosed: false,
  };
  return { told, stream };
}

const event = (n: number): StreamEvent => ({ text: `${n}`, about: 'a', isProgress: false });
const from = (first: number, last: number) =>
  Array.from({ length: last - first }, (_, i) => `${first + i}`);

it('tells each reader what comes from its start on, and all of it in order', async () => {
  const broadcast = createBroadcast();
  const readers = Array.from({ length: 300 }, reader);
  for (const [i, { stream }] of readers.entries()) {
    broadcast.add(stream);
    broadcast.send(event(i));
    if (i % 50 === 0) await nextTurn();
  }
  for (const [i, { told }] of readers.entries())
    await expect.poll(() => told, { interval: 5 }).toEqual(from(i, 300));
});

it('sends an event after a pause at once, and those that follow together', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1000);
  const broadcast = createBroadcast();
  const batches: number[] = [];
  const { stream } = reader();
  broadcast.add({ ...stream, sendBatch: ({ events }) => void batches.push(events.length) });
  broadcast.send(event(1));
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([1]);
  broadcast.send(event(2));
  vi.advanceTimersByTime(20);
  broadcast.send(event(3));
  vi.advanceTimersByTime(18);
  expect(batches).toEqual([1]);
  vi.advanceTimersByTime(2);
  expect(batches).toEqual([1, 2]);
  vi.advanceTimersByTime(1000);
  broadcast.send(event(4));
  vi.advanceTimersByTime(1);
  expect(batches).toEqual([1, 2, 1]);
});

it("sends a task's end at once after its last progress, with what waited", () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1000);
  const broadcast = createBroadcast();
  const { told, stream } = reader();
  broadcast.add(stream);
  const progress = (n: number) => ({ ...event(n), isProgress: true });
  for (const n of [1, 2]) {
    broadcast.send(progress(n));
    vi.advanceTimersByTime(1);
  }
  expect(told).toEqual(['1']);
  broadcast.send(event(3));
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['1', '2', '3']);
  broadcast.send(event(4));
  vi.advanceTimersByTime(38);
  expect(told).toEqual(['1', '2', '3']);
  vi.advanceTimersByTime(2);
  expect(told).toEqual(['1', '2', '3', '4']);
});

it('tells no more to one that has left', async () => {
  const broadcast = createBroadcast();
  const [one, other] = [reader(), reader()];
  const leave = broadcast.add(one.stream);
  broadcast.add(other.stream);
  broadcast.send(event(1));
  leave();
  broadcast.send(event(2));
  await expect.poll(() => other.told).toEqual(['1', '2']);
  expect(one.told).toEqual([]);
});

it('lets others have turns while hundreds are written to', async () => {
  const broadcast = createBroadcast();
  const readers = Array.from({ length: 400 }, reader);
  for (const { stream } of readers) broadcast.add(stream);
  broadcast.send(event(1));
  const tolds = () => readers.filter(({ told }) => told.length === 1).length;
  const seen = new Set<number>();
  for (const end = Date.now() + 5000; tolds() < 400 && Date.now() < end;) {
    seen.add(tolds());
    await nextTurn();
  }
  expect(tolds()).toBe(400);
  expect(seen.size).toBeGreaterThan(8);
});
