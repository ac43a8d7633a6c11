/** The tasks table: insert, read, list, count, retention. */
import type { Mark, StatusCounts, TaskStatus } from '../../../../packages/contract/src/task.ts';
import { createInspectionTable, type InspectionTable } from './inspections.ts';
import { createRemovedTasks, type RemovedTasks } from './removed.ts';
import { runWrite, type SqliteConnection } from '../connection.ts';
import type { ChangedWork, ResultManifest, Task, TaskWork } from './task.ts';
import { createTaskOrder, endPlace, type TaskOrder } from './order.ts';
import { prepareTasks, taskColumns } from './row.ts';
import { createPlacements, type PlacementTable } from './placements.ts';
import { createTaskTransitions, type TaskTransitions } from './transitions.ts';

/** Fields of a row that a submit fills. */
type TaskInsert = TaskWork &
  Pick<Task, 'taskId' | 'photo' | 'source' | 'priority' | 'keyId' | 'createdAt' | 'queuedOn'>;

type AdoptableTask = ResultManifest & Pick<Task, 'queuedOn'> & Required<Pick<Task, 'expiresOn'>>;

/** Newest first. `before` is the seq of the previous page's last row. */
interface TaskPage {
  status?: TaskStatus | undefined;
  photo?: string | undefined;
  limit: number;
  before?: number | undefined;
}

export interface TaskTable
  extends TaskTransitions, TaskOrder, RemovedTasks, InspectionTable, PlacementTable {
  insert(task: TaskInsert): Task;
  get(taskId: string): Task | undefined;
  list(page: TaskPage): Task[];
  counts(): StatusCounts;
  /**
   * Inserts a FINISHED task from a manifest, whose file in a person's folder is left alone, because marks are not in
   * manifests. Returns undefined if the manifest makes no valid row.
   */
  adopt(task: AdoptableTask): Task | undefined;
  /**
   * Sets operation and options of a waiting task, and clears its recorded export path. Returns undefined if
   * the task is not waiting or no longer equals `before`.
   */
  change(taskId: string, before: TaskWork, after: ChangedWork): Task | undefined;
  /** Commits the path before the attempt exports its result there. Returns false if the attempt is over. */
  recordSavePath(taskId: string, attempt: number, path: string | undefined): boolean;
  /** Records that the result was taken; undefined unless FINISHED. */
  noteTaken(taskId: string, takenAt: number): Task | undefined;
  noteMark(taskId: string, mark: Mark | null): Task | undefined;
  /** Ended tasks past their expiry whose files still exist. */
  expired(nowOn: number, limit: number): Task[];
  /** Called when the task's files are deleted. */
  markSwept(taskId: string): void;
  /** Deletes rows that expired up to `expiredOn`. @returns the number of rows */
  drop(expiredOn: number, limit: number): number;
  /** True if a task, or a removed task that can be restored, needs the file. */
  holdsFile(path: string): boolean;
}

export function createTaskTable(db: SqliteConnection): TaskTable {
  return {
    ...createTaskTransitions(db),
    ...createTaskOrder(db),
    ...createRemovedTasks(db),
    ...createInspectionTable(db),
    ...createPlacements(db),
    ...prepareRows(db),
    ...prepareLists(db),
    ...prepareSweeping(db),
  };
}

function prepareRows(db: SqliteConnection) {
  const insert = prepareTasks(
    db,
    `INSERT INTO tasks (task_id, photo, operation, status, priority, place, source, source_path, upload_id,
       options, key_id, created_at, queued_on)
     VALUES (@taskId, @photo, @operation, 'PENDING', @priority, ${endPlace('@priority')}, @source, @sourcePath,
       @uploadId, @options, @keyId, @createdAt, @queuedOn) RETURNING ${taskColumns}`,
  );
  const get = prepareTasks(db, `SELECT ${taskColumns} FROM tasks WHERE task_id = @taskId`);
  const adopt = prepareTasks(
    db,
    `INSERT OR IGNORE INTO tasks (task_id, photo, operation, status, priority, place, source, holds_source, options,
       attempts, created_at, queued_on, ended_at, expires_on, report, files, saved_to)
     VALUES (@taskId, @photo, @operation, 'FINISHED', 0, 0, @source, 0, @options, @attempts, @createdAt, @queuedOn,
       @endedAt, @expiresOn, @report, @files, @savedTo) RETURNING ${taskColumns}`,
  );
  const remove = db.prepare<[string]>('DELETE FROM tasks WHERE task_id = ?');
  const recordSavePath = db.prepare<[object]>(
    `UPDATE tasks SET save_path = @path
     WHERE task_id = @taskId AND attempts = @attempt AND status = 'PROCESSING'`,
  );
  const change = prepareTasks(
    db,
    `UPDATE tasks SET operation = @operation, options = @options, save_path = NULL,
       key_id = coalesce(@keyId, key_id)
     WHERE task_id = @taskId AND status = 'PENDING' AND operation = @wasOperation AND options = @wasOptions
     RETURNING ${taskColumns}`,
  );
  const noteTaken = prepareTasks(
    db,
    `UPDATE tasks SET taken_at = @takenAt WHERE task_id = @taskId AND status = 'FINISHED' RETURNING ${taskColumns}`,
  );
  const noteMark = prepareTasks(
    db,
    `UPDATE tasks SET mark = @mark WHERE task_id = @taskId AND status = 'FINISHED' RETURNING ${taskColumns}`,
  );
  return {
    insert(task: TaskInsert) {
      const inserted = insert.one(insertValues(task));
      if (!inserted) throw new Error(`SQLite inserted task ${task.taskId} and answered no row.`);
      return inserted;
    },
    get: (taskId: string) => get.one({ taskId }),
    adopt(task: AdoptableTask) {
      const { source, options, report, files, savedTo = null } = task;
      const texts = { source, options, report, files };
      const adopted = adopt.one({ ...task, ...jsonOf(texts), savedTo });
      if (!adopted?.isDamaged) return adopted;
      runWrite(() => remove.run(task.taskId));
      return undefined;
    },
    change: (taskId: string, before: TaskWork, after: ChangedWork) =>
      change.one({
        taskId,
        operation: after.operation,
        options: JSON.stringify(after.options),
        keyId: after.keyId ?? null,
        wasOperation: before.operation,
        wasOptions: JSON.stringify(before.options),
      }),
    noteMark: (taskId: string, mark: Mark | null) => noteMark.one({ taskId, mark }),
    noteTaken: (taskId: string, takenAt: number) => noteTaken.one({ taskId, takenAt }),
    recordSavePath: (taskId: string, attempt: number, path: string | undefined) =>
      runWrite(() => recordSavePath.run({ taskId, attempt, path: path ?? null })).changes === 1,
  };
}

const jsonOf = (values: Record<string, object>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

function insertValues(task: TaskInsert): object {
  const { source } = task;
  const ownedFile = source.kind === 'data' || source.kind === 'upload' ? source : undefined;
  return {
    ...task,
    source: JSON.stringify(source),
    options: JSON.stringify(task.options),
    sourcePath: ownedFile?.path ?? null,
    uploadId: ownedFile?.uploadId ?? null,
    keyId: task.keyId ?? null,
  };
}

function prepareLists(db: SqliteConnection) {
  const all = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks WHERE seq < @before ORDER BY seq DESC LIMIT @limit`,
  );
  const ofPhoto = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks WHERE photo = @photo AND photo IS NOT NULL AND seq < @before
       AND (@status IS NULL OR status = @status) ORDER BY seq DESC LIMIT @limit`,
  );
  const byStatus = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks WHERE status = @status AND seq < @before ORDER BY seq DESC LIMIT @limit`,
  );
  const counts = db.prepare<[], { status: keyof StatusCounts; n: number }>(
    'SELECT status, n FROM status_counts',
  );
  return {
    list({ status, photo, limit, before = Number.MAX_SAFE_INTEGER }: TaskPage) {
      if (photo !== undefined) return ofPhoto.all({ photo, status: status ?? null, limit, before });
      return status ? byStatus.all({ status, limit, before }) : all.all({ limit, before });
    },
    counts(): StatusCounts {
      const found = { PENDING: 0, PROCESSING: 0, FINISHED: 0, FAILED: 0, CANCELLED: 0 };
      for (const { status, n } of counts.all()) found[status] = n;
      return found;
    },
  };
}

function prepareSweeping(db: SqliteConnection) {
  const expired = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks WHERE swept = 0 AND expires_on <= @nowOn ORDER BY expires_on LIMIT @limit`,
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
    expired: (nowOn: number, limit: number) => expired.all({ nowOn, limit }),
    markSwept: (taskId: string) => void runWrite(() => markSwept.run(taskId)),
    drop: (expiredOn: number, limit: number) =>
      runWrite(() => drop.run({ expiredOn, limit })).changes,
    holdsFile: (path: string) => holdsFile.get({ path }) === 1,
  };
}
