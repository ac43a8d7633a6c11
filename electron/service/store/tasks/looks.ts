/** The rows of waiting tasks keep what is known of their pictures before they start. */
import { storing, type Connection } from '../connection.ts';
import type { Look, Task, TaskWork } from './task.ts';
import { readObject } from '../columns.ts';
import { prepareTasks, readOptions, taskColumns } from './row.ts';

export interface WaitingLook extends TaskWork {
  taskId: string;
  /** The field is undefined until the picture was looked at. */
  look: Look | undefined;
  /** The word is the same for tasks whose options and picture are the same. */
  sameAs: string;
}

export interface Looks {
  /** Answers the first task that waits and whose picture was not looked at yet. */
  nextToLookAt(): Task | undefined;
  keepLook(taskId: string, look: Look): void;
  /** Lists what is known in the order of the queue. */
  waitingLooks(): WaitingLook[];
  /** Counts the tasks that name a model and have not ended. */
  waitingFor(modelId: string): number;
}

/** A result that is saved again is quick, and not planned as what it was first made by. */
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

/** Answers none for a row that cannot be read. */
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
