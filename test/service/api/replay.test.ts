/** Many that go on at once: each is told all that it missed, and others have their turns between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { EventStream } from '../../../packages/http/src/streams/event-stream.ts';
import type { MissedChange } from '../../../electron/service/tasks/tasks.ts';
import { createReplay } from '../../../electron/service/api/replay.ts';

const count = 1000;
const changes = Array.from({ length: count }, (_, i): MissedChange => {
  return { eventId: i + 1, taskId: `task ${i}`, removedAs: 'FINISHED' };
});

function reader() {
  const told: string[] = [];
  const stream: EventStream = {
    send: ({ text }) => void told.push(text),
    sendBatch: () => undefined,
    end: () => undefined,
    destroy: () => undefined,
    isReady: () => Promise.resolve(),
    isClosed: false,
  };
  return { told, stream };
}

it('is a piece for one of them in a turn', async () => {
  let asked = 0;
  const replay = createReplay({
    since: (eventId, limit) => {
      asked += 1;
      return changes.slice(eventId, eventId + limit);
    },
  });
  const over = new AbortController();
  const readers = Array.from({ length: 30 }, reader);
  let followed = 0;
  const all = Promise.all(
    readers.map(({ stream }) =>
      replay(0, {
        stream,
        eventOf: ({ eventId }) => ({ text: `${eventId}`, about: '', isProgress: false }),
        follow: () => (followed += 1),
      }),
    ),
  ).finally(() => over.abort());
  let most = 0;
  for (let before = 0; !over.signal.aborted; before = asked) {
    await nextTurn();
    most = Math.max(most, asked - before);
  }
  await all;
  expect(most).toBeLessThanOrEqual(2);
  expect(followed).toBe(30);
  for (const { told } of readers) expect(told).toEqual(changes.map(({ eventId }) => `${eventId}`));
});

it('waits with the next piece until the reader took the one before', async () => {
  let asked = 0;
  const since = (eventId: number, limit: number) => {
    asked += 1;
    return changes.slice(eventId, Math.min(eventId + limit, 25));
  };
  const { told, stream } = reader();
  const ready = Array.from({ length: 3 }, () => Promise.withResolvers<undefined>());
  let waits = 0;
  const replaying = createReplay({ since })(0, {
    stream: { ...stream, isReady: () => ready[waits++]!.promise },
    eventOf: ({ eventId }) => ({ text: `${eventId}`, about: '', isProgress: false }),
    follow: () => undefined,
  });
  for (const [i, one] of ready.entries()) {
    await expect.poll(() => waits, { interval: 1 }).toBe(i + 1);
    for (let turns = 0; turns < 5; turns += 1) await nextTurn();
    expect(asked).toBe(i + 1);
    one.resolve(undefined);
  }
  await replaying;
  expect(told).toHaveLength(25);
});

it('says reset where it is not known what was missed, and stops where the reader is gone', async () => {
  const replay = createReplay({ since: () => undefined });
  const { told, stream } = reader();
  let followed = 0;
  const eventOf = () => ({ text: '', about: '', isProgress: false });
  const follow = () => (followed += 1);
  await replay(5, { stream, eventOf, follow });
  expect([followed, told.join()]).toEqual([1, expect.stringContaining('event: reset')]);
  await replay(5, { stream: { ...stream, isClosed: true }, eventOf, follow });
  expect(followed).toBe(1);
});
