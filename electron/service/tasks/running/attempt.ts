/**
 * One attempt from its start to the commit of its end. The end is a transition of the store
 * (store/tasks/transitions.ts). An attempt that no longer owns the row commits nothing, and its files are
 * deleted.
 */
import { failpoint } from '../../../engine/protocol/failpoints.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { TaskEstimate } from '../../../../packages/contract/src/task.ts';
import type { Log } from '../../../../packages/contract/src/log.ts';
import { EngineDied } from '../../../engine/host/host.ts';
import type { Task } from '../../store/tasks/task.ts';
import type { TaskEnding, TaskTransitions } from '../../store/tasks/transitions.ts';
import { placementOf } from '../../results/version-folder.ts';
import { engineCrashed, taskErrorOf } from '../failures.ts';
import type { LiveProgress } from './live-progress.ts';
import type { AttemptWatch, AttemptOutcome } from './run-task.ts';

export interface AttemptOptions {
  transitions: TaskTransitions;
  runTask: (task: Task, watch: AttemptWatch) => Promise<AttemptOutcome>;
  /** Deletes the task's result folder. */
  discardResult: (taskId: string) => Promise<void>;
  /** Called after the FINISHED row is committed and its event published. */
  onFinished: (task: Task) => Promise<void>;
  /** Stores the estimate of a task that fails. */
  saveEstimate: (taskId: string, estimate: TaskEstimate) => void;
  announce: (task: Task) => void;
  /** Called when the percentage changes. */
  announceProgress: (task: Task) => void;
  live: LiveProgress;
  endingNow: () => TaskEnding;
  /** Resolves when the run may use the engine; rejects when it is cancelled. */
  enterSlot: (run: Run) => Promise<void>;
  /** Time of the service's clock in milliseconds. */
  nowMs: () => number;
  log: Log;
  /** Disk-full retry delay. */
  retryMs: number;
}

/** State of a running attempt. */
export interface Run {
  readonly task: Task;
  /** Service clock, milliseconds. */
  readonly startedOn: number;
  readonly controller: AbortController;
  /** True while the attempt may use the engine. A run that waits long for its source yields its slot. */
  hasSlot: boolean;
  /** True while the source is downloaded. */
  isFetching: boolean;
  /** True once the result is being published; a shutdown then lets the attempt end. */
  isPublishing: boolean;
  /** A shutdown returned the row to PENDING; the end of this attempt is ignored. */
  isPutBack: boolean;
  /** Reason why the engine could not start; undefined if it started or was not needed. */
  notStarted: string | undefined;
  done: Promise<void>;
}

/** Never rejects. @param closing ends the retries on a full disk */
export async function runAttempt(
  run: Run,
  options: AttemptOptions,
  closing: AbortSignal,
): Promise<void> {
  const ended = await options.runTask(run.task, watchOf(run, options)).then(
    (outcome) => ({ outcome, commit: () => finishAttempt(run, options, outcome) }),
    (thrown: unknown) => ({ outcome: undefined, commit: () => failAttempt(run, options, thrown) }),
  );
  if (run.isPutBack) return;
  try {
    const committed = await commitWithRetry(run, options, ended.commit, closing);
    if (committed === 'not stored') return;
    await publishEnd(run, options, committed);
    if (committed && ended.outcome) await options.onFinished(committed);
  } catch (thrown) {
    logError(run, options, 'What an attempt left could not be cleared away.', thrown);
  }
}

export function attemptOf({ task }: Run): { taskId: string; attempt: number } {
  return { taskId: task.taskId, attempt: task.attempts };
}

function watchOf(run: Run, options: AttemptOptions): AttemptWatch {
  const { live, announceProgress } = options;
  const { task, controller } = run;
  return {
    signal: controller.signal,
    onProgress: (progress) => {
      if (controller.signal.aborted) return;
      if (live.update(task.taskId, progress)) announceProgress(task);
    },
    enterSlot: () => options.enterSlot(run),
    onPublishing: () => {
      run.isPublishing = true;
    },
  };
}

function finishAttempt(
  run: Run,
  options: AttemptOptions,
  outcome: AttemptOutcome,
): Task | undefined {
  const { files, savedTo } = outcome;
  const timings = {
    ...outcome.report.timings,
    queuedMs: Math.max(0, run.startedOn - run.task.queuedOn),
    totalMs: options.nowMs() - run.startedOn,
  };
  const { estimate } = options.live.of(run.task.taskId);
  const report = { ...outcome.report, ...(estimate && { estimate }), timings };
  const ended = { ...attemptOf(run), ...options.endingNow() };
  const placement = placementOf(run.task.options);
  return options.transitions.finish({ ...ended, report, files, savedTo, placement });
}

function failAttempt(run: Run, options: AttemptOptions, thrown: unknown): Task | undefined {
  const { transitions, endingNow } = options;
  if (thrown instanceof EngineDied) {
    if (thrown.reason === 'start') run.notStarted = thrown.message;
    if (!thrown.blamed) return transitions.release(attemptOf(run));
    return transitions.engineDied(attemptOf(run), { ...engineCrashed, ...endingNow() });
  }
  const failing = taskErrorOf(thrown);
  // The estimate is all that is known of a remote picture after a failure.
  const { estimate } = options.live.of(run.task.taskId);
  if (estimate && run.task.source.kind === 'url') options.saveEstimate(run.task.taskId, estimate);
  const isExpected = failing.code !== 'INTERNAL' || run.controller.signal.aborted;
  if (!isExpected) logError(run, options, 'A task failed in an unexpected way.', thrown);
  return transitions.fail(attemptOf(run), { ...failing, ...endingNow() });
}

/** Retries while the disk is full; the row stays PROCESSING. */
async function commitWithRetry(
  run: Run,
  options: AttemptOptions,
  commit: () => Task | undefined,
  closing: AbortSignal,
): Promise<Task | undefined | 'not stored'> {
  for (;;) {
    try {
      return commit();
    } catch (thrown) {
      logError(run, options, 'The end of an attempt could not be stored.', thrown);
      const isFull = thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';
      if (!isFull || closing.aborted) return 'not stored';
      await delayUnlessAborted(closing, options.retryMs);
    }
  }
}

/** Publishes the committed row, and deletes the result files unless it is FINISHED. */
async function publishEnd(run: Run, options: AttemptOptions, task: Task | undefined) {
  const { taskId } = run.task;
  if (task?.status === 'PENDING') options.live.pause(taskId);
  else options.live.forget(taskId);
  failpoint('finished');
  if (task) options.announce(task);
  failpoint('told');
  if (task?.status !== 'FINISHED') await options.discardResult(taskId);
}

/** Resolves after the time, or as soon as the signal fires. */
export async function delayUnlessAborted(signal: AbortSignal, ms: number): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

function logError(run: Run, { log }: AttemptOptions, message: string, thrown: unknown): void {
  const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log('error', message, { ...attemptOf(run), error });
}
