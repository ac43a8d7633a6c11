/**
 * Reads tasks from SQLite, with columns selected under the fields' names. An unreadable row is shown as a
 * failed task and affects no other.
 */
import { type Columns, isObject, type JsonObject, readObject, rowOf } from '../columns.ts';
import { runWrite, type SqliteConnection } from '../connection.ts';
import type { Inspection, Placement, ResultFiles, Task, TaskReport, TaskSource } from './task.ts';
import type { TaskOptions } from '../../../../packages/contract/src/task.ts';

/** Fields stored as JSON. */
type JsonField = 'source' | 'options' | 'report' | 'files' | 'inspection' | 'placement';
type PlainTask = Omit<Task, JsonField | 'holdsSource' | 'error' | 'isDamaged'>;

/** Row form, as `taskColumns` selects it. */
type TaskColumns = Columns<PlainTask> & {
  source: string;
  options: string;
  report: string | null;
  files: string | null;
  inspection: string | null;
  placement: string | null;
  holdsSource: number;
  errorCode: string | null;
  errorMessage: string | null;
};

const columnOf: Readonly<Record<keyof TaskColumns, string>> = {
  seq: 'seq',
  taskId: 'task_id',
  // Rows older than photo ids have none.
  photo: 'coalesce(photo, task_id)',
  operation: 'operation',
  status: 'status',
  priority: 'priority',
  keyId: 'key_id',
  sortKey: 'place',
  source: 'source',
  holdsSource: 'holds_source',
  options: 'options',
  attempts: 'attempts',
  engineDeaths: 'engine_deaths',
  serviceDeaths: 'service_deaths',
  createdAt: 'created_at',
  queuedOn: 'queued_on',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  expiresOn: 'expires_on',
  report: 'report',
  files: 'files',
  savePath: 'save_path',
  savedTo: 'saved_to',
  placement: 'placement',
  takenAt: 'taken_at',
  mark: 'mark',
  errorCode: 'error_code',
  errorMessage: 'error_message',
  inspection: 'look',
};

/** Columns for SELECT and RETURNING. */
export const taskColumns = Object.entries(columnOf)
  .map(([field, column]) => `${column} AS ${field}`)
  .join(', ');

/** A statement that selects or returns `taskColumns`. Writes are committed when it returns. */
export interface TaskStatement {
  /** The first task, or undefined. */
  one(values?: object): Task | undefined;
  all(values?: object): Task[];
}

export function prepareTasks(db: SqliteConnection, sql: string): TaskStatement {
  const statement = db.prepare<object[], TaskColumns>(sql);
  const rowsOf = (values: object[]) => statement.all(...values);
  const all = (...values: object[]) =>
    (statement.readonly ? rowsOf(values) : runWrite(() => rowsOf(values))).map(taskOf);
  return { all, one: (...values: object[]) => all(...values).at(0) };
}

function taskOf(columns: TaskColumns): Task {
  const {
    source,
    options,
    report,
    files,
    inspection,
    placement,
    holdsSource,
    errorCode,
    errorMessage,
    ...plain
  } = columns;
  const read = {
    source: readColumn<TaskSource>(source, isSource),
    options: readOptions(options),
    report: readColumn<TaskReport>(report, isReport),
    files: readColumn<ResultFiles>(files, isFiles),
    inspection: readObject(inspection) as Inspection | undefined,
    placement: readColumn<Placement>(placement, ({ folder }) => isText(folder)),
  };
  const isDamaged =
    !read.source ||
    !read.options ||
    (report !== null && !read.report) ||
    (plain.status === 'FINISHED' && !read.files);
  return {
    ...rowOf<PlainTask>(plain),
    source: read.source ?? unknownSource,
    options: read.options ?? unknownOptions,
    holdsSource: holdsSource === 1,
    ...(read.report && { report: read.report }),
    ...(read.inspection && { inspection: read.inspection }),
    ...(read.placement && { placement: read.placement }),
    ...(read.files && { files: read.files }),
    ...(errorCode !== null && { error: { code: errorCode, message: errorMessage ?? '' } }),
    ...(isDamaged && { status: 'FAILED', error: damaged, isDamaged }),
  };
}

/** Returns undefined if the options cannot be read. */
export const readOptions = (text: string) => readColumn<TaskOptions>(text, isOptions);

/** Error of a task whose row cannot be read. */
export const damaged = {
  code: 'INTERNAL',
  message:
    'What Enlarger stored of this task is damaged and cannot be read, so the task cannot run or be shown. ' +
    'Remove it, and add the photo again.',
} as const;

const unknownSource: TaskSource = { kind: 'url', url: 'damaged:' };

const unknownOptions: TaskOptions = {
  model: '',
  format: 'same',
  formatChosen: false,
  bitDepth: 'same',
  metadata: 'keep',
};

/** Returns undefined for an absent value or one of another shape. */
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

/** Unknown and missing fields of other versions are accepted. */
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
