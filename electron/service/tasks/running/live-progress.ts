/**
 * How far running tasks are: kept in memory, not written for each percent. A number never goes back while
 * this process works on a task, also when its engine dies and a second attempt begins anew.
 */
import type { TaskEstimate } from '../../../contract/task.ts';
import type { JobProgress } from '../../../engine/protocol.ts';

interface Live {
  percent: number;
  etaSeconds?: number;
  estimate?: TaskEstimate;
}

export interface LiveProgress {
  of(taskId: string): { progress: number; etaSeconds?: number; estimate?: TaskEstimate };
  /** True when the percent shown changed. */
  update(taskId: string, progress: JobProgress): boolean;
  /** Forgets the estimate, and keeps the percent for the next attempt. */
  pause(taskId: string): void;
  forget(taskId: string): void;
}

export function createLiveProgress(): LiveProgress {
  const live = new Map<string, Live>();
  return {
    of(taskId) {
      const { percent = 0, etaSeconds, estimate } = live.get(taskId) ?? {};
      return {
        progress: percent,
        ...(etaSeconds === undefined ? {} : { etaSeconds }),
        ...(estimate && { estimate }),
      };
    },
    update(taskId, { percent, etaSeconds, estimate }) {
      const known = live.get(taskId);
      const before = known?.percent ?? 0;
      const now = Math.max(before, Math.min(100, Math.floor(percent)));
      const said = estimate ?? known?.estimate;
      live.set(taskId, {
        percent: now,
        ...(etaSeconds === undefined ? {} : { etaSeconds }),
        ...(said && { estimate: said }),
      });
      return now > before;
    },
    pause(taskId) {
      const known = live.get(taskId);
      if (known) live.set(taskId, { percent: known.percent });
    },
    forget: (taskId) => void live.delete(taskId),
  };
}
