/** Views of tasks for the API. Links are built anew for each response, from the request's origin. */
import { readNote } from '../../../packages/contract/src/notes/notes.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  defaultCallbackEvents,
  type CallbackEvent,
} from '../../../packages/contract/src/request.ts';
import type { TaskChange, TaskRecord, TaskView } from '../../../packages/contract/src/task.ts';
import { resultLink, sourceThumbLink } from '../results/signed-link.ts';
import { sourceStateOf } from '../sources/source-state.ts';
import type { Uploads } from '../sources/uploads.ts';
import { statusConflict } from '../tasks/failures.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import { planEstimate, type PlanDeps } from '../planning/estimate-work.ts';
import { isFinished, type FinishedTask, type Task, type TaskSource } from '../store/tasks/task.ts';
import type { TaskProgress } from '../tasks/running/live-progress.ts';
import type { MissedChange, RunningTask, TaskEvent, Tasks } from '../tasks/tasks.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Store } from '../store/store.ts';
import type { Views } from '../previews/views.ts';

export interface TaskLinkDeps {
  linkSecret: Buffer;
  tasks: Pick<Tasks, 'progressOf' | 'isExpired'>;
}

export interface ViewDeps extends PlanDeps {
  callbacks: Pick<Store['callbacks'], 'of'>;
  tasks: Pick<Tasks, 'progressOf' | 'isExpired' | 'queuePositionOf'>;
  linkSecret: Buffer;
  clock: Pick<ServiceClock, 'nowMs' | 'toWallMs'>;
  views: Pick<Views, 'hasSourceThumb'>;
  uploads: Pick<Uploads, 'get'>;
}

/**
 * @throws EnlargerError TASK_NOT_FOUND, or RESULT_EXPIRED. A failed task has no result to expire and stays
 *   visible as long as its row.
 */
export function presentTask(tasks: Pick<Tasks, 'get' | 'isExpired'>, taskId: string): Task {
  const task = knownTask(tasks, taskId);
  if (task.status === 'FAILED' || !tasks.isExpired(task)) return task;
  throw new EnlargerError(
    'RESULT_EXPIRED',
    'The result of this task has expired; submit the picture again.',
  );
}

/**
 * Throws like presentTask.
 * @param what completes the error: "only a finished result can be …"
 * @throws EnlargerError CONFLICT without a result
 */
export function finishedTask(
  tasks: Pick<Tasks, 'get' | 'isExpired'>,
  taskId: string,
  what: string,
): FinishedTask {
  const task = presentTask(tasks, taskId);
  if (isFinished(task)) return task;
  throw statusConflict(taskId, task, `only a finished result can be ${what}`);
}

/** @throws EnlargerError TASK_NOT_FOUND */
export function knownTask(tasks: Pick<Tasks, 'get'>, taskId: string): Task {
  const task = tasks.get(taskId);
  if (task !== undefined) return task;
  throw new EnlargerError('TASK_NOT_FOUND', 'There is no task with this id.');
}

/** @param base origin of the request, e.g. http://127.0.0.1:8617 */
export function viewOf(task: Task, base: string, deps: TaskLinkDeps): TaskView {
  const { taskId, status, error } = task;
  const { progress } = deps.tasks.progressOf(task);
  return {
    ...progressViewOf({ taskId, status, progress }),
    ...linksOf(task, base, deps),
    ...(error && { error }),
  };
}

/** The fields of a progress event. */
export const progressViewOf = ({ taskId, status, progress }: RunningTask): TaskView => ({
  taskId,
  status,
  ...(status === 'PROCESSING' && { progress }),
});

const etaOf = ({ etaSeconds }: Pick<TaskProgress, 'etaSeconds'>) =>
  etaSeconds === undefined ? {} : { etaSeconds };

/** Whole record unless only the progress changed, so that stream readers need no further request. */
export function changeOf(event: TaskEvent, base: string, deps: ViewDeps): TaskChange {
  if (event.isProgress) return { ...progressViewOf(event.task), ...etaOf(event.task) };
  const { task, removed } = event;
  const view = viewOf(task, base, deps);
  if (removed !== undefined) return { ...view, removed };
  return { ...view, ...etaOf(deps.tasks.progressOf(task)), record: recordOf(task, base, deps) };
}

/** Event for a change that the reader missed. */
export function missedChangeOf(missed: MissedChange, base: string, deps: ViewDeps): TaskChange {
  if ('task' in missed) return changeOf(missed, base, deps);
  return { taskId: missed.taskId, status: missed.removedAs, removed: true };
}

export function recordOf(task: Task, base: string, deps: ViewDeps): TaskRecord {
  const { tasks, views } = deps;
  const { taskId, operation, status, priority, source, options, attempts } = task;
  const live = tasks.progressOf(task);
  const place = tasks.queuePositionOf(task);
  return {
    taskId,
    photo: task.photo,
    operation,
    status,
    progress: live.progress,
    ...etaOf(live),
    ...estimateOf(task, live, deps),
    priority,
    ...(place !== undefined && { place }),
    source: { ...sourceViewOf(source), kept: isSourceKept(task, deps.uploads) },
    options,
    attempts,
    createdAt: timestamp(task.createdAt),
    ...endingOf(task, deps),
    ...reportOf(task),
    ...callbackOf(task, deps),
    ...(task.savedTo !== undefined && { savedTo: task.savedTo }),
    ...versionFolderViewOf(task),
    ...(task.mark !== undefined && { mark: task.mark }),
    ...(task.takenAt !== undefined && { takenAt: timestamp(task.takenAt) }),
    ...linksOf(task, base, deps),
    ...(!tasks.isExpired(task) &&
      views.hasSourceThumb(task) && { sourceThumbUrl: sourceThumbLink(task, base, deps) }),
    ...(task.error && { error: task.error }),
  };
}

/** Estimate of a task that is not finished; finished ones have it in their report. */
function estimateOf(
  { status, inspection, ...asked }: Task,
  { estimate }: TaskProgress,
  deps: PlanDeps,
): Pick<TaskRecord, 'estimate'> {
  if (estimate) return { estimate };
  if (status === 'FINISHED' || inspection === undefined) return {};
  if ('told' in inspection) return { estimate: inspection.told };
  if (!('picture' in inspection) || asked.operation === 'convert') return {};
  try {
    return { estimate: planEstimate(inspection.picture, asked, deps) };
  } catch (error) {
    // An impossible task has no estimate; it fails with the same sentence.
    if (error instanceof EnlargerError) return {};
    throw error;
  }
}

/** True if the photo can be enlarged again. */
export const isSourceKept = (task: Task, uploads: Pick<Uploads, 'get'>): boolean =>
  task.operation !== 'convert' && sourceStateOf(task, uploads) !== 'gone';

/** @throws EnlargerError NOT_FOUND */
export function assertSourceKept(task: Task, uploads: Pick<Uploads, 'get'>): void {
  if (isSourceKept(task, uploads)) return;
  throw new EnlargerError(
    'NOT_FOUND',
    'Expected the source of this task to be kept, but it was removed when the task ended. Submit the picture again.',
  );
}

function sourceViewOf(source: TaskSource): Omit<TaskRecord['source'], 'kept'> {
  const name = sourceNameOf(source);
  if ('watchId' in source) return { kind: source.kind, name, ...pickDefined(source, ['watchId']) };
  if (!('ofTaskId' in source)) return { kind: source.kind, name };
  return { kind: 'task', name, taskId: source.ofTaskId };
}

function endingOf({ startedAt, endedAt, expiresOn }: Task, { clock }: Pick<ViewDeps, 'clock'>) {
  return {
    ...(startedAt !== undefined && { startedAt: timestamp(startedAt) }),
    ...(endedAt !== undefined && { finishedAt: timestamp(endedAt) }),
    ...(expiresOn !== undefined && { expiresAt: timestamp(clock.toWallMs(expiresOn)) }),
  };
}

function reportOf({ report }: Task): Pick<TaskRecord, 'timings' | 'notes' | 'noteCodes'> {
  if (report === undefined) return { timings: {}, notes: [] };
  if (report.notes.length === 0) return report;
  const noteCodes = report.notes.map((note) => readNote(note) ?? { code: 'OTHER', values: {} });
  return { ...report, noteCodes };
}

const isEnd = (event: CallbackEvent) => event !== 'started';

/** Pending before the task's end and before the first attempt. */
function callbackOf(
  { taskId, status, options, endedAt }: Task,
  { callbacks }: Pick<ViewDeps, 'callbacks'>,
): Pick<TaskRecord, 'callback'> {
  const { callbackUrl, callbackEvents = defaultCallbackEvents } = options;
  if (callbackUrl === undefined || !callbackEvents.some(isEnd)) return {};
  if (endedAt === undefined) return { callback: { state: 'waiting', attempts: 0 } };
  const end = status === 'FINISHED' ? 'finished' : 'failed';
  if (!callbackEvents.includes(end)) return {};
  return { callback: callbacks.of(taskId, endedAt) ?? { state: 'waiting', attempts: 0 } };
}

function linksOf(task: Task, base: string, { tasks, linkSecret }: TaskLinkDeps) {
  if (task.status !== 'FINISHED' || tasks.isExpired(task)) return {};
  return {
    imageUrl: resultLink(task, 'image', base, linkSecret),
    thumbUrl: resultLink(task, 'thumb', base, linkSecret),
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Origin of the request, which the guard has checked. */
export function baseOf(request: { headers: { host?: string | undefined } }): string {
  return `http://${request.headers.host ?? ''}`;
}

function versionFolderViewOf({ placement }: Task): Pick<TaskRecord, 'folder'> {
  if (placement === undefined) return {};
  const { folder: path, onlyAccepted } = placement;
  return {
    folder: { path, ...(onlyAccepted && { onlyAccepted }), ...pickDefined(placement, ['problem']) },
  };
}
