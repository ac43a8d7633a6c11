/** The table of tasks: inserting, reading, listing, counting, and what retention needs of it. */
import type { Mark, StatusCounts, TaskStatus } from '../../../contract/task.ts';
import { createLooks, type Looks } from './looks.ts';
import { createRemovedTasks, type RemovedTasks } from './removed.ts';
import { storing, writeRow, type Connection } from '../connection.ts';
import type { ResultMemo, StoredTask, TaskWork } from './stored-task.ts';
import { createTaskOrder, endPlace, type TaskOrder } from './order.ts';
import { taskOf, type TaskRow } from './row.ts';
import { createTaskTransitions, type TaskTransitions } from './transitions.ts';

/** What a submit makes of a row. */
type TaskInsert = TaskWork &
  Pick<StoredTask, 'taskId' | 'photo' | 'source' | 'priority' | 'createdAt' | 'queuedOn'>;

type AdoptedTask = ResultMemo &
  Pick<StoredTask, 'queuedOn'> &
  Required<Pick<StoredTask, 'expiresOn'>>;

/** Page of a list: newest first. `before` is the seq of the last row of the page before. */
interface TaskPage {
  status?: TaskStatus | undefined;
  photo?: string | undefined;
  limit: number;
  before?: number | undefined;
}

export interface TaskTable extends TaskTransitions, TaskOrder, RemovedTasks, Looks {
  insert(task: TaskInsert): StoredTask;
  get(taskId: string): StoredTask | undefined;
  list(page: TaskPage): StoredTask[];
  counts(): StatusCounts;
  /** A finished task of which only the result was left. Undefined when what is known of it makes no row. */
  adopt(task: AdoptedTask): StoredTask | undefined;
  /**
   * What a waiting task is to do from now on; a path that a former attempt recorded means nothing then.
   * Undefined when it does not wait, or is no longer asked to do what it was `before`.
   */
  change(taskId: string, before: TaskWork, after: TaskWork): StoredTask | undefined;
  /** Commits where the result of this attempt is about to be saved, before it is. False when it is over. */
  recordSavePath(taskId: string, attempt: number, path: string | undefined): boolean;
  /** Where a finished task's result was saved after its end. Undefined when it is not finished. */
  noteSaved(taskId: string, savedTo: string): StoredTask | undefined;
  /** That its result was taken. Undefined when it is not finished. */
  noteTaken(taskId: string, takenAt: number): StoredTask | undefined;
  noteMark(taskId: string, mark: Mark | null): StoredTask | undefined;
  /** Ended tasks whose files are to go now: the service's clock reached their expiry. */
  expired(nowOn: number, limit: number): StoredTask[];
  /** Their files are gone. */
  markSwept(taskId: string): void;
  /** Deletes rows that expired at or before the moment; answers how many. */
  drop(expiredOn: number, limit: number): number;
  /** Whether a task needs it, removed ones that can be restored included. */
  holdsFile(path: string): boolean;
}

export function createTaskTable(db: Connection): TaskTable {
  return {
    ...createTaskTransitions(db),
    ...createTaskOrder(db),
    ...createRemovedTasks(db),
    ...createLooks(db),
    ...prepareRows(db),
    ...prepareLists(db),
    ...prepareSweeping(db),
  };
}

function prepareRows(db: Connection) {
  const insert = db.prepare<[object], TaskRow>(
    `INSERT INTO tasks (task_id, photo, operation, status, priority, place, source, source_path, upload_id,
       options, created_at, queued_on)
     VALUES (@taskId, @photo, @operation, 'PENDING', @priority, ${endPlace('@priority')}, @source, @sourcePath,
       @uploadId, @options, @createdAt, @queuedOn) RETURNING *`,
  );
  const get = db.prepare<[string], TaskRow>('SELECT * FROM tasks WHERE task_id = ?');
  const adopt = db.prepare<[object], TaskRow>(
    `INSERT OR IGNORE INTO tasks (task_id, photo, operation, status, priority, place, source, holds_source, options,
       attempts, created_at, queued_on, ended_at, expires_on, report, files, saved_to)
     VALUES (@taskId, @photo, @operation, 'FINISHED', 0, 0, @source, 0, @options, @attempts, @createdAt, @queuedOn,
       @endedAt, @expiresOn, @report, @files, @savedTo) RETURNING *`,
  );
  const remove = db.prepare<[string]>('DELETE FROM tasks WHERE task_id = ?');
  const recordSavePath = db.prepare<[object]>(
    `UPDATE tasks SET save_path = @path
     WHERE task_id = @taskId AND attempts = @attempt AND status = 'PROCESSING'`,
  );
  const change = db.prepare<[object], TaskRow>(
    `UPDATE tasks SET operation = @operation, options = @options, save_path = NULL
     WHERE task_id = @taskId AND status = 'PENDING' AND operation = @wasOperation AND options = @wasOptions
     RETURNING *`,
  );
  const noteSaved = db.prepare<[object], TaskRow>(
    `UPDATE tasks SET saved_to = @savedTo WHERE task_id = @taskId AND status = 'FINISHED' RETURNING *`,
  );
  const noteTaken = db.prepare<[object], TaskRow>(
    `UPDATE tasks SET taken_at = @takenAt WHERE task_id = @taskId AND status = 'FINISHED' RETURNING *`,
  );
  const noteMark = db.prepare<[object], TaskRow>(
    `UPDATE tasks SET mark = @mark WHERE task_id = @taskId AND status = 'FINISHED' RETURNING *`,
  );
  const optional = (raw: TaskRow | undefined) => raw && taskOf(raw);
  return {
    insert(task: TaskInsert) {
      const raw = writeRow(insert, insertValues(task));
      if (!raw) throw new Error(`SQLite inserted task ${task.taskId} and answered no row.`);
      return taskOf(raw);
    },
    get: (taskId: string) => optional(get.get(taskId)),
    adopt(task: AdoptedTask) {
      const { source, options, report, files, savedTo = null } = task;
      const texts = { source, options, report, files };
      const raw = writeRow(adopt, { ...task, ...jsonOf(texts), savedTo });
      const adopted = optional(raw);
      if (!adopted?.isDamaged) return adopted;
      storing(() => remove.run(task.taskId));
      return undefined;
    },
    change: (taskId: string, before: TaskWork, after: TaskWork) =>
      optional(
        writeRow(change, {
          taskId,
          operation: after.operation,
          options: JSON.stringify(after.options),
          wasOperation: before.operation,
          wasOptions: JSON.stringify(before.options),
        }),
      ),
    noteSaved: (taskId: string, savedTo: string) =>
      optional(writeRow(noteSaved, { taskId, savedTo })),
    noteMark: (taskId: string, mark: Mark | null) => optional(writeRow(noteMark, { taskId, mark })),
    noteTaken: (taskId: string, takenAt: number) =>
      optional(writeRow(noteTaken, { taskId, takenAt })),
    recordSavePath: (taskId: string, attempt: number, path: string | undefined) =>
      storing(() => recordSavePath.run({ taskId, attempt, path: path ?? null })).changes === 1,
  };
}

const jsonOf = (values: Record<string, object>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

function insertValues(task: TaskInsert): object {
  const { source } = task;
  const held = source.kind === 'data' || source.kind === 'upload' ? source : undefined;
  return {
    ...task,
    source: JSON.stringify(source),
    options: JSON.stringify(task.options),
    sourcePath: held?.path ?? null,
    uploadId: held?.uploadId ?? null,
  };
}

function prepareLists(db: Connection) {
  const all = db.prepare<[object], TaskRow>(
    'SELECT * FROM tasks WHERE seq < @before ORDER BY seq DESC LIMIT @limit',
  );
  const ofPhoto = db.prepare<[object], TaskRow>(
    `SELECT * FROM tasks WHERE photo = @photo AND photo IS NOT NULL AND seq < @before
       AND (@status IS NULL OR status = @status) ORDER BY seq DESC LIMIT @limit`,
  );
  const byStatus = db.prepare<[object], TaskRow>(
    'SELECT * FROM tasks WHERE status = @status AND seq < @before ORDER BY seq DESC LIMIT @limit',
  );
  const counts = db.prepare<[], { status: TaskStatus; n: number }>(
    'SELECT status, n FROM status_counts',
  );
  return {
    list({ status, photo, limit, before = Number.MAX_SAFE_INTEGER }: TaskPage) {
      const found =
        photo === undefined
          ? (status ? byStatus : all).all({ status, limit, before })
          : ofPhoto.all({ photo, status: status ?? null, limit, before });
      return found.map(taskOf);
    },
    counts(): StatusCounts {
      const found = { PENDING: 0, PROCESSING: 0, FINISHED: 0, FAILED: 0 };
      for (const { status, n } of counts.all()) found[status] = n;
      return found;
    },
  };
}

function prepareSweeping(db: Connection) {
  const expired = db.prepare<[object], TaskRow>(
    `SELECT * FROM tasks WHERE swept = 0 AND expires_on <= @nowOn ORDER BY expires_on LIMIT @limit`,
  );
  const markSwept = db.prepare<[string]>(
    `UPDATE tasks SET swept = 1, holds_source = 0
     WHERE task_id = ? AND status IN ('FINISHED', 'FAILED')`,
  );
  const drop = db.prepare<[object]>(
    `DELETE FROM tasks WHERE seq IN (
       SELECT seq FROM tasks WHERE swept = 1 AND expires_on <= @expiredOn LIMIT @limit)`,
  );
  const holdsFile = db
    .prepare<[object], number>(
      `SELECT 1 FROM tasks WHERE source_path = @path AND holds_source = 1 AND source_path IS NOT NULL
       UNION ALL SELECT 1 FROM removed_tasks WHERE source_path = @path AND source_path IS NOT NULL LIMIT 1`,
    )
    .pluck();
  return {
    expired: (nowOn: number, limit: number) => expired.all({ nowOn, limit }).map(taskOf),
    markSwept: (taskId: string) => void storing(() => markSwept.run(taskId)),
    drop: (expiredOn: number, limit: number) =>
      storing(() => drop.run({ expiredOn, limit })).changes,
    holdsFile: (path: string) => holdsFile.get({ path }) === 1,
  };
}
