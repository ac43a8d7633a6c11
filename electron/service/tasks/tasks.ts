/** The queue of tasks as the rest of the service calls it, and what it tells of their changes. */
import type {
  Mark,
  StatusCounts,
  TaskListQuery,
  TaskPatch,
  TaskStatus,
} from '../../contract/task.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import type { Task, TaskWork } from '../store/tasks/task.ts';
import type { SeenFile } from '../store/watches.ts';
import type { Progress } from './running/live-progress.ts';

/** A submit asks for this. Without a photo it is a version of the one of its source. */
export interface NewTask extends TaskWork, Pick<Task, 'source' | 'priority'> {
  photo?: string | undefined;
  /** This file of a watched folder is enlarged; it is noted as seen in the same transaction. */
  seen?: Omit<SeenFile, 'taskId' | 'status'>;
}

export interface TaskSpot {
  place?: TaskPatch['place'] | undefined;
  priority?: number | undefined;
}

interface TaskChanged {
  /** The id rises with each change of any task, also over restarts. */
  readonly eventId?: number;
  /** The task is as it was right after the change. */
  readonly task: Task;
  readonly removed?: true;
  readonly isProgress?: never;
}

/** A further percent changes only this of a running task. */
export type Running = Progress & Pick<Task, 'taskId' | 'status'>;

/** Nothing changed but how far the task is. */
interface TaskProgressed {
  readonly eventId?: never;
  readonly task: Running;
  readonly removed?: never;
  readonly isProgress: true;
}

export type TaskEvent = TaskChanged | TaskProgressed;

/** A task changed while nobody listened: it is told as it is now, or as gone. */
export type MissedChange =
  { eventId: number; task: Task } | { eventId: number; taskId: string; removedAs: TaskStatus };

export interface TaskEvents {
  /**
   * Tells every change of one task, or of all, in the order in which they happened; progress too. The listener is
   * called synchronously. The answer is the function that ends it.
   */
  subscribe(taskId: string | undefined, listener: (event: TaskEvent) => void): () => void;
  /** Answers what changed after an event, in order and at most so many; undefined when that is not known any more. */
  since(eventId: number, limit: number): MissedChange[] | undefined;
}

export interface QueueWait {
  /** The sentence is for people. */
  message: string;
  /** The next try is at this moment of the wall clock, in milliseconds. */
  againAt: number;
}

export interface Tasks {
  /** Starts taking tasks, and sweeping. What a former process left open was settled before. */
  start(): void;
  /**
   * The row is on disk when this returns; those that come at the same moment share one write. A `data` source's
   * file is the queue's from this call on, also when it throws. Throws QUEUE_FULL, CONFLICT (another body under
   * the same idempotency key), STORAGE_FULL, INVALID_REQUEST (its upload is gone), SHUTTING_DOWN.
   */
  submit(task: NewTask, idempotency?: IdempotentSubmit): Promise<Task>;
  get(taskId: string): Task | undefined;
  /** Tells how far a task is: 100 when it is FINISHED, 0 while it waits. The number never goes back while it runs. */
  progressOf(task: Task): Progress;
  /** Tells whether the result (or, of a failed task, its source) is gone by the service's clock. */
  isExpired(task: Task): boolean;
  /** Lists the newest first. Throws INVALID_REQUEST for a cursor that is none. */
  list(query: TaskListQuery): { rows: Task[]; nextCursor?: string };
  counts(): StatusCounts;
  /** Answers a waiting task's place from 1; undefined for a task that does not wait. */
  placeOf(task: Task): number | undefined;
  /** This call and the two below throw TASK_NOT_FOUND, and CONFLICT when the task's status does not allow it. */
  cancel(taskId: string): Task;
  /** Throws RESULT_EXPIRED as well. */
  retry(taskId: string): Task;
  move(taskId: string, patch: TaskSpot): Task;
  /**
   * Changes what a waiting task is to do, and its place, in one step: no attempt sees the half of it. It throws
   * CONFLICT also when the task is no longer asked to do what it was `before`.
   */
  change(taskId: string, before: TaskWork, after: TaskWork, spot: TaskSpot): Task;
  /** Notes where the result was saved after the task's end. Throws CONFLICT when the task is not finished. */
  noteSaved(taskId: string, savedTo: string): void;
  /** Notes that a person took the result. Throws CONFLICT when the task is not finished. */
  noteTaken(taskId: string): void;
  /** Notes what a person said of the result; null takes it away. Throws CONFLICT for a task without a result. */
  noteMark(taskId: string, mark: Mark | null): Task;
  /** Removes a task at once, and its files a minute later; what runs for it is stopped. */
  remove(taskId: string): void;
  /** Brings back a task that was removed less than a minute ago. Throws TASK_NOT_FOUND. */
  restore(taskId: string): Task;
  /** Deletes a task for good. It returns when the files are gone too; what runs for the task is stopped first. */
  delete(taskId: string): Promise<void>;
  /** Tells that more tasks may be in flight than before. */
  wake(): void;
  /** Takes no new tasks; running ones go on to their end. A pause outlives restarts. */
  pause(): void;
  resume(): void;
  readonly paused: boolean;
  /** This is why nothing begins though the queue is not paused. */
  readonly waits: QueueWait | undefined;
  /**
   * Calls the listener soon after counts, `paused` or `waits` changed; many changes at a time are told once. The
   * answer is the function that ends it.
   */
  onQueueChange(listener: () => void): () => void;
  readonly events: TaskEvents;
  /** Ends the queue within its grace. Running tasks go back to PENDING, which counts against nothing. */
  close(): Promise<void>;
}
