/**
 * Publishes task events, and replays missed ones from the database: each task that changed since an event, in
 * its present state. A restart or any number of changes loses none.
 */
import type { Log } from '../../../../packages/contract/src/log.ts';
import type { ChangeTable } from '../../store/tasks/changes.ts';
import type { Task } from '../../store/tasks/task.ts';
import type { RunningTask, TaskEvent, TaskEvents } from '../tasks.ts';

export interface EventLog extends TaskEvents {
  publish(task: Task, what?: 'removed'): void;
  publishProgress(task: RunningTask): void;
}

interface EventLogOptions {
  changes: Pick<ChangeTable, 'newest' | 'idOf' | 'since'>;
  find: (taskId: string) => Task | undefined;
  log: Log;
}

export function createEventLog({ changes, find, log }: EventLogOptions): EventLog {
  const listeners = new Map<string | undefined, Set<(event: TaskEvent) => void>>();
  let lastId = changes.newest();

  const nextId = (taskId: string) => {
    const eventId = changes.idOf(taskId, lastId);
    lastId = eventId ?? lastId;
    return eventId;
  };
  const notify = (to: string | undefined, event: TaskEvent) => {
    for (const listener of [...(listeners.get(to) ?? [])]) {
      try {
        listener(event);
      } catch (error) {
        log('error', 'A listener of task events failed.', { error: String(error) });
      }
    }
  };
  const emit = (event: TaskEvent) => {
    notify(event.task.taskId, event);
    notify(undefined, event);
  };
  return {
    publish(task, what) {
      const eventId = nextId(task.taskId);
      emit({
        ...(eventId !== undefined && { eventId }),
        task,
        ...(what === 'removed' && { removed: true }),
      });
    },
    publishProgress: (task) => emit({ task, isProgress: true }),
    subscribe(taskId, listener) {
      const subscribers = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, subscribers.add(listener));
      return () => {
        subscribers.delete(listener);
        if (subscribers.size === 0 && listeners.get(taskId) === subscribers)
          listeners.delete(taskId);
      };
    },
    since: (eventId, limit) =>
      changes.since(eventId, limit)?.map(({ changeId, taskId, removedAs }) => {
        const task = find(taskId);
        return task
          ? { eventId: changeId, task }
          : { eventId: changeId, taskId, removedAs: removedAs ?? 'FINISHED' };
      }),
  };
}
