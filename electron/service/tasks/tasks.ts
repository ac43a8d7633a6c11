/** The queue's interface for the rest of the service. */
import type {
  Mark,
  StatusCounts,
  TaskListQuery,
  TaskPatch,
  TaskStatus,
} from '../../../packages/contract/src/task.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import type { ChangedWork, FinishedTask, Task, TaskWork } from '../store/tasks/task.ts';
import type { SeenFile } from '../store/watches.ts';
import type { ResultSave } from './folders/folder-versions.ts';
import type { TaskProgress } from './running/live-progress.ts';

/** A submit. Without `photo` the task is a version of the photo of its source. */
export interface NewTask extends TaskWork, Pick<Task, 'source' | 'priority' | 'keyId'> {
  photo?: string | undefined;
  /** File of a watched folder; recorded as seen in the same transaction. */
  seen?: Omit<SeenFile, 'taskId' | 'status'>;
}

export interface QueueMove {
  place?: TaskPatch['place'] | undefined;
  priority?: number | undefined;
}

interface TaskChangeEvent {
  /** Rises with each change of any task, also across restarts. */
  readonly eventId?: number;
  /** State right after the change. */
  readonly task: Task;
  readonly removed?: true;
  readonly isProgress?: never;
}

/** Progress of a running task: the only fields that a percentage changes. */
export type RunningTask = TaskProgress & Pick<Task, 'taskId' | 'status'>;

interface TaskProgressEvent {
  readonly eventId?: never;
  readonly task: RunningTask;
  readonly removed?: never;
  readonly isProgress: true;
}

export type TaskEvent = TaskChangeEvent | TaskProgressEvent;

/** Change that a client missed: the task's present state, or its removal. */
export type MissedChange =
  | { eventId: number; task: Task }
  | { eventId: number; taskId: string; removedAs: TaskStatus };

export interface TaskEvents {
  /**
   * Subscribes to one task, or to all, including progress. Events come synchronously and in order.
   * @returns the function that unsubscribes
   */
  subscribe(taskId: string | undefined, listener: (event: TaskEvent) => void): () => void;
  /** Changes after an event, in order. Returns undefined if the event is older than the recorded changes. */
  since(eventId: number, limit: number): MissedChange[] | undefined;
}

export interface QueueWait {
  /** A sentence for people. */
  message: string;
  /** Wall clock of the next try, in milliseconds. */
  againAt: number;
}

export interface Tasks {
  /** Starts the dispatcher and the sweeps. */
  start(): void;
  /**
   * Resolves when the row is on disk; concurrent submits share one sync. The queue owns the file of a `data`
   * source from here on, also if this throws.
   * @throws EnlargerError QUEUE_FULL, CONFLICT (another body under the same idempotency key), STORAGE_FULL,
   *   INVALID_REQUEST (the upload is gone), SHUTTING_DOWN
   */
  submit(task: NewTask, idempotency?: IdempotentSubmit): Promise<Task>;
  /**
   * The task of an earlier submit with the same key and body.
   * @throws EnlargerError CONFLICT if the key was used with another body
   */
  findSubmitted(submit: IdempotentSubmit): Task | undefined;
  get(taskId: string): Task | undefined;
  /** 100 for a FINISHED task, 0 for a waiting one. Never falls while the task runs. */
  progressOf(task: Task): TaskProgress;
  /** True if the result (of a failed task: its source) has expired by the service's clock. */
  isExpired(task: Task): boolean;
  /** Newest first. @throws EnlargerError INVALID_REQUEST for a malformed cursor */
  list(query: TaskListQuery): { rows: Task[]; nextCursor?: string };
  counts(): StatusCounts;
  /** Position in the queue, from 1; undefined unless the task is PENDING. */
  queuePositionOf(task: Task): number | undefined;
  /**
   * Cancels a waiting or running task. This and the next two throw TASK_NOT_FOUND, and CONFLICT if the status
   * does not allow it.
   */
  cancel(taskId: string): Task;
  /** Also throws RESULT_EXPIRED. */
  retry(taskId: string): Task;
  move(taskId: string, patch: QueueMove): Task;
  /**
   * Changes a waiting task's options and position in one transaction.
   * @throws EnlargerError CONFLICT also if the task no longer equals `before`
   */
  change(taskId: string, before: TaskWork, after: ChangedWork, spot: QueueMove): Task;
  /** Saves a result after its task ended, as FolderVersions does. */
  save(task: FinishedTask, save: ResultSave): Promise<string | undefined>;
  /** Records that a person took the result. @throws EnlargerError CONFLICT unless FINISHED */
  noteTaken(taskId: string): void;
  /**
   * Sets a person's mark; null clears it. Resolves when the folder of the photo's versions holds what counts now.
   * @throws EnlargerError CONFLICT without a result
   */
  mark(taskId: string, mark: Mark | null): Promise<void>;
  /** Removes a task at once and its files a minute later. A running attempt is cancelled. */
  remove(taskId: string): void;
  /** Undoes a removal of the last minute. @throws EnlargerError TASK_NOT_FOUND */
  restore(taskId: string): Task;
  /** Deletes a task for good. Resolves when its attempt has ended and its files are gone. */
  delete(taskId: string): Promise<void>;
  /** Call it after the number of slots rises. */
  wake(): void;
  /** No task starts until resume(), also across restarts. Running tasks continue. */
  pause(): void;
  resume(): void;
  readonly paused: boolean;
  /** Reason why no task starts although the queue is not paused. */
  readonly waits: QueueWait | undefined;
  /**
   * Called soon after counts, `paused` or `waits` change; changes are coalesced.
   * @returns the function that unsubscribes
   */
  onQueueChange(listener: () => void): () => void;
  readonly events: TaskEvents;
  /** Running tasks return to PENDING, at no cost to their attempts. */
  close(): Promise<void>;
}
