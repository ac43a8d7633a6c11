/** From what is stored to what is shown: live progress, and whether it expired. */
import type { ServiceClock } from '../clock.ts';
import type { StoredTask } from '../store/stored-task.ts';
import type { LiveProgress } from './live-progress.ts';
import { rowsKeptMs } from './retention.ts';
import type { TaskRow } from './task-row.ts';

export interface TaskViews {
  of(task: StoredTask): TaskRow;
  /** Whether the row's days are over too, though no sweep has deleted it yet. */
  isGone(task: StoredTask): boolean;
}

export function createTaskViews(clock: ServiceClock, live: LiveProgress): TaskViews {
  return {
    of(task) {
      const { expiresOn } = task;
      return Object.freeze({
        ...task,
        ...progressOf(task, live),
        expired: expiresOn !== undefined && expiresOn <= clock.nowMs(),
        ...(expiresOn === undefined ? {} : { expiresAt: clock.toWallMs(expiresOn) }),
      });
    },
    isGone: ({ expiresOn }) => expiresOn !== undefined && expiresOn + rowsKeptMs <= clock.nowMs(),
  };
}

function progressOf({ status, taskId }: StoredTask, live: LiveProgress) {
  if (status === 'PROCESSING') return live.of(taskId);
  return { progress: status === 'FINISHED' ? 100 : 0 };
}
