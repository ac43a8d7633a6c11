/**
 * The progress of running tasks is kept in memory, not written for each percent. A number never goes back while
 * this process works on a task, also when its engine dies and a second attempt begins anew.
 */
import type { TaskEstimate } from '../../../contract/task.ts';
import type { JobProgress } from '../../../engine/protocol/messages.ts';

export interface Progress {
  /** The number is an integer, 0-100. */
  readonly progress: number;
  /** The rest takes so many seconds, by measured speed. */
  readonly etaSeconds?: number;
  /** The estimate is there once the picture was looked at. */
  readonly estimate?: TaskEstimate;
}

export interface LiveProgress {
  of(taskId: string): Progress;
  /** Answers true when the percent shown changed. */
  update(taskId: string, progress: JobProgress): boolean;
  /** Forgets the estimate, and keeps the percent for the next attempt. */
  pause(taskId: string): void;
  forget(taskId: string): void;
}

export function createLiveProgress(): LiveProgress {
  const live = new Map<string, Progress>();
  return {
    of: (taskId) => live.get(taskId) ?? { progress: 0 },
    update(taskId, { percent, etaSeconds, estimate }) {
      const known = live.get(taskId);
      const before = known?.progress ?? 0;
      const progress = Math.max(before, Math.min(100, Math.floor(percent)));
      const said = estimate ?? known?.estimate;
      live.set(taskId, {
        progress,
        ...(etaSeconds === undefined ? {} : { etaSeconds }),
        ...(said && { estimate: said }),
      });
      return progress > before;
    },
    pause(taskId) {
      const known = live.get(taskId);
      if (known) live.set(taskId, { progress: known.progress });
    },
    forget: (taskId) => void live.delete(taskId),
  };
}
