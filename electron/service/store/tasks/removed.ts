/**
 * Removed tasks, restorable for a while with their files and upload. A task that was running is stored as
 * PENDING.
 */
import { inTransaction, storing, type Connection } from '../connection.ts';
import type { Task } from './task.ts';
import { prepareTasks, taskColumns } from './row.ts';

export interface RemovedTasks {
  /** Moves a task out of the table. @returns its former state, undefined if there is none */
  setAside(taskId: string, nowOn: number): Task | undefined;
  /** Restores a task with its place and result. @returns undefined unless it was removed after `afterOn` */
  restore(taskId: string, afterOn: number): Task | undefined;
  /** Tasks removed up to `untilOn`, whose files and then rows are to be deleted. */
  removedUntil(untilOn: number): Task[];
  forgetRemoved(taskId: string): void;
  isRemoved(taskId: string): boolean;
}

export function createRemovedTasks(db: Connection): RemovedTasks {
  const columns = db
    .prepare<[], string>(`SELECT name FROM pragma_table_info('tasks')`)
    .pluck()
    .all();
  const { keep, unkeep, until } = prepareKeeping(db, columns);
  const remove = prepareTasks(
    db,
    `DELETE FROM tasks WHERE task_id = @taskId RETURNING ${taskColumns}`,
  );
  const forget = db.prepare<[string]>('DELETE FROM removed_tasks WHERE task_id = ?');
  const find = db
    .prepare<[string], number>('SELECT 1 FROM removed_tasks WHERE task_id = ?')
    .pluck();
  return {
    setAside: (taskId, nowOn) =>
      inTransaction(db, () => {
        keep.run({ taskId, nowOn });
        return remove.one({ taskId });
      }),
    restore: (taskId, afterOn) =>
      inTransaction(db, () => {
        const task = unkeep.one({ taskId, afterOn });
        if (task) forget.run(taskId);
        return task;
      }),
    removedUntil: (untilOn) => until.all({ untilOn }),
    forgetRemoved: (taskId) => void storing(() => forget.run(taskId)),
    isRemoved: (taskId) => find.get(taskId) === 1,
  };
}

/** Stores all columns as one JSON object, so that columns of later migrations are included. */
function prepareKeeping(db: Connection, columns: readonly string[]) {
  const valueOf = (column: string) =>
    column === 'status' ? `CASE status WHEN 'PROCESSING' THEN 'PENDING' ELSE status END` : column;
  const pairs = columns.map((column) => `'${column}', ${valueOf(column)}`).join(', ');
  const keep = db.prepare<[object]>(
    `INSERT INTO removed_tasks
     SELECT task_id, json_object(${pairs}), iif(holds_source = 1, source_path, NULL),
       iif(holds_source = 1, upload_id, NULL), @nowOn
     FROM tasks WHERE task_id = @taskId`,
  );
  const values = columns.map((column) => `row ->> '${column}' AS ${column}`).join(', ');
  const unkeep = prepareTasks(
    db,
    `INSERT INTO tasks (${columns.join(', ')})
     SELECT ${values} FROM removed_tasks WHERE task_id = @taskId AND removed_on > @afterOn RETURNING ${taskColumns}`,
  );
  const until = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM (SELECT ${values} FROM removed_tasks WHERE removed_on <= @untilOn)`,
  );
  return { keep, unkeep, until };
}
