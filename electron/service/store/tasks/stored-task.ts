/** What the row of a task holds. Times named At are the wall clock's, those named On the service's own; ms. */
import type { TaskOperation } from '../../../contract/submit.ts';
import type {
  RanOn,
  TaskEstimate,
  TaskFailure,
  TaskOptions,
  TaskStatus,
  Mark,
} from '../../../contract/task.ts';
import type { JobReport, SourceInspection } from '../../../engine/protocol.ts';

/** Where a task's bytes come from. `data` and `upload` are files of the data folder. */
export type StoredSource =
  | { kind: 'url'; url: string }
  | {
      kind: 'data' | 'upload';
      path: string;
      name: string;
      uploadId?: string;
      /** The task whose result it is. */
      ofTaskId?: string;
    }
  | { kind: 'file'; path: string };

/**
 * What is known of a picture before, or without, its end: what its head said, why it cannot be, what its own try
 * told before it failed; or nothing, because the picture is elsewhere.
 */
export type Look =
  { picture: SourceInspection } | { problem: TaskFailure } | { told: TaskEstimate } | { not: true };

/** What a finished task says of itself. */
export interface TaskReport extends Omit<JobReport, 'ran' | 'tiles'> {
  /** The networks that ran, in order, joined by a comma; absent where none did. */
  model?: string;
  /** Another machine; absent: this one. */
  ranOn?: RanOn;
  /** What was told before the network started. */
  estimate?: TaskEstimate;
}

/** The published files: names inside the task's result folder, and their content types. */
export interface ResultFiles {
  image: { name: string; type: string };
  thumb: { name: string; type: string };
}

export interface StoredTask {
  /** The order of arrival. */
  readonly seq: number;
  readonly taskId: string;
  /** Which photo it is a version of. */
  readonly photo: string;
  readonly operation: TaskOperation;
  readonly status: TaskStatus;
  readonly priority: number;
  /** A sparse key: only its order within a priority means something. */
  readonly placeKey: number;
  readonly source: StoredSource;
  /** Whether the source's file is still kept for this task. */
  readonly holdsSource: boolean;
  readonly options: TaskOptions;
  readonly attempts: number;
  readonly engineDeaths: number;
  readonly serviceDeaths: number;
  readonly createdAt: number;
  /** When it last began to wait by a submit or a retry. */
  readonly queuedOn: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly expiresOn?: number;
  readonly look?: Look;
  readonly report?: TaskReport;
  readonly files?: ResultFiles;
  /** The file in a person's own folder that this task will write, written, or was about to when it stopped. */
  readonly savePath?: string;
  readonly savedTo?: string;
  /** When a client told that the result was taken. */
  readonly takenAt?: number;
  /** What a person said of the result. */
  readonly mark?: Mark;
  readonly error?: TaskFailure;
  /** Its row cannot be read whole, so it is shown as FAILED whatever the row says. */
  readonly isDamaged?: true;
}

/** What a task is to do. */
export type TaskWork = Pick<StoredTask, 'operation' | 'options'>;

/** What is written down beside a result: enough to make a row of. */
export type ResultMemo = Pick<
  StoredTask,
  'taskId' | 'photo' | 'operation' | 'source' | 'options' | 'attempts' | 'createdAt' | 'savedTo'
> &
  Required<Pick<StoredTask, 'report' | 'files' | 'endedAt'>>;
