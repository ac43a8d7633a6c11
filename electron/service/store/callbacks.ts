/** Delivery state of callbacks. Each end of a task is delivered once. */
import type { TaskCallback } from '../../contract/task.ts';
import { runWrite, type SqliteConnection } from './connection.ts';
import { type Columns, rowOf } from './columns.ts';

export interface DueCallback {
  taskId: string;
  /** The end that the callback reports, wall clock in milliseconds. */
  endedAt: number;
  attempts: number;
  /** Null if the task's row is damaged. */
  address: string | null;
}

export interface CallbackTable {
  /** Undelivered ends whose retry time has come, at most `limit`. */
  due(nowOn: number, limit: number): DueCallback[];
  /** Service-clock time of the next retry; undefined if none is pending. */
  nextOn(): number | undefined;
  note(due: DueCallback, row: TaskCallback & { dueOn: number }): void;
  /** Delivery state for the end at `endedAt`. */
  of(taskId: string, endedAt: number): TaskCallback | undefined;
}

/**
 * A text search, so that a damaged row raises no error. JSON escapes quotes inside values, so it cannot match
 * a value.
 */
const calling = `instr(t.options, '"callbackUrl":') > 0
  AND t.status IN ('FINISHED', 'FAILED') AND t.ended_at IS NOT NULL`;

export function createCallbackTable(db: SqliteConnection): CallbackTable {
  const due = db.prepare<[object], DueCallback>(
    `SELECT t.task_id AS taskId, t.ended_at AS endedAt, coalesce(c.attempts, 0) AS attempts,
      CASE WHEN json_valid(t.options) THEN t.options ->> '$.callbackUrl' END AS address FROM tasks t
      LEFT JOIN callbacks c ON c.task_id = t.task_id AND c.ended_at = t.ended_at
      WHERE ${calling}
        AND (c.task_id IS NULL OR (c.state = 'waiting' AND c.due_on <= @nowOn))
      LIMIT @limit`,
  );
  const next = db
    .prepare<[], number | null>("SELECT min(due_on) FROM callbacks WHERE state = 'waiting'")
    .pluck();
  const write = db.prepare<[object]>(
    `INSERT INTO callbacks (task_id, ended_at, state, attempts, due_on, problem)
      VALUES (@taskId, @endedAt, @state, @attempts, @dueOn, @problem)
      ON CONFLICT (task_id) DO UPDATE SET ended_at = excluded.ended_at, state = excluded.state,
        attempts = excluded.attempts, due_on = excluded.due_on, problem = excluded.problem`,
  );
  const find = db.prepare<[string, number], Columns<TaskCallback>>(
    'SELECT state, attempts, problem FROM callbacks WHERE task_id = ? AND ended_at = ?',
  );
  const forget = db.prepare<[]>(
    'DELETE FROM callbacks WHERE task_id NOT IN (SELECT task_id FROM tasks)',
  );
  return {
    due: (nowOn, limit) => due.all({ nowOn, limit }),
    nextOn: () => next.get() ?? undefined,
    note({ taskId, endedAt }, { state, attempts, dueOn, problem }) {
      runWrite(() => {
        write.run({ taskId, endedAt, state, attempts, dueOn, problem: problem ?? null });
        if (state !== 'waiting') forget.run();
      });
    },
    of(taskId, endedAt) {
      const row = find.get(taskId, endedAt);
      return row && rowOf<TaskCallback>(row);
    },
  };
}
