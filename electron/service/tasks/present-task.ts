/** A task as the API shows it. Links are made anew each time, from the address that was called. */
import { EnlargerError } from '../../contract/errors.ts';
import type { TaskChange, TaskRecord, TaskView } from '../../contract/task.ts';
import { signLink, type LinkFile } from '../results/signed-link.ts';
import type { Uploads } from '../sources/uploads.ts';
import type { StoredSource } from '../store/stored-task.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import { planEstimate, type PlanDeps } from '../planning/estimate-work.ts';
import type { MissedChange, TaskEvent, TaskRow, Tasks } from './task-row.ts';
import type { ApiDeps } from '../http/deps.ts';
import { sourceThumbLink } from '../pictures/view-links.ts';

type ViewDeps = Pick<
  ApiDeps,
  'callbacks' | 'tasks' | 'linkSecret' | 'clock' | 'views' | 'uploads'
> &
  PlanDeps;

/**
 * Throws TASK_NOT_FOUND, and RESULT_EXPIRED for one whose result is gone. A failed task has none: it says why
 * it failed as long as its row stays.
 */
export function presentTask(tasks: Pick<Tasks, 'get'>, taskId: string): TaskRow {
  const row = knownTask(tasks, taskId);
  if (!row.expired || row.status === 'FAILED') return row;
  throw new EnlargerError(
    'RESULT_EXPIRED',
    'The result of this task has expired; submit the picture again.',
  );
}

/** Throws TASK_NOT_FOUND. */
export function knownTask(tasks: Pick<Tasks, 'get'>, taskId: string): TaskRow {
  const row = tasks.get(taskId);
  if (row !== undefined) return row;
  throw new EnlargerError('TASK_NOT_FOUND', 'There is no task with this id.');
}

/** @param base the address that was called, such as http://127.0.0.1:8617 */
export function viewOf(row: TaskRow, base: string, secret: Buffer): TaskView {
  const { taskId, status, progress, error } = row;
  return {
    taskId,
    status,
    ...(status === 'PROCESSING' && { progress }),
    ...linksOf(row, base, secret),
    ...(error && { error }),
  };
}

/** With the whole record, unless only the progress changed: who follows the stream asks for nothing more. */
export function changeOf(event: TaskEvent, base: string, deps: ViewDeps): TaskChange {
  const { task, removed, isProgress } = event;
  const view = viewOf(task, base, deps.linkSecret);
  const eta = task.etaSeconds === undefined ? {} : { etaSeconds: task.etaSeconds };
  if (removed !== undefined) return { ...view, removed };
  return { ...view, ...eta, ...(!isProgress && { record: recordOf(task, base, deps) }) };
}

/** The same of a task that changed while the reader was away. */
export function missedChangeOf(missed: MissedChange, base: string, deps: ViewDeps): TaskChange {
  if ('task' in missed) return changeOf(missed, base, deps);
  return { taskId: missed.taskId, status: missed.removedAs, removed: true };
}

export function recordOf(row: TaskRow, base: string, deps: ViewDeps): TaskRecord {
  const { tasks, linkSecret, views } = deps;
  const { taskId, operation, status, progress, priority, source, options, attempts } = row;
  const place = tasks.placeOf(row);
  return {
    taskId,
    photo: row.photo,
    operation,
    status,
    progress,
    ...(row.etaSeconds !== undefined && { etaSeconds: row.etaSeconds }),
    ...estimateOf(row, deps),
    priority,
    ...(place !== undefined && { place }),
    source: { ...sourceViewOf(source), kept: isSourceKept(row, deps.uploads) },
    options,
    attempts,
    createdAt: timestamp(row.createdAt),
    ...endingOf(row),
    ...reportOf(row),
    ...callbackOf(row, deps),
    ...(row.savedTo !== undefined && { savedTo: row.savedTo }),
    ...(row.mark !== undefined && { mark: row.mark }),
    ...(row.takenAt !== undefined && { takenAt: timestamp(row.takenAt) }),
    ...linksOf(row, base, linkSecret),
    ...(views.hasSourceThumb(row) && { sourceThumbUrl: sourceThumbLink(row, base, deps) }),
    ...(row.error && { error: row.error }),
  };
}

/** Of a finished task its report says it. */
function estimateOf(
  { status, estimate, look, options, operation }: TaskRow,
  deps: PlanDeps,
): Pick<TaskRecord, 'estimate'> {
  if (estimate) return { estimate };
  if (status === 'FINISHED' || look === undefined) return {};
  if ('told' in look) return { estimate: look.told };
  if (!('picture' in look) || operation === 'convert') return {};
  try {
    return { estimate: planEstimate(look.picture, options, deps) };
  } catch (error) {
    // What cannot be has no estimate; the task fails with the same sentence.
    if (error instanceof EnlargerError) return {};
    throw error;
  }
}

/** Whether the photo can be run again. */
export function isSourceKept(
  { source, holdsSource, operation }: TaskRow,
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

function endingOf({ startedAt, endedAt, expiresAt }: TaskRow) {
  return {
    ...(startedAt !== undefined && { startedAt: timestamp(startedAt) }),
    ...(endedAt !== undefined && { finishedAt: timestamp(endedAt) }),
    ...(expiresAt !== undefined && { expiresAt: timestamp(expiresAt) }),
  };
}

function reportOf({ report }: TaskRow): Pick<TaskRecord, 'timings' | 'notes'> {
  if (report === undefined) return { timings: {}, notes: [] };
  return report;
}

/** One that has not ended, or was just told to no one, waits. */
function callbackOf(
  { taskId, options, endedAt }: TaskRow,
  { callbacks }: Pick<ApiDeps, 'callbacks'>,
): Pick<TaskRecord, 'callback'> {
  if (options.callbackUrl === undefined) return {};
  const known = endedAt === undefined ? undefined : callbacks.of(taskId, endedAt);
  return { callback: known ?? { state: 'waiting', attempts: 0 } };
}

function linksOf(row: TaskRow, base: string, secret: Buffer) {
  if (row.status !== 'FINISHED' || row.expired) return {};
  return {
    imageUrl: linkTo(row, 'image', base, secret),
    thumbUrl: linkTo(row, 'thumb', base, secret),
  };
}

/** The file's ending is there for programs that look at it; the signature is bound to which file it is. */
function linkTo(row: TaskRow, file: LinkFile, base: string, secret: Buffer): string {
  const { taskId, expiresOn = 0, files } = row;
  const ending = /\.\w+$/.exec(files?.[file].name ?? '')?.[0] ?? '';
  const signature = signLink(secret, { taskId, file, expiresOn });
  return `${base}/api/results/${taskId}/${file}${ending}?expires=${expiresOn}&signature=${signature}`;
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The address that a request called; the guard has seen that it is this server's. */
export function baseOf(request: { headers: { host?: string | undefined } }): string {
  return `http://${request.headers.host ?? ''}`;
}
