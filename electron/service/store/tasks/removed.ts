/**
 * Removed tasks, restorable for a while with their files and upload. A task that was running is stored as
 * PENDING.
 */
import { inTransaction, runWrite, type SqliteConnection } from '../connection.ts';
import type { Task } from './task.ts';
import { prepareTasks, taskColumns } from './row.ts';

export interface RemovedTasks {
  /** Moves a task out of the table. @returns its former state, undefined if there is none */
  moveToRemoved(taskId: string, nowOn: number): Task | undefined;
  /** Restores a task with its place and result. @returns undefined unless it was removed after `afterOn` */
  restore(taskId: string, afterOn: number): Task | undefined;
  /** Tasks removed up to `untilOn`, whose files and then rows are to be deleted. */
  removedUntil(untilOn: number): Task[];
  forgetRemoved(taskId: string): void;
  isRemoved(taskId: string): boolean;
}

export function createRemovedTasks(db: SqliteConnection): RemovedTasks {
  const columns = db
    .prepare<[], string>(`SELECT name FROM pragma_table_info('tasks')`)
    .pluck()
    .all();
  const { archive, unarchive, until } = prepareArchive(db, columns);
  const remove = prepareTasks(
    db,
    `DELETE FROM tasks WHERE task_id = @taskId RETURNING ${taskColumns}`,
  );
  const forget = db.prepare<[string]>('DELETE FROM removed_tasks WHERE task_id = ?');
  const find = db
    .prepare<[string], number>('SELECT 1 FROM removed_tasks WHERE task_id = ?')
    .pluck();
  return {
    moveToRemoved: (taskId, nowOn) =>
      inTransaction(db, () => {
        archive.run({ taskId, nowOn });
        return remove.one({ taskId });
      }),
    restore: (taskId, afterOn) =>
      inTransaction(db, () => {
        const task = unarchive.one({ taskId, afterOn });
        if (task) forget.run(taskId);
        return task;
      }),
    removedUntil: (untilOn) => until.all({ untilOn }),
    forgetRemoved: (taskId) => void runWrite(() => forget.run(taskId)),
    isRemoved: (taskId) => find.get(taskId) === 1,
  };
}

/** Stores all columns as one JSON object, so that columns of later migrations are included. */
function prepareArchive(db: SqliteConnection, columns: readonly string[]) {
  const valueOf = (column: string) =>
    column === 'status' ? `CASE status WHEN 'PROCESSING' THEN 'PENDING' ELSE status END` : column;
  const pairs = columns.map((column) => `'${column}', ${valueOf(column)}`).join(', ');
  const archive = db.prepare<[object]>(
    `INSERT INTO removed_tasks
     SELECT task_id, json_object(${pairs}), iif(holds_source = 1, source_path, NULL),
       iif(holds_source = 1, upload_id, NULL), @nowOn
     FROM tasks WHERE task_id = @taskId`,
  );
  const values = columns.map((column) => `row ->> '${column}' AS ${column}`).join(', ');
  const unarchive = prepareTasks(
    db,
    `INSERT INTO tasks (${columns.join(', ')})
     SELECT ${values} FROM removed_tasks WHERE task_id = @taskId AND removed_on > @afterOn RETURNING ${taskColumns}`,
  );
  const until = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM (SELECT ${values} FROM removed_tasks WHERE removed_on <= @untilOn)`,
  );
  return { archive, unarchive, until };
}
