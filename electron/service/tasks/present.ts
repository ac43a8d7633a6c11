/** A task as the API shows it. Links are made anew each time, from the address that was called. */
import { EnlargerError } from '../../contract/errors.ts';
import type { TaskChange, TaskRecord, TaskView } from '../../contract/task.ts';
import { resultLink, sourceThumbLink } from '../results/signed-link.ts';
import type { Uploads } from '../sources/uploads.ts';
import type { StoredSource } from '../store/tasks/stored-task.ts';
import { refusal } from './failures.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import { planEstimate, type PlanDeps } from '../planning/estimate-work.ts';
import {
  isFinished,
  type FinishedTask,
  type MissedChange,
  type Running,
  type TaskEvent,
  type Task,
  type Tasks,
} from './task.ts';
import type { ApiDeps } from '../http/deps.ts';

type ViewDeps = Pick<
  ApiDeps,
  'callbacks' | 'tasks' | 'linkSecret' | 'clock' | 'views' | 'uploads'
> &
  PlanDeps;

/**
 * Throws TASK_NOT_FOUND, and RESULT_EXPIRED for one whose result is gone. A failed task has none: it says why
 * it failed as long as its row stays.
 */
export function presentTask(tasks: Pick<Tasks, 'get'>, taskId: string): Task {
  const task = knownTask(tasks, taskId);
  if (!task.expired || task.status === 'FAILED') return task;
  throw new EnlargerError(
    'RESULT_EXPIRED',
    'The result of this task has expired; submit the picture again.',
  );
}

/** Throws what presentTask throws, and CONFLICT for one that has no result. @param what cannot be done with it */
export function finishedTask(
  tasks: Pick<Tasks, 'get'>,
  taskId: string,
  what: string,
): FinishedTask {
  const task = presentTask(tasks, taskId);
  if (isFinished(task)) return task;
  throw refusal(taskId, task, `only a finished result can be ${what}`);
}

/** Throws TASK_NOT_FOUND. */
export function knownTask(tasks: Pick<Tasks, 'get'>, taskId: string): Task {
  const task = tasks.get(taskId);
  if (task !== undefined) return task;
  throw new EnlargerError('TASK_NOT_FOUND', 'There is no task with this id.');
}

/** @param base the address that was called, such as http://127.0.0.1:8617 */
export function viewOf(task: Task, base: string, secret: Buffer): TaskView {
  const { error } = task;
  return { ...progressOf(task), ...linksOf(task, base, secret), ...(error && { error }) };
}

/** All of it that is told of a percent. */
export const progressOf = ({ taskId, status, progress }: Running): TaskView => ({
  taskId,
  status,
  ...(status === 'PROCESSING' && { progress }),
});

/** With the whole record, unless only the progress changed: who follows the stream asks for nothing more. */
export function changeOf(event: TaskEvent, base: string, deps: ViewDeps): TaskChange {
  const { etaSeconds } = event.task;
  const eta = etaSeconds === undefined ? {} : { etaSeconds };
  if (event.isProgress) return { ...progressOf(event.task), ...eta };
  const { task, removed } = event;
  const view = viewOf(task, base, deps.linkSecret);
  if (removed !== undefined) return { ...view, removed };
  return { ...view, ...eta, record: recordOf(task, base, deps) };
}

/** The same of a task that changed while the reader was away. */
export function missedChangeOf(missed: MissedChange, base: string, deps: ViewDeps): TaskChange {
  if ('task' in missed) return changeOf(missed, base, deps);
  return { taskId: missed.taskId, status: missed.removedAs, removed: true };
}

export function recordOf(task: Task, base: string, deps: ViewDeps): TaskRecord {
  const { tasks, linkSecret, views } = deps;
  const { taskId, operation, status, progress, priority, source, options, attempts } = task;
  const place = tasks.placeOf(task);
  return {
    taskId,
    photo: task.photo,
    operation,
    status,
    progress,
    ...(task.etaSeconds !== undefined && { etaSeconds: task.etaSeconds }),
    ...estimateOf(task, deps),
    priority,
    ...(place !== undefined && { place }),
    source: { ...sourceViewOf(source), kept: isSourceKept(task, deps.uploads) },
    options,
    attempts,
    createdAt: timestamp(task.createdAt),
    ...endingOf(task),
    ...reportOf(task),
    ...callbackOf(task, deps),
    ...(task.savedTo !== undefined && { savedTo: task.savedTo }),
    ...(task.mark !== undefined && { mark: task.mark }),
    ...(task.takenAt !== undefined && { takenAt: timestamp(task.takenAt) }),
    ...linksOf(task, base, linkSecret),
    ...(views.hasSourceThumb(task) && { sourceThumbUrl: sourceThumbLink(task, base, deps) }),
    ...(task.error && { error: task.error }),
  };
}

/** Of a finished task its report says it. */
function estimateOf(
  { status, estimate, look, ...asked }: Task,
  deps: PlanDeps,
): Pick<TaskRecord, 'estimate'> {
  if (estimate) return { estimate };
  if (status === 'FINISHED' || look === undefined) return {};
  if ('told' in look) return { estimate: look.told };
  if (!('picture' in look) || asked.operation === 'convert') return {};
  try {
    return { estimate: planEstimate(look.picture, asked, deps) };
  } catch (error) {
    // What cannot be has no estimate; the task fails with the same sentence.
    if (error instanceof EnlargerError) return {};
    throw error;
  }
}

/** Whether the photo can be run again. */
export function isSourceKept(
  { source, holdsSource, operation }: Task,
  uploads: Pick<Uploads, 'get'>,
): boolean {
  if (operation === 'convert') return false;
  if (source.kind === 'upload' && source.uploadId !== undefined)
    return uploads.get(source.uploadId) !== undefined;
  return source.kind === 'file' || source.kind === 'url' || holdsSource;
}

function sourceViewOf(source: StoredSource): Omit<TaskRecord['source'], 'kept'> {
  const name = sourceNameOf(source);
  if (!('ofTaskId' in source)) return { kind: source.kind, name };
  return { kind: 'task', name, taskId: source.ofTaskId };
}

function endingOf({ startedAt, endedAt, expiresAt }: Task) {
  return {
    ...(startedAt !== undefined && { startedAt: timestamp(startedAt) }),
    ...(endedAt !== undefined && { finishedAt: timestamp(endedAt) }),
    ...(expiresAt !== undefined && { expiresAt: timestamp(expiresAt) }),
  };
}

function reportOf({ report }: Task): Pick<TaskRecord, 'timings' | 'notes'> {
  if (report === undefined) return { timings: {}, notes: [] };
  return report;
}

/** One that has not ended, or was just told to no one, waits. */
function callbackOf(
  { taskId, options, endedAt }: Task,
  { callbacks }: Pick<ApiDeps, 'callbacks'>,
): Pick<TaskRecord, 'callback'> {
  if (options.callbackUrl === undefined) return {};
  const known = endedAt === undefined ? undefined : callbacks.of(taskId, endedAt);
  return { callback: known ?? { state: 'waiting', attempts: 0 } };
}

function linksOf(task: Task, base: string, secret: Buffer) {
  if (task.status !== 'FINISHED' || task.expired) return {};
  return {
    imageUrl: resultLink(task, 'image', base, secret),
    thumbUrl: resultLink(task, 'thumb', base, secret),
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The address that a request called; the guard has seen that it is this server's. */
export function baseOf(request: { headers: { host?: string | undefined } }): string {
  return `http://${request.headers.host ?? ''}`;
}
