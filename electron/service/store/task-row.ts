/** A task as it is stored: the row's shape in camelCase, and how it is read from SQLite. */
import type { ResultFiles, StoredTask, TaskReport } from './stored-task.ts';
import type { TaskOperation } from '../../contract/submit.ts';
import type { TaskOptions, TaskStatus } from '../../contract/task.ts';
import type { StoredSource } from './stored-task.ts';

/** The columns as SQLite gives them. */
export interface RawTask {
  seq: number;
  task_id: string;
  /** Null in rows from before photos had ids. */
  photo: string | null;
  operation: TaskOperation;
  status: TaskStatus;
  priority: number;
  place: number;
  source: string;
  holds_source: number;
  options: string;
  attempts: number;
  engine_deaths: number;
  service_deaths: number;
  created_at: number;
  queued_on: number;
  started_at: number | null;
  ended_at: number | null;
  expires_on: number | null;
  report: string | null;
  files: string | null;
  save_path: string | null;
  saved_to: string | null;
  taken_at: number | null;
  error_code: string | null;
  error_message: string | null;
}

export function toStoredTask(raw: RawTask): StoredTask {
  return {
    seq: raw.seq,
    taskId: raw.task_id,
    photo: raw.photo ?? raw.task_id,
    operation: raw.operation,
    status: raw.status,
    priority: raw.priority,
    placeKey: raw.place,
    source: JSON.parse(raw.source) as StoredSource,
    holdsSource: raw.holds_source === 1,
    options: JSON.parse(raw.options) as TaskOptions,
    attempts: raw.attempts,
    engineDeaths: raw.engine_deaths,
    serviceDeaths: raw.service_deaths,
    createdAt: raw.created_at,
    queuedOn: raw.queued_on,
    ...present('startedAt', raw.started_at),
    ...present('endedAt', raw.ended_at),
    ...present('expiresOn', raw.expires_on),
    ...present('savePath', raw.save_path),
    ...present('savedTo', raw.saved_to),
    ...present('takenAt', raw.taken_at),
    ...(raw.report === null ? {} : { report: JSON.parse(raw.report) as TaskReport }),
    ...(raw.files === null ? {} : { files: JSON.parse(raw.files) as ResultFiles }),
    ...(raw.error_code === null
      ? {}
      : { error: { code: raw.error_code, message: raw.error_message ?? '' } }),
  };
}

function present<Name extends string, T>(name: Name, value: T | null): { [K in Name]?: T } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: T });
}
