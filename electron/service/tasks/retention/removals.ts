/**
 * Removes tasks with undo. A removed task disappears at once and can be restored for `restorableMs` with its
 * queue position and result. Then its files are deleted; when the service stops or starts they are deleted at
 * once. A task that was running is restored as PENDING, without counting as an attempt that failed.
 */
import { failpoint } from '../../../engine/protocol/failpoints.ts';
import type { Log } from '../../../../packages/contract/src/log.ts';
import type { ServiceClock } from '../../timing/clock.ts';
import type { Results } from '../../results/results.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../store/tasks/task.ts';
import { taskNotFound } from '../failures.ts';
import { deleteDataFile, restorableMs } from './sweeper.ts';

export interface TaskRemovalOptions {
  store: Store;
  clock: ServiceClock;
  results: Results;
  /** Cancels the task's attempt and resolves when it has ended. */
  stop(taskId: string): Promise<void>;
  announceRemoved(task: Task): void;
  announce(task: Task): void;
  log: Log;
  /** Interval of the sweep. */
  everyMs: number;
}

export interface Removals {
  /** @throws EnlargerError TASK_NOT_FOUND */
  remove(taskId: string): void;
  /** @throws EnlargerError TASK_NOT_FOUND, also after the restore time */
  restore(taskId: string): Task;
  /**
   * Resolves when the task's attempt has ended and its files are deleted.
   * @throws EnlargerError TASK_NOT_FOUND
   */
  delete(taskId: string): Promise<void>;
  /** Resolves when the files of all removed tasks are deleted. */
  close(): Promise<void>;
}

export function createRemovals(options: TaskRemovalOptions): Removals {
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
      const task = store.tasks.moveToRemoved(taskId, clock.nowMs());
      if (!task) throw taskNotFound(taskId);
      options.announceRemoved(task);
      void options.stop(taskId);
      sweepLater();
    },
    restore(taskId) {
      const task = store.tasks.restore(taskId, clock.nowMs() - restorableMs);
      if (!task) throw taskNotFound(taskId);
      options.announce(task);
      return task;
    },
    async delete(taskId) {
      const task = store.tasks.moveToRemoved(taskId, notRestorable);
      if (!task) throw taskNotFound(taskId);
      failpoint('removed');
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

/** A removal time (service clock) that is never restorable. */
const notRestorable = 0;

/** Deletes the row last, so that an interrupted removal is completed at the next start. */
async function deleteFiles(task: Task, options: TaskRemovalOptions): Promise<void> {
  await options.stop(task.taskId);
  await deleteFilesOf(task, options);
}

export async function deleteFilesOf(
  task: Task,
  { store, results }: Pick<TaskRemovalOptions, 'store' | 'results'>,
): Promise<void> {
  await results.remove(task.taskId);
  await deleteDataFile(task);
  failpoint('files-removed');
  store.tasks.forgetRemoved(task.taskId);
}
