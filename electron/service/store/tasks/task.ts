/**
 * The service knows a task by what its row holds. Times named At are the wall clock's, those named On are the
 * service's own; both are in milliseconds.
 */
import type { TaskOperation } from '../../../contract/request.ts';
import type {
  RanOn,
  TaskEstimate,
  TaskFailure,
  TaskOptions,
  TaskStatus,
  Mark,
} from '../../../contract/task.ts';
import type { JobReport, SourceInspection } from '../../../engine/protocol/messages.ts';

/** A task's bytes come from here. Those of `data` and `upload` are files of the data folder. */
export type TaskSource = SourceOrigin & {
  /**
   * Absolute paths that this task may read and write beside those that the settings grant. They are granted to
   * nothing else, live as long as the task's row, and so outlive the process that submitted the task.
   */
  grants?: readonly string[];
};

type SourceOrigin =
  | { kind: 'url'; url: string }
  | {
      kind: 'data' | 'upload';
      path: string;
      name: string;
      uploadId?: string;
      /** The bytes are the result of this task. */
      ofTaskId?: string;
    }
  | { kind: 'file'; path: string };

/**
 * Before, or without, a task's end this is known of its picture: what its head said, why it cannot be read, what its
 * own try told before it failed; or nothing, because the picture is elsewhere.
 */
export type Look =
  { picture: SourceInspection } | { problem: TaskFailure } | { told: TaskEstimate } | { not: true };

/** A finished task says this of itself. */
export interface TaskReport extends Omit<JobReport, 'ran' | 'tiles'> {
  /** The networks that ran, in order, are joined by a comma; the field is absent where none did. */
  model?: string;
  /** Another machine ran the task; the field is absent where this one did. */
  ranOn?: RanOn;
  /** This was told before the network started. */
  estimate?: TaskEstimate;
}

/** The published files are named inside the task's result folder, with their content types. */
export interface ResultFiles {
  image: { name: string; type: string };
  thumb: { name: string; type: string };
}

export interface Task {
  /** Tasks are numbered in the order of their arrival. */
  readonly seq: number;
  readonly taskId: string;
  /** The task is a version of this photo. */
  readonly photo: string;
  readonly operation: TaskOperation;
  readonly status: TaskStatus;
  readonly priority: number;
  /** The key is sparse: only its order within a priority means something. */
  readonly placeKey: number;
  readonly source: TaskSource;
  /** The source's file is still kept for this task. */
  readonly holdsSource: boolean;
  readonly options: TaskOptions;
  readonly attempts: number;
  readonly engineDeaths: number;
  readonly serviceDeaths: number;
  readonly createdAt: number;
  /** A submit or a retry made the task wait at this moment. */
  readonly queuedOn: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The result, or a failed task's source, goes at this moment. */
  readonly expiresOn?: number;
  readonly look?: Look;
  readonly report?: TaskReport;
  readonly files?: ResultFiles;
  /** The task will write this file of a person's own folder, has written it, or was about to when it stopped. */
  readonly savePath?: string;
  readonly savedTo?: string;
  /** A client told at this moment that the result was taken. */
  readonly takenAt?: number;
  /** A person said this of the result. */
  readonly mark?: Mark;
  readonly error?: TaskFailure;
  /** The row cannot be read whole, so the task is shown as FAILED whatever the row says. */
  readonly isDamaged?: true;
}

/** A task that has its result. */
export interface FinishedTask extends Task {
  readonly files: ResultFiles;
  readonly report: TaskReport;
}

export const isFinished = (task: Task): task is FinishedTask =>
  task.status === 'FINISHED' && task.files !== undefined && task.report !== undefined;

/** What a task is to do. */
export type TaskWork = Pick<Task, 'operation' | 'options'>;

/** What is written down beside a result is enough to make a row of. */
export type ResultMemo = Pick<
  Task,
  'taskId' | 'photo' | 'operation' | 'source' | 'options' | 'attempts' | 'createdAt' | 'savedTo'
> &
  Required<Pick<Task, 'report' | 'files' | 'endedAt'>>;
