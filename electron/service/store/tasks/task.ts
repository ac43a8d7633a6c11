/**
 * A task as the service knows it, equal to its row. Times named …At are wall clock, those named …On service
 * clock; both in milliseconds.
 */
import type { ConflictRule, TaskOperation } from '../../../../packages/contract/src/request.ts';
import type {
  RanOn,
  TaskEstimate,
  TaskFailure,
  TaskOptions,
  TaskStatus,
  Mark,
  FolderProblem,
} from '../../../../packages/contract/src/task.ts';
import type { JobReport, SourceInspection } from '../../../engine/protocol/messages.ts';

/** Origin of a task's bytes. Those of `data` and `upload` are files in the data folder. */
export type TaskSource = SourceOrigin & {
  /**
   * Absolute paths that only this task may read and write, in addition to the granted folders of the
   * settings. They live as long as the row, and so outlive the process that submitted the task.
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
  | {
      kind: 'file';
      path: string;
      /** Watch that submitted the file, or the version of it that this one comes from. */
      watchId?: string;
    };

/**
 * What is known of the picture before or without a successful end: header data, why it is unreadable, or the
 * estimate of a failed attempt; `not` if nothing is known, because the picture is on another server. The
 * row's JSON has these names.
 */
export type Inspection =
  | { picture: SourceInspection }
  | { problem: TaskFailure }
  | { told: TaskEstimate }
  | { not: true };

/** A result is for a person's folder as one of its photo's versions, of which the folder holds the one that counts. */
export interface Placement {
  /** Absolute. */
  folder: string;
  /** Name template that it was saved with. */
  name?: string;
  problem?: FolderProblem;
  /** It counts only while it is accepted. */
  onlyAccepted?: true;
  /** It is put in by itself, by this rule, whatever other versions there are, and is never taken out. */
  onConflict?: ConflictRule;
}

/** The report of a finished task. */
export interface TaskReport extends Omit<JobReport, 'ran' | 'tiles'> {
  /** Networks that ran, in order, joined by commas; absent if none ran. */
  model?: string;
  /** Set if another machine ran the task. */
  ranOn?: RanOn;
  /** The estimate made before the network started. */
  estimate?: TaskEstimate;
}

/** File names in the task's result folder, with media types. */
export interface ResultFiles {
  image: { name: string; type: string };
  thumb: { name: string; type: string };
}

export interface Task {
  /** Number in order of arrival. */
  readonly seq: number;
  readonly taskId: string;
  /** Id of the photo that the task is a version of. */
  readonly photo: string;
  readonly operation: TaskOperation;
  readonly status: TaskStatus;
  readonly priority: number;
  /** Key of the submit; absent for tasks of the service itself. */
  readonly keyId?: string;
  /** Sparse sort key within a priority. */
  readonly sortKey: number;
  readonly source: TaskSource;
  /** True while the source's file is kept for this task. */
  readonly holdsSource: boolean;
  readonly options: TaskOptions;
  readonly attempts: number;
  readonly engineDeaths: number;
  readonly serviceDeaths: number;
  readonly createdAt: number;
  /** Last submit or retry. */
  readonly queuedOn: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Expiry of the result, or of a failed task's source. */
  readonly expiresOn?: number;
  readonly inspection?: Inspection;
  readonly report?: TaskReport;
  readonly files?: ResultFiles;
  /**
   * Path in a person's folder that is written to, was written, or was about to be when the service stopped.
   */
  readonly savePath?: string;
  readonly savedTo?: string;
  /** Absent for a result that is only kept, or was saved by itself. */
  readonly placement?: Placement;
  /** When a client reported that the result was taken. */
  readonly takenAt?: number;
  /** A person's mark of the result. */
  readonly mark?: Mark;
  readonly error?: TaskFailure;
  /** Set if the row is unreadable; the task is then shown as FAILED. */
  readonly isDamaged?: true;
}

/** A task with its result. */
export interface FinishedTask extends Task {
  readonly files: ResultFiles;
  readonly report: TaskReport;
}

export const isFinished = (task: Task): task is FinishedTask =>
  task.status === 'FINISHED' && task.files !== undefined && task.report !== undefined;

export type TaskWork = Pick<Task, 'operation' | 'options'>;

/** New options of a waiting task, with the key whose rights its callback has; absent: as before. */
export type ChangedWork = TaskWork & Pick<Task, 'keyId'>;

/** The manifest beside a result: enough to restore its row. */
export type ResultManifest = Pick<
  Task,
  'taskId' | 'photo' | 'operation' | 'source' | 'options' | 'attempts' | 'createdAt' | 'savedTo'
> &
  Required<Pick<Task, 'report' | 'files' | 'endedAt'>>;
