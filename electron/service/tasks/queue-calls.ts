/** The queue's calls: each is one transaction, followed by its event. */
import { failpoint } from '../../engine/protocol/failpoints.ts';
import { crc32 } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Mark, TaskListQuery, TaskOptions } from '../../../packages/contract/src/task.ts';
import type { ServiceClock } from '../timing/clock.ts';
import { uploadIdOf } from '../sources/image-url.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import type { Store } from '../store/store.ts';
import type { Task } from '../store/tasks/task.ts';
import type { TaskEnding } from '../store/tasks/transitions.ts';
import { cancelled, taskNotFound, statusConflict } from './failures.ts';
import { rowRetentionMs } from './retention/sweeper.ts';
import { photoOf } from '../sources/source-name.ts';
import type { LiveProgress } from './running/live-progress.ts';
import type { NewTask, Tasks, QueueMove } from './tasks.ts';

interface QueueCallOptions {
  store: Store;
  clock: ServiceClock;
  live: LiveProgress;
  announce(task: Task): void;
  endingNow(): TaskEnding;
}

export type QueueCalls = Pick<
  Tasks,
  | 'get'
  | 'findSubmitted'
  | 'progressOf'
  | 'isExpired'
  | 'list'
  | 'counts'
  | 'queuePositionOf'
  | 'cancel'
  | 'retry'
  | 'move'
  | 'change'
  | 'noteTaken'
> & {
  /** Sets a person's mark; null clears it. @throws EnlargerError CONFLICT without a result */
  noteMark: (taskId: string, mark: Mark | null) => Task;
  /**
   * Stores all submits in one transaction.
   * @returns per submit the task, or an EnlargerError if that one is refused
   * @throws EnlargerError STORAGE_FULL; then none is stored
   */
  submitAll: (submits: TaskSubmission[]) => (SubmitOutcome | EnlargerError)[];
};

export interface TaskSubmission {
  task: NewTask;
  idempotency: IdempotentSubmit | undefined;
}

export interface SubmitOutcome {
  task: Task;
  /** False if an idempotency key matched an earlier task. */
  isNew: boolean;
}

export function createQueueCalls(options: QueueCallOptions): QueueCalls {
  const { store, clock, live } = options;
  const find = (taskId: string) => {
    const task = store.tasks.get(taskId);
    return task && !isRowExpired(task, clock) ? task : undefined;
  };
  const changed = (task: Task) => {
    options.announce(task);
    return task;
  };
  const finished = (taskId: string, task: Task | undefined) => {
    if (task === undefined)
      throw statusConflict(taskId, find(taskId), 'only the result of a finished task is saved');
    return task;
  };
  return {
    get: find,
    findSubmitted: (submit) => findSubmitted(options, submit),
    progressOf({ status, taskId }) {
      if (status === 'PROCESSING') return live.of(taskId);
      return { progress: status === 'FINISHED' ? 100 : 0 };
    },
    isExpired: ({ expiresOn }) => expiresOn !== undefined && expiresOn <= clock.nowMs(),
    list: (query) => listPage(options, query),
    counts: () => store.tasks.counts(),
    queuePositionOf: (task) =>
      task.status === 'PENDING' ? store.tasks.queuePositionOf(task) : undefined,
    submitAll(submits) {
      const outcomes = store.transaction(() => submits.map((one) => insertOrRefuse(options, one)));
      failpoint('submit-stored');
      for (const one of outcomes)
        if (!(one instanceof EnlargerError) && one.isNew) options.announce(one.task);
      return outcomes;
    },
    cancel(taskId) {
      const task = store.tasks.cancel(taskId, { ...cancelled, ...options.endingNow() });
      if (!task)
        throw statusConflict(
          taskId,
          find(taskId),
          'only waiting and running tasks can be cancelled',
        );
      return changed(task);
    },
    retry(taskId) {
      const task = store.tasks.retry(taskId, clock.nowMs());
      if (!task) throw retryRefusal(taskId, find(taskId));
      return changed(task);
    },
    noteMark: (taskId, mark) => {
      const marked = store.tasks.noteMark(taskId, mark);
      if (marked === undefined)
        throw statusConflict(taskId, find(taskId), 'only the result of a finished task is marked');
      return changed(marked);
    },
    noteTaken: (taskId) =>
      void changed(finished(taskId, store.tasks.noteTaken(taskId, clock.wallMs()))),
    move: (taskId, spot) => changed(store.transaction(() => moveTask(store, taskId, spot))),
    change(taskId, before, after, spot) {
      const task = store.transaction(() => {
        const task = store.tasks.change(taskId, before, after);
        if (!task) throw changeRefusal(taskId, find(taskId));
        noteBackground(store, task);
        return moveTask(store, taskId, spot);
      });
      return changed(task);
    },
  };
}

/** True if the row's own retention is over but no sweep has deleted it yet. */
export const isRowExpired = ({ expiresOn }: Task, clock: Pick<ServiceClock, 'nowMs'>) =>
  expiresOn !== undefined && expiresOn + rowRetentionMs <= clock.nowMs();

/** Refusals are thrown before anything is written for the task. Other errors end the transaction. */
function insertOrRefuse(
  options: QueueCallOptions,
  { task, idempotency }: TaskSubmission,
): SubmitOutcome | EnlargerError {
  try {
    return insertOnce(options, task, idempotency);
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code !== 'STORAGE_FULL') return thrown;
    throw thrown;
  }
}

function findSubmitted(
  { store, clock }: Pick<QueueCallOptions, 'store' | 'clock'>,
  submit: IdempotentSubmit,
): Task | undefined {
  const known = store.idempotency.find(submit, clock.nowMs());
  if (known === undefined) return undefined;
  if (known.fingerprint === submit.fingerprint) return store.tasks.get(known.taskId);
  throw new EnlargerError(
    'CONFLICT',
    `The Idempotency-Key ${submit.key} was used with another body in the last 24 hours.`,
  );
}

function insertOnce(
  { store, clock }: QueueCallOptions,
  task: NewTask,
  idempotency: IdempotentSubmit | undefined,
): SubmitOutcome {
  const now = clock.nowMs();
  const earlier = idempotency && findSubmitted({ store, clock }, idempotency);
  if (earlier) return { task: earlier, isNew: false };
  assertQueueCapacity(store);
  assertUploadExists(store, task);
  assertBackgroundExists(store, task.options);
  assertWatched(store, task);
  const times = { createdAt: clock.wallMs(), queuedOn: now };
  const photo = task.photo ?? photoOf(task.source);
  const stored = store.tasks.insert({ ...task, photo, taskId: randomUUID(), ...times });
  if (task.options.backgroundImage !== undefined) noteBackground(store, stored);
  store.photos.noteStarted(photo);
  if (task.seen)
    store.watches.noteSeen([{ ...task.seen, taskId: stored.taskId, status: 'PENDING' }]);
  if (idempotency) store.idempotency.record(idempotency, stored.taskId, now);
  return { task: stored, isNew: true };
}

function assertQueueCapacity(store: Store): void {
  const { maxWaitingTasks } = store.settings.get();
  if (store.tasks.counts().PENDING < maxWaitingTasks) return;
  throw new EnlargerError(
    'QUEUE_FULL',
    `${maxWaitingTasks} tasks are waiting, which is the limit. Submit again when some have ended.`,
  );
}

function assertUploadExists(store: Store, { source }: NewTask): void {
  if (source.kind !== 'upload' || source.uploadId === undefined) return;
  if (store.uploads.markUsed(source.uploadId)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `The upload ${source.uploadId} is no longer there. Uploads that no task uses are kept for an hour: upload it again.`,
  );
}

function assertBackgroundExists(store: Store, { backgroundImage = '' }: TaskOptions): void {
  const uploadId = uploadIdOf(backgroundImage);
  if (uploadId !== undefined && !store.uploads.get(uploadId)) throw missingBackground(uploadId);
}

function noteBackground(store: Store, { taskId, options }: Task): void {
  const uploadId = uploadIdOf(options.backgroundImage ?? '');
  if (!store.uploads.noteBackground(taskId, uploadId)) throw missingBackground(uploadId);
}

const missingBackground = (uploadId = '') =>
  new EnlargerError(
    'INVALID_REQUEST',
    `The background picture ${uploadId} is no longer there. Uploads that no task uses are kept for an hour: upload it again.`,
  );

function assertWatched(store: Store, { seen }: NewTask): void {
  if (!seen || store.watches.get(seen.watchId)) return;
  throw new EnlargerError('CONFLICT', 'The folder is no longer watched.');
}

const defaultPageSize = 50;

function listPage(
  { store, clock }: QueueCallOptions,
  { status, photo, limit = defaultPageSize, cursor }: TaskListQuery,
) {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const found = store.tasks.list({ status, photo, limit: limit + 1, before });
  const page = found.slice(0, limit);
  const rows = page.filter((task) => !isRowExpired(task, clock));
  const last = page.at(-1);
  if (found.length <= limit || !last) return { rows };
  return { rows, nextCursor: cursorOf(last.seq) };
}

/**
 * The sequence number of the page's last row and a checksum, so that an arbitrary string is rejected instead
 * of starting again.
 */
const cursorOf = (seq: number) =>
  `${seq.toString(36)}.${crc32(`tasks before ${seq}`).toString(36)}`;

/** @throws EnlargerError INVALID_REQUEST */
function readCursor(cursor: string): number {
  const seq = Number.parseInt(cursor, 36);
  if (Number.isSafeInteger(seq) && cursor === cursorOf(seq)) return seq;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected cursor to be the nextCursor of a page, but received ${JSON.stringify(cursor)}.`,
  );
}

function moveTask(store: Store, taskId: string, { place, priority }: QueueMove): Task {
  const task = store.tasks.get(taskId);
  if (!task) throw taskNotFound(taskId);
  if (place === undefined && (priority ?? task.priority) === task.priority) return task;
  const moved = store.tasks.move(taskId, place ?? 'last', priority);
  if (moved) return moved;
  if (task.status !== 'PENDING' || typeof place !== 'object') {
    throw statusConflict(taskId, task, 'only a waiting task has a place in the queue');
  }
  const neighbourId = 'before' in place ? place.before : place.after;
  throw statusConflict(
    neighbourId,
    store.tasks.get(neighbourId),
    'only beside a waiting task is a place',
  );
}

function changeRefusal(taskId: string, task: Task | undefined): EnlargerError {
  if (task?.status !== 'PENDING')
    return statusConflict(taskId, task, 'only a waiting task can be changed');
  return new EnlargerError(
    'CONFLICT',
    `The task ${taskId} was changed at the same moment. Look at it again, and repeat the change.`,
  );
}

function retryRefusal(taskId: string, task: Task | undefined): EnlargerError {
  if (task?.status !== 'FAILED')
    return statusConflict(taskId, task, 'only a failed task can be retried');
  return new EnlargerError(
    'RESULT_EXPIRED',
    `The task ${taskId} failed too long ago: its source is no longer kept. Submit it again.`,
  );
}
