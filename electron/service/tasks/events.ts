/**
 * Who is told of changes, and the newest of them kept in memory so that a stream can be resumed. Ids start at
 * a number made from the wall clock, so ids of a former process are never mistaken for this one's.
 */
import type { Log } from '../../contract/log.ts';
import type { TaskEvent, TaskEvents, TaskRow } from './task-row.ts';

export interface EventLog extends TaskEvents {
  publish(task: TaskRow, what?: 'removed' | 'progress'): void;
}

const keptEvents = 4096;
/** A process may send this many events a second, on the average of its life, before ids could meet. */
const idsPerSecond = 2 ** 20;

export function createEventLog(startedAtMs: number, log: Log): EventLog {
  const listeners = new Map<string | undefined, Set<(event: TaskEvent) => void>>();
  const ring: TaskEvent[] = [];
  const firstId = Math.floor(startedAtMs / 1000) * idsPerSecond + 1;
  let nextId = firstId;

  const tell = (to: string | undefined, event: TaskEvent) => {
    for (const listener of [...(listeners.get(to) ?? [])]) {
      try {
        listener(event);
      } catch (error) {
        log('error', 'A listener of task events failed.', { error: String(error) });
      }
    }
  };
  return {
    publish(task, what) {
      const event = Object.freeze({
        eventId: nextId++,
        task,
        ...(what === 'removed' && { removed: true as const }),
        ...(what === 'progress' && { isProgress: true as const }),
      });
      ring[(event.eventId - firstId) % keptEvents] = event;
      tell(task.taskId, event);
      tell(undefined, event);
    },
    subscribe(taskId, listener) {
      const told = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, told.add(listener));
      return () => {
        told.delete(listener);
        if (told.size === 0 && listeners.get(taskId) === told) listeners.delete(taskId);
      };
    },
    since(eventId) {
      const oldest = Math.max(firstId, nextId - keptEvents - 1);
      if (!Number.isInteger(eventId) || eventId < oldest || eventId >= nextId) return undefined;
      const known = (id: number) => ring[(id - firstId) % keptEvents];
      const missed = Array.from({ length: nextId - 1 - eventId }, (_, i) => known(eventId + 1 + i));
      return missed.filter((event) => event !== undefined);
    },
  };
}
