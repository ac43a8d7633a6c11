/**
 * Tells streams that were cut off what they missed, each as fast as it reads. In a turn of the event loop one of them
 * gets a piece, so that calls are answered between however many go on at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventText, type EventStream, type StreamEvent } from '../http/streams/event-stream.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import type { MissedChange, TaskEvents } from '../tasks/tasks.ts';

export interface ReplayTarget {
  stream: EventStream;
  /** Makes what is sent of a change. */
  eventOf(missed: MissedChange): StreamEvent;
  /** This is called in the turn in which nothing is missed any more, so that nothing comes between. */
  follow: () => void;
}

type Replay = (lastSeen: number, target: ReplayTarget) => Promise<void>;

/** A batch is some milliseconds of work. */
const missedBatch = 10;

export function createReplay(events: Pick<TaskEvents, 'since'>): Replay {
  const oneByOne = limitConcurrency(1);
  return async (lastSeen, { stream, ...target }) => {
    /** Answers the last change that was told; undefined when nothing is missed any more. */
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
