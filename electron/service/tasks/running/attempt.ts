/**
 * An attempt is led from its start to the commit of how it ended. Its end is a transition of the store (told
 * in store/tasks/transitions.ts); an attempt that is no longer the row's own changes nothing and is cleared away.
 */
import { mayFailAt } from '../../../engine/protocol/failpoints.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { EnlargerError } from '../../../contract/errors.ts';
import type { TaskEstimate } from '../../../contract/task.ts';
import type { Log } from '../../../contract/log.ts';
import { EngineDied } from '../../../engine/host/host.ts';
import type { Task } from '../../store/tasks/task.ts';
import type { Ending, TaskTransitions } from '../../store/tasks/transitions.ts';
import { engineCrashed, failingOf } from '../failures.ts';
import type { LiveProgress } from './live-progress.ts';
import type { AttemptWatch, Outcome } from './run-task.ts';

export interface AttemptOptions {
  transitions: TaskTransitions;
  runTask: (task: Task, watch: AttemptWatch) => Promise<Outcome>;
  /** Deletes what a task has in the result folder. */
  discardResult: (taskId: string) => Promise<void>;
  /** This is called after the row says FINISHED and all were told. */
  onFinished: (task: Task) => Promise<void>;
  /** Keeps what was told of a task that fails. */
  keepTold: (taskId: string, estimate: TaskEstimate) => void;
  announce: (task: Task) => void;
  /** This is told of each percent. */
  announceProgress: (task: Task) => void;
  live: LiveProgress;
  endingNow: () => Ending;
  /** Resolves when the run may use the engine; rejects when it was told to stop. */
  enterSlot: (run: Run) => Promise<void>;
  /** Answers the service's clock's time in milliseconds. */
  nowMs: () => number;
  log: Log;
  /** So long is waited between two tries to write to a full disk. */
  retryMs: number;
}

/** An attempt that runs has this state. */
export interface Run {
  readonly task: Task;
  /** The time is the service's clock's. */
  readonly startedOn: number;
  readonly controller: AbortController;
  /** The attempt may use the engine; one that waits long for its source yields its slot to another. */
  hasSlot: boolean;
  /** The source is being fetched from elsewhere. */
  isFetching: boolean;
  /** A shutdown no longer puts the task back. */
  isPublishing: boolean;
  /** A shutdown put the row back, so that the end of this attempt means nothing any more. */
  isPutBack: boolean;
  /** The engine could not start for this reason; undefined when it did, or was not needed. */
  notStarted: string | undefined;
  done: Promise<void>;
}

/** The promise never rejects. @param closing fires when nothing is to be waited for any more */
export async function runAttempt(
  run: Run,
  options: AttemptOptions,
  closing: AbortSignal,
): Promise<void> {
  const ended = await options.runTask(run.task, watchOf(run, options)).then(
    (outcome) => ({ outcome, commit: () => finish(run, options, outcome) }),
    (thrown: unknown) => ({ outcome: undefined, commit: () => endBadly(run, options, thrown) }),
  );
  if (run.isPutBack) return;
  try {
    const committed = await commitPatiently(run, options, ended.commit, closing);
    if (committed === 'not stored') return;
    await settle(run, options, committed);
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

function finish(run: Run, options: AttemptOptions, outcome: Outcome): Task | undefined {
  const { files, savedTo } = outcome;
  const timings = {
    ...outcome.report.timings,
    queuedMs: Math.max(0, run.startedOn - run.task.queuedOn),
    totalMs: options.nowMs() - run.startedOn,
  };
  const { estimate } = options.live.of(run.task.taskId);
  const report = { ...outcome.report, ...(estimate && { estimate }), timings };
  const ended = { ...attemptOf(run), ...options.endingNow() };
  return options.transitions.finish({ ...ended, report, files, savedTo });
}

function endBadly(run: Run, options: AttemptOptions, thrown: unknown): Task | undefined {
  const { transitions, endingNow } = options;
  if (thrown instanceof EngineDied) {
    if (thrown.reason === 'start') run.notStarted = thrown.message;
    if (!thrown.blamed) return transitions.release(attemptOf(run));
    return transitions.engineDied(attemptOf(run), { ...engineCrashed, ...endingNow() });
  }
  const failing = failingOf(thrown);
  // Of a picture elsewhere nothing else is known once it failed.
  const { estimate } = options.live.of(run.task.taskId);
  if (estimate && run.task.source.kind === 'url') options.keepTold(run.task.taskId, estimate);
  const isExpected = failing.code !== 'INTERNAL' || run.controller.signal.aborted;
  if (!isExpected) logError(run, options, 'A task failed in a way that is not foreseen.', thrown);
  return transitions.fail(attemptOf(run), { ...failing, ...endingNow() });
}

/** Waits and tries again while the disk is full; the row goes on saying PROCESSING. */
async function commitPatiently(
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
      await waitUnless(closing, options.retryMs);
    }
  }
}

/** Keeps files only for a FINISHED row. */
async function settle(run: Run, options: AttemptOptions, task: Task | undefined) {
  const { taskId } = run.task;
  if (task?.status === 'PENDING') options.live.pause(taskId);
  else options.live.forget(taskId);
  mayFailAt('finished');
  if (task) options.announce(task);
  mayFailAt('told');
  if (task?.status !== 'FINISHED') await options.discardResult(taskId);
}

/** Resolves after the time, or as soon as the signal fires. */
export async function waitUnless(signal: AbortSignal, ms: number): Promise<void> {
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
