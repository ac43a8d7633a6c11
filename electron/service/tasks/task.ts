/** A task as the rest of the service sees it: what is stored, and what is only known while the service runs. */
import type {
  Mark,
  StatusCounts,
  TaskListQuery,
  TaskPatch,
  TaskStatus,
} from '../../contract/task.ts';
import type { ServiceClock } from '../clock.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import type { ResultFiles, StoredTask, TaskReport, TaskWork } from '../store/tasks/stored-task.ts';
import type { SeenFile } from '../store/watches.ts';
import type { LiveProgress, Progress } from './running/live-progress.ts';
import { rowsKeptMs } from './retention/sweeper.ts';

/** Its progress is 100 when it is FINISHED, and 0 while it waits. It never goes back while the service runs it. */
export interface Task extends StoredTask, Progress {
  /** Whether its result (or, of a failed one, its source) is gone by the service's clock. */
  readonly expired: boolean;
  /** When that is, as the wall clock will show it; milliseconds. */
  readonly expiresAt?: number;
}

/** One that has its result. */
export interface FinishedTask extends Task {
  readonly files: ResultFiles;
  readonly report: TaskReport;
}

export const isFinished = (task: Task): task is FinishedTask =>
  task.status === 'FINISHED' && task.files !== undefined && task.report !== undefined;

export interface TaskViews {
  of(task: StoredTask): Task;
  /** Whether the row's days are over too, though no sweep has deleted it yet. */
  isGone(task: StoredTask): boolean;
}

export function createTaskViews(clock: ServiceClock, live: LiveProgress): TaskViews {
  return {
    of(task) {
      const { expiresOn } = task;
      return Object.freeze({
        ...task,
        ...progressOf(task, live),
        expired: expiresOn !== undefined && expiresOn <= clock.nowMs(),
        ...(expiresOn === undefined ? {} : { expiresAt: clock.toWallMs(expiresOn) }),
      });
    },
    isGone: ({ expiresOn }) => expiresOn !== undefined && expiresOn + rowsKeptMs <= clock.nowMs(),
  };
}

function progressOf({ status, taskId }: StoredTask, live: LiveProgress): Progress {
  if (status === 'PROCESSING') return live.of(taskId);
  return { progress: status === 'FINISHED' ? 100 : 0 };
}

/** What a submit asks for. Without a photo it is a version of the one of its source. */
export interface NewTask extends TaskWork, Pick<StoredTask, 'source' | 'priority'> {
  photo?: string | undefined;
  /** The file of a watched folder that it is for; noted as seen in the same transaction. */
  seen?: Omit<SeenFile, 'taskId' | 'status'>;
}

export interface TaskSpot {
  place?: TaskPatch['place'] | undefined;
  priority?: number | undefined;
}

interface TaskChanged {
  /** Rises with each change of any task, also over restarts. */
  readonly eventId?: number;
  /** The task as it was right after the change. */
  readonly task: Task;
  readonly removed?: true;
  readonly isProgress?: never;
}

/** All that a percent changes of a running task. */
export type Running = Progress & Pick<Task, 'taskId' | 'status'>;

/** Nothing but how far it is changed. */
interface TaskProgressed {
  readonly eventId?: never;
  readonly task: Running;
  readonly removed?: never;
  readonly isProgress: true;
}

export type TaskEvent = TaskChanged | TaskProgressed;

/** A task that changed while nobody listened, as it is now; or that it is gone. */
export type MissedChange =
  { eventId: number; task: Task } | { eventId: number; taskId: string; removedAs: TaskStatus };

export interface TaskEvents {
  /**
   * Every change of one task, or of all, in the order in which they happened; progress too. Called
   * synchronously. Answers the function that ends it.
   */
  subscribe(taskId: string | undefined, listener: (event: TaskEvent) => void): () => void;
  /** What changed after an event, in order, at most so many; undefined when that is not known any more. */
  since(eventId: number, limit: number): MissedChange[] | undefined;
}

export interface QueueWait {
  /** For people. */
  message: string;
  /** By the wall clock, in milliseconds. */
  againAt: number;
}

export interface Tasks {
  /** Starts taking tasks, and sweeping. What a former process left open is settled before. */
  start(): void;
  /**
   * The row is on disk when this returns; those that come at the same moment share one write. A `data` source's
   * file is the queue's from this call on, also when it throws. Throws QUEUE_FULL, CONFLICT (another body under
   * the same idempotency key), STORAGE_FULL, INVALID_REQUEST (its upload is gone), SHUTTING_DOWN.
   */
  submit(task: NewTask, idempotency?: IdempotentSubmit): Promise<Task>;
  get(taskId: string): Task | undefined;
  /** Newest first. Throws INVALID_REQUEST for a cursor that is none. */
  list(query: TaskListQuery): { rows: Task[]; nextCursor?: string };
  counts(): StatusCounts;
  /** From 1; undefined for a task that does not wait. */
  placeOf(task: Task): number | undefined;
  /** Throw TASK_NOT_FOUND, and CONFLICT when the task's status does not allow it. */
  cancel(taskId: string): Task;
  /** Throws RESULT_EXPIRED too. */
  retry(taskId: string): Task;
  move(taskId: string, patch: TaskSpot): Task;
  /**
   * What a waiting task is to do from now on, and its place, in one step: no attempt sees the half of it.
   * CONFLICT too when it is no longer asked to do what it was `before`.
   */
  change(taskId: string, before: TaskWork, after: TaskWork, spot: TaskSpot): Task;
  /** Where its result was saved after its end; CONFLICT when it is not finished. */
  noteSaved(taskId: string, savedTo: string): void;
  /** That a person took its result; CONFLICT when it is not finished. */
  noteTaken(taskId: string): void;
  /** What a person said of the result; null takes it away. Throws CONFLICT for a task without one. */
  noteMark(taskId: string, mark: Mark | null): Task;
  /** It is gone at once, and its files a minute later; what runs for it is stopped. */
  remove(taskId: string): void;
  /** Brings back what was removed less than a minute ago. Throws TASK_NOT_FOUND. */
  restore(taskId: string): Task;
  /** For good. Returns when its files are gone too; what runs for it is stopped first. */
  delete(taskId: string): Promise<void>;
  /** Tells that more tasks may be in flight than before. */
  wake(): void;
  /** Running tasks go on to their end; no new ones are taken. Outlives restarts. */
  pause(): void;
  resume(): void;
  readonly paused: boolean;
  /** Why nothing begins though it is not paused. */
  readonly waits: QueueWait | undefined;
  /**
   * Told soon after counts, `paused` or `waits` changed; many changes at a time are told once. Answers the
   * function that ends it.
   */
  onQueueChange(listener: () => void): () => void;
  readonly events: TaskEvents;
  /** Running tasks go back to PENDING, which counts against nothing. Takes no longer than the grace. */
  close(): Promise<void>;
}
