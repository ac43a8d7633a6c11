/** Keeps the state of the queue, as the tray, the taskbar and the notification show it. This is pure. */
import type { StatusCounts, TaskChange } from '../../contract/task.ts';

export interface QueueState {
  waiting: number;
  running: number;
  paused: boolean;
  /** The number of folders that are watched. */
  watching: number;
  /** The progress of each running task, in percent, by its id. */
  progress: ReadonlyMap<string, number>;
  /** The tasks that ended since the queue last had nothing to do. Cancelled tasks are not counted. */
  batch: BatchEnd;
}

export interface BatchEnd {
  finished: number;
  failed: number;
}

const noBatch: BatchEnd = { finished: 0, failed: 0 };

export const idleQueue: QueueState = {
  waiting: 0,
  running: 0,
  paused: false,
  watching: 0,
  progress: new Map(),
  batch: noBatch,
};

/** Applies one event of the stream of all tasks. How many wait and run comes from the service's counts. */
export function takeChange(state: QueueState, change: TaskChange): QueueState {
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

function countEnd(batch: BatchEnd, { status, error }: TaskChange): BatchEnd {
  if (status === 'FINISHED') return { ...batch, finished: batch.finished + 1 };
  if (status === 'FAILED' && error?.code !== 'CANCELLED')
    return { ...batch, failed: batch.failed + 1 };
  return batch;
}

/** Applies the service's own counts. `ended` is set when the batch came to its end with them. */
export function takeCounts(
  state: QueueState,
  { counts, paused }: { counts: Pick<StatusCounts, 'PENDING' | 'PROCESSING'>; paused: boolean },
): { state: QueueState; ended?: BatchEnd } {
  const next = { ...state, waiting: counts.PENDING, running: counts.PROCESSING, paused };
  if (isBusy(next)) return { state: next };
  const { finished, failed } = state.batch;
  const idle = { ...next, progress: new Map<string, number>(), batch: noBatch };
  return finished + failed > 0 ? { state: idle, ended: state.batch } : { state: idle };
}

/** Says whether a task waits or runs; a paused queue with tasks in it is busy too. */
export function isBusy({ waiting, running }: QueueState): boolean {
  return waiting + running > 0;
}

/** Says whether something happens, or may happen, without the window. */
export function goesOnAlone(state: QueueState): boolean {
  return isBusy(state) || state.watching > 0;
}

/** Says whether the machine should stay awake, because a task runs or is about to. */
export function isWorking({ waiting, running, paused }: QueueState): boolean {
  return running > 0 || (waiting > 0 && !paused);
}

/** Answers the progress of the batch in 0..1; undefined when there is none. */
export function progressOf(state: QueueState): number | undefined {
  if (!isBusy(state)) return undefined;
  const { waiting, running, batch } = state;
  const ended = batch.finished + batch.failed;
  const inWork = [...state.progress.values()].reduce((sum, percent) => sum + percent / 100, 0);
  return Math.min(1, (ended + Math.min(inWork, running)) / (ended + waiting + running));
}
