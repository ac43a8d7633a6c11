/** Inspections of waiting tasks, for estimates before they start. */
import { storing, type Connection } from '../connection.ts';
import type { Look, Task, TaskWork } from './task.ts';
import { readObject } from '../columns.ts';
import { prepareTasks, readOptions, taskColumns } from './row.ts';

export interface WaitingLook extends TaskWork {
  taskId: string;
  /** Undefined until the picture was inspected. */
  look: Look | undefined;
  /** Equal for tasks with equal options and inspection. */
  sameAs: string;
}

export interface Looks {
  /** The first waiting task whose picture was not inspected yet. */
  nextToLookAt(): Task | undefined;
  keepLook(taskId: string, look: Look): void;
  /** In queue order. */
  waitingLooks(): WaitingLook[];
  /** Number of unfinished tasks that name the model. */
  waitingFor(modelId: string): number;
}

/** Conversions are quick and not estimated. */
const hasNetwork = `operation <> 'convert'`;

interface LookColumns extends Pick<Task, 'taskId' | 'operation'> {
  options: string;
  look: string | null;
}

export function createLooks(db: Connection): Looks {
  const next = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks INDEXED BY tasks_to_look_at WHERE look IS NULL AND status = 'PENDING'
     AND ${hasNetwork} ORDER BY seq LIMIT 1`,
  );
  const keep = db.prepare<[string, string]>('UPDATE tasks SET look = ? WHERE task_id = ?');
  const waiting = db.prepare<[], LookColumns>(
    `SELECT task_id AS taskId, operation, options, look FROM tasks INDEXED BY tasks_waiting
     WHERE status = 'PENDING' AND ${hasNetwork} ORDER BY priority DESC, place, seq`,
  );
  const open = db.prepare<[string], { n: number }>(
    `SELECT COUNT(*) AS n FROM tasks WHERE status IN ('PENDING', 'PROCESSING')
     AND CASE WHEN json_valid(options) THEN json_extract(options, '$.model') = ? END`,
  );
  return {
    nextToLookAt: () => next.one(),
    keepLook: (taskId, look) => void storing(() => keep.run(JSON.stringify(look), taskId)),
    waitingFor: (modelId) => open.get(modelId)?.n ?? 0,
    waitingLooks: () => waiting.all().flatMap(toWaitingLook),
  };
}

/** Returns an empty list for an unreadable row. */
function toWaitingLook({ taskId, operation, options, look }: LookColumns): WaitingLook[] {
  const read = readOptions(options);
  if (!read) return [];
  return [
    {
      taskId,
      operation,
      options: read,
      look: look === null ? undefined : ((readObject(look) ?? { not: true }) as Look),
      sameAs: `${operation} ${options} ${look}`,
    },
  ];
}
