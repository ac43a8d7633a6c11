/**
 * Tasks are removed with a way back: a removed task is gone for everyone at once, and for a while it can be restored
 * with its place and its result. Then its files go; at the end of the service, and at its next start, they
 * go at once. A task that ran when it was removed comes back waiting in its place, counted against nothing.
 */
import { mayFailAt } from '../../../engine/protocol/failpoints.ts';
import type { Log } from '../../../contract/log.ts';
import type { ServiceClock } from '../../clock.ts';
import type { Results } from '../../results/results.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../store/tasks/task.ts';
import { notFound } from '../failures.ts';
import { deleteDataFile, restorableMs } from './sweeper.ts';

export interface RemovalOptions {
  store: Store;
  clock: ServiceClock;
  results: Results;
  /** Tells what runs for a task to stop, and returns when it has. */
  stop(taskId: string): Promise<void>;
  announceRemoved(task: Task): void;
  announce(task: Task): void;
  log: Log;
  /** What is to go is looked for so often. */
  everyMs: number;
}

export interface Removals {
  /** Throws TASK_NOT_FOUND. */
  remove(taskId: string): void;
  /** Throws TASK_NOT_FOUND, also when the time for it is over. */
  restore(taskId: string): Task;
  /** Returns when what ran for the task has ended and its files are gone for good. Throws TASK_NOT_FOUND. */
  delete(taskId: string): Promise<void>;
  /** Returns when the files of all removed tasks are gone. */
  close(): Promise<void>;
}

export function createRemovals(options: RemovalOptions): Removals {
  const { store, clock, everyMs, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let sweeping = Promise.resolve();
  const sweep = async (untilOn: number) => {
    try {
      const removed = store.tasks.removedUntil(untilOn);
      await Promise.all(removed.map((task) => deleteFiles(task, options)));
    } catch (thrown) {
      log('warn', 'Removed tasks could not be cleared away.', { error: String(thrown) });
    }
  };
  const sweepLater = () => {
    timer ??= setInterval(() => {
      sweeping = sweeping.then(() => sweep(clock.nowMs() - restorableMs));
    }, everyMs).unref();
  };
  return {
    remove(taskId) {
      const task = store.tasks.setAside(taskId, clock.nowMs());
      if (!task) throw notFound(taskId);
      options.announceRemoved(task);
      void options.stop(taskId);
      sweepLater();
    },
    restore(taskId) {
      const task = store.tasks.restore(taskId, clock.nowMs() - restorableMs);
      if (!task) throw notFound(taskId);
      options.announce(task);
      return task;
    },
    async delete(taskId) {
      const task = store.tasks.setAside(taskId, longAgo);
      if (!task) throw notFound(taskId);
      mayFailAt('removed');
      options.announceRemoved(task);
      await deleteFiles(task, options);
    },
    async close() {
      clearInterval(timer);
      await sweeping;
      await sweep(Number.MAX_SAFE_INTEGER);
    },
  };
}

/** A task that was removed at this moment of the service's clock cannot be restored. */
const longAgo = 0;

/** Deletes the row last: a service that ends in the midst goes on at its next start. */
async function deleteFiles(task: Task, options: RemovalOptions): Promise<void> {
  await options.stop(task.taskId);
  await deleteFilesOf(task, options);
}

export async function deleteFilesOf(
  task: Task,
  { store, results }: Pick<RemovalOptions, 'store' | 'results'>,
): Promise<void> {
  await results.remove(task.taskId);
  await deleteDataFile(task);
  mayFailAt('files-removed');
  store.tasks.forgetRemoved(task.taskId);
}
