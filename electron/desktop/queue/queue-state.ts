/** State of the queue for tray, taskbar and notification. Pure. */
import type { StatusCounts, TaskChange } from '../../../packages/contract/src/task.ts';

export interface QueueStatus {
  waiting: number;
  running: number;
  paused: boolean;
  /** Number of watched folders. */
  watching: number;
  /** Percent per running task id. */
  progress: ReadonlyMap<string, number>;
  /** Tasks that ended since the queue was last idle, without cancelled ones. */
  batch: BatchSummary;
}

export interface BatchSummary {
  finished: number;
  failed: number;
}

const noBatch: BatchSummary = { finished: 0, failed: 0 };

export const idleQueue: QueueStatus = {
  waiting: 0,
  running: 0,
  paused: false,
  watching: 0,
  progress: new Map(),
  batch: noBatch,
};

/**
 * Applies an event of the stream of all tasks. Numbers of waiting and running tasks come from the service's
 * counts.
 */
export function applyChange(state: QueueStatus, change: TaskChange): QueueStatus {
  const { taskId, status, removed } = change;
  const progress = new Map(state.progress);
  if (status === 'PROCESSING' && removed === undefined) progress.set(taskId, change.progress ?? 0);
  else progress.delete(taskId);
  return {
    ...state,
    progress,
    batch: removed === true ? state.batch : countEnd(state.batch, change),
  };
}

function countEnd(batch: BatchSummary, { status, error }: TaskChange): BatchSummary {
  if (status === 'FINISHED') return { ...batch, finished: batch.finished + 1 };
  if (status === 'FAILED' && error?.code !== 'CANCELLED')
    return { ...batch, failed: batch.failed + 1 };
  return batch;
}

/** Applies the service's counts. `ended` is set if the batch ended with them. */
export function applyCounts(
  state: QueueStatus,
  { counts, paused }: { counts: Pick<StatusCounts, 'PENDING' | 'PROCESSING'>; paused: boolean },
): { state: QueueStatus; ended?: BatchSummary } {
  const next = { ...state, waiting: counts.PENDING, running: counts.PROCESSING, paused };
  if (isBusy(next)) return { state: next };
  const { finished, failed } = state.batch;
  const idle = { ...next, progress: new Map<string, number>(), batch: noBatch };
  return finished + failed > 0 ? { state: idle, ended: state.batch } : { state: idle };
}

/** True if tasks wait or run, even if the queue is paused. */
export function isBusy({ waiting, running }: QueueStatus): boolean {
  return waiting + running > 0;
}

/** True if work happens, or may start, without the window. */
export function goesOnAlone(state: QueueStatus): boolean {
  return isBusy(state) || state.watching > 0;
}

/** True if a task runs or is about to, so that the machine should stay awake. */
export function isWorking({ waiting, running, paused }: QueueStatus): boolean {
  return running > 0 || (waiting > 0 && !paused);
}

/** Progress of the batch, 0..1; undefined without one. */
export function progressOf(state: QueueStatus): number | undefined {
  if (!isBusy(state)) return undefined;
  const { waiting, running, batch } = state;
  const ended = batch.finished + batch.failed;
  const inWork = [...state.progress.values()].reduce((sum, percent) => sum + percent / 100, 0);
  return Math.min(1, (ended + Math.min(inWork, running)) / (ended + waiting + running));
}
