/**
 * Tasks that were removed can be restored for a while. A removed task keeps its files and its upload; a task that
 * was running when it was removed is kept as one that waits, in its place.
 */
import { inTransaction, storing, type Connection } from '../connection.ts';
import type { Task } from './task.ts';
import { prepareTasks, taskColumns } from './row.ts';

export interface RemovedTasks {
  /** Takes a task out of the table and answers it as it was, or undefined when there is none. */
  setAside(taskId: string, nowOn: number): Task | undefined;
  /** Puts a task back with its place and result. Answers undefined when it was not removed after the moment. */
  restore(taskId: string, afterOn: number): Task | undefined;
  /** Answers those removed up to the moment, whose files are to go, and then their rows. */
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

/** Turns the columns into one JSON object and back, so that columns of later migrations are kept too. */
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
