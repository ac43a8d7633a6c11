/**
 * Replays missed changes to resumed streams, as fast as each reads. One batch per turn of the event loop, so
 * that other calls are answered in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventText, type EventStream, type StreamEvent } from '../../../packages/http/src/index.ts';
import { limitConcurrency } from '../timing/limit-concurrency.ts';
import type { MissedChange, TaskEvents } from '../tasks/tasks.ts';

export interface ReplayTarget {
  stream: EventStream;
  /** Event of a change. */
  eventOf(missed: MissedChange): StreamEvent;
  /** Called in the turn in which nothing is missing any more, so that no change falls in between. */
  follow: () => void;
}

type Replay = (lastSeen: number, target: ReplayTarget) => Promise<void>;

/** Some milliseconds of work. */
const missedBatch = 10;

export function createReplay(events: Pick<TaskEvents, 'since'>): Replay {
  const oneByOne = limitConcurrency(1);
  return async (lastSeen, { stream, ...target }) => {
    /** Returns the last change sent; undefined if none is missing any more. */
    const sendSome = (after: number): number | undefined => {
      const missed = events.since(after, missedBatch);
      if (missed === undefined) stream.send(reset);
      for (const one of missed ?? []) stream.send(target.eventOf(one));
      const last = missed?.at(-1)?.eventId;
      if (last === undefined) target.follow();
      return last;
    };
    let after: number | undefined = lastSeen;
    while (after !== undefined && !stream.isClosed) {
      const from: number = after;
      after = await oneByOne(async () => {
        await nextTurn();
        return stream.isClosed ? undefined : sendSome(from);
      });
      if (after !== undefined) await stream.isReady();
    }
  };
}

const reset = { text: eventText({}, undefined, 'reset'), about: '', isProgress: false };
