/** Inspections of waiting tasks, for estimates before they start. */
import { runWrite, type SqliteConnection } from '../connection.ts';
import type { Inspection, Task, TaskWork } from './task.ts';
import { readObject } from '../columns.ts';
import { prepareTasks, readOptions, taskColumns } from './row.ts';

export interface PendingInspection extends TaskWork {
  taskId: string;
  /** Undefined until the picture was inspected. */
  inspection: Inspection | undefined;
  /** Equal for tasks with equal options and inspection. */
  estimateKey: string;
}

export interface InspectionTable {
  /** The first waiting task whose picture was not inspected yet. */
  nextUninspected(): Task | undefined;
  saveInspection(taskId: string, inspection: Inspection): void;
  /** In queue order. */
  pendingInspections(): PendingInspection[];
  /** Number of unfinished tasks that name the model. */
  openTasksOf(modelId: string): number;
}

/** Conversions are quick and not estimated. */
const hasNetwork = `operation <> 'convert'`;

interface InspectionColumns extends Pick<Task, 'taskId' | 'operation'> {
  options: string;
  inspection: string | null;
}

export function createInspectionTable(db: SqliteConnection): InspectionTable {
  const next = prepareTasks(
    db,
    `SELECT ${taskColumns} FROM tasks INDEXED BY tasks_to_look_at WHERE look IS NULL AND status = 'PENDING'
     AND ${hasNetwork} ORDER BY seq LIMIT 1`,
  );
  const save = db.prepare<[string, string]>('UPDATE tasks SET look = ? WHERE task_id = ?');
  const waiting = db.prepare<[], InspectionColumns>(
    `SELECT task_id AS taskId, operation, options, look AS inspection FROM tasks INDEXED BY tasks_waiting
     WHERE status = 'PENDING' AND ${hasNetwork} ORDER BY priority DESC, place, seq`,
  );
  const open = db.prepare<[string], { n: number }>(
    `SELECT COUNT(*) AS n FROM tasks WHERE status IN ('PENDING', 'PROCESSING')
     AND CASE WHEN json_valid(options) THEN json_extract(options, '$.model') = ? END`,
  );
  return {
    nextUninspected: () => next.one(),
    saveInspection: (taskId, inspection) =>
      void runWrite(() => save.run(JSON.stringify(inspection), taskId)),
    openTasksOf: (modelId) => open.get(modelId)?.n ?? 0,
    pendingInspections: () => waiting.all().flatMap(toPendingInspection),
  };
}

/** Returns an empty list for an unreadable row. */
function toPendingInspection({
  taskId,
  operation,
  options,
  inspection,
}: InspectionColumns): PendingInspection[] {
  const read = readOptions(options);
  if (!read) return [];
  return [
    {
      taskId,
      operation,
      options: read,
      inspection:
        inspection === null ? undefined : ((readObject(inspection) ?? { not: true }) as Inspection),
      estimateKey: `${operation} ${options} ${inspection}`,
    },
  ];
}
