/**
 * Progress of running tasks, in memory only. A percentage never falls while this process runs, also across a
 * second attempt.
 */
import type { TaskEstimate } from '../../../../packages/contract/src/task.ts';
import type { JobProgress } from '../../../engine/protocol/messages.ts';

export interface TaskProgress {
  /** Integer, 0-100. */
  readonly progress: number;
  /** Remaining seconds, by measured speed. */
  readonly etaSeconds?: number;
  /** Set once the picture was inspected. */
  readonly estimate?: TaskEstimate;
}

export interface LiveProgress {
  of(taskId: string): TaskProgress;
  /** @returns true if the percentage changed */
  update(taskId: string, progress: JobProgress): boolean;
  /** Drops the estimate; keeps the percentage for the next attempt. */
  pause(taskId: string): void;
  forget(taskId: string): void;
}

export function createLiveProgress(): LiveProgress {
  const live = new Map<string, TaskProgress>();
  return {
    of: (taskId) => live.get(taskId) ?? { progress: 0 },
    update(taskId, { percent, etaSeconds, estimate }) {
      const known = live.get(taskId);
      const before = known?.progress ?? 0;
      const progress = Math.max(before, Math.min(100, Math.floor(percent)));
      const latestEstimate = estimate ?? known?.estimate;
      live.set(taskId, {
        progress,
        ...(etaSeconds === undefined ? {} : { etaSeconds }),
        ...(latestEstimate && { estimate: latestEstimate }),
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
