/**
 * A task as it is stored: the row's shape in camelCase, and how it is read from SQLite. What cannot be read of a
 * row is its own fault alone: it is shown as one that failed, and every other row as it is.
 */
import { isObject, readObject, type JsonObject } from '../read-json.ts';
import type { Look, ResultFiles, StoredSource, StoredTask, TaskReport } from './stored-task.ts';
import type { TaskOperation } from '../../../contract/submit.ts';
import type { Mark, TaskOptions, TaskStatus } from '../../../contract/task.ts';

/** The columns as SQLite gives them. */
export interface TaskRow {
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
  mark: Mark | null;
  error_code: string | null;
  error_message: string | null;
  look: string | null;
}

export function taskOf(raw: TaskRow): StoredTask {
  const source = readColumn<StoredSource>(raw.source, isSource);
  const options = readOptions(raw.options);
  const report = readColumn<TaskReport>(raw.report, isReport);
  const files = readColumn<ResultFiles>(raw.files, isFiles);
  const look = readObject(raw.look) as Look | undefined;
  const isDamaged =
    !source ||
    !options ||
    (raw.report !== null && !report) ||
    (raw.status === 'FINISHED' && !files);
  const task = {
    seq: raw.seq,
    taskId: raw.task_id,
    photo: raw.photo ?? raw.task_id,
    operation: raw.operation,
    status: raw.status,
    priority: raw.priority,
    placeKey: raw.place,
    source: source ?? unknownSource,
    holdsSource: raw.holds_source === 1,
    options: options ?? unknownOptions,
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
    ...present('mark', raw.mark),
    ...(report && { report }),
    ...(look && { look }),
    ...(files && { files }),
    ...(raw.error_code !== null && {
      error: { code: raw.error_code, message: raw.error_message ?? '' },
    }),
  };
  return isDamaged ? { ...task, status: 'FAILED', error: damaged, isDamaged } : task;
}

/** Undefined where they cannot be read. */
export const readOptions = (text: string) => readColumn<TaskOptions>(text, isOptions);

/** What a row says that cannot be read. */
export const damaged = {
  code: 'INTERNAL',
  message:
    'What Enlarger stored of this task is damaged and cannot be read, so the task cannot run or be shown. ' +
    'Remove it, and add the photo again.',
} as const;

const unknownSource: StoredSource = { kind: 'url', url: 'damaged:' };

const unknownOptions: TaskOptions = {
  model: '',
  format: 'same',
  formatChosen: false,
  bitDepth: 'same',
  metadata: 'keep',
};

/** The value; undefined where there is none, or one of another shape. */
function readColumn<T extends object>(
  text: string | null,
  is: (value: JsonObject & Partial<T>) => boolean,
): T | undefined {
  const value = readObject(text);
  return value && is(value as JsonObject & Partial<T>) ? (value as T) : undefined;
}

function isSource(value: JsonObject): boolean {
  if (value.kind === 'url') return typeof value.url === 'string';
  if (value.kind === 'file') return typeof value.path === 'string';
  const isOwn = value.kind === 'data' || value.kind === 'upload';
  return isOwn && typeof value.path === 'string' && typeof value.name === 'string';
}

const isText = (value: unknown) => typeof value === 'string';
const isOptional = (value: unknown, type: string) => value === undefined || typeof value === type;

/** What another version added or did not know yet is no damage. */
function isOptions(value: JsonObject): boolean {
  const texts = ['format', 'metadata', 'saveTo', 'name'];
  return (
    isText(value.model) &&
    texts.every((field) => isOptional(value[field], 'string')) &&
    isOptional(value.scale, 'number')
  );
}

function isReport(value: JsonObject): boolean {
  return isObject(value.timings) && Array.isArray(value.notes);
}

function isFiles(value: JsonObject): boolean {
  return isFile(value.image) && isFile(value.thumb);
}

const isFile = (value: unknown) => isObject(value) && isText(value.name) && isText(value.type);

function present<Name extends string, T>(name: Name, value: T | null): { [K in Name]?: T } {
  return value === null ? {} : ({ [name]: value } as { [K in Name]: T });
}
