/** Delivery state of callbacks. Each start and each end of a task is delivered once. */
import type { TaskCallback } from '../../../packages/contract/src/task.ts';
import { runWrite, type SqliteConnection } from './connection.ts';
import { type Columns, rowOf } from './columns.ts';

export interface DueCallback {
  taskId: string;
  event: 'started' | 'ended';
  /** When the task was queued or ended, in milliseconds: differs for each start and end of a task. */
  occasion: number;
  attempts: number;
  /** Key of the task's submit; null if it is not known. */
  keyId: string | null;
  /** Null if the task's row is damaged. */
  address: string | null;
}

export interface CallbackTable {
  /** Undelivered starts and ends whose retry time has come: of each at most `limit`, after the first `offset`. */
  due(nowOn: number, part: { limit: number; offset: number }): DueCallback[];
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

/** Ends that the task's `callbackEvents` name; all by default. */
const isRequestedEnd = `(instr(t.options, '"callbackEvents":') = 0
  OR CASE WHEN json_valid(t.options) THEN lower(t.status) IN
    (SELECT value FROM json_each(t.options, '$.callbackEvents')) END)`;

/** Starts of running tasks, which are few. */
const startingNow = `t.status = 'PROCESSING' AND instr(t.options, '"callbackUrl":') > 0
  AND instr(t.options, '"callbackEvents":') > 0
  AND CASE WHEN json_valid(t.options) THEN 'started' IN
    (SELECT value FROM json_each(t.options, '$.callbackEvents')) END`;

const dueEvents = (event: DueCallback['event'], occasion: string, where: string) =>
  `SELECT t.task_id AS taskId, '${event}' AS event, t.${occasion} AS occasion,
      coalesce(c.attempts, 0) AS attempts, t.key_id AS keyId,
      CASE WHEN json_valid(t.options) THEN t.options ->> '$.callbackUrl' END AS address FROM tasks t
      LEFT JOIN event_callbacks c
        ON c.task_id = t.task_id AND c.event = '${event}' AND c.occasion = t.${occasion}
      WHERE ${where}
        AND (c.task_id IS NULL OR (c.state = 'waiting' AND c.due_on <= @nowOn))
      LIMIT @limit OFFSET @offset`;

export function createCallbackTable(db: SqliteConnection): CallbackTable {
  const starts = db.prepare<[object], DueCallback>(dueEvents('started', 'queued_on', startingNow));
  const ends = db.prepare<[object], DueCallback>(
    dueEvents('ended', 'ended_at', `${calling} AND ${isRequestedEnd}`),
  );
  const next = db
    .prepare<[], number | null>(
      `SELECT min(due_on) FROM event_callbacks c WHERE state = 'waiting' AND (event = 'ended' OR EXISTS
        (SELECT 1 FROM tasks t WHERE t.task_id = c.task_id AND t.status = 'PROCESSING'))`,
    )
    .pluck();
  const write = db.prepare<[object]>(
    `INSERT INTO event_callbacks (task_id, event, occasion, state, attempts, due_on, problem)
      VALUES (@taskId, @event, @occasion, @state, @attempts, @dueOn, @problem)
      ON CONFLICT (task_id, event) DO UPDATE SET occasion = excluded.occasion, state = excluded.state,
        attempts = excluded.attempts, due_on = excluded.due_on, problem = excluded.problem`,
  );
  const find = db.prepare<[string, number], Columns<TaskCallback>>(
    `SELECT state, attempts, problem FROM event_callbacks
      WHERE task_id = ? AND event = 'ended' AND occasion = ?`,
  );
  const forget = db.prepare<[]>(
    'DELETE FROM event_callbacks WHERE task_id NOT IN (SELECT task_id FROM tasks)',
  );
  return {
    due: (nowOn, part) => [...starts.all({ nowOn, ...part }), ...ends.all({ nowOn, ...part })],
    nextOn: () => next.get() ?? undefined,
    note({ taskId, event, occasion }, { state, attempts, dueOn, problem }) {
      runWrite(() => {
        write.run({ taskId, event, occasion, state, attempts, dueOn, problem: problem ?? null });
        if (state !== 'waiting') forget.run();
      });
    },
    of(taskId, endedAt) {
      const row = find.get(taskId, endedAt);
      return row && rowOf<TaskCallback>(row);
    },
  };
}
