/**
 * Life of a task. These are the only statements that change its status.
 *
 *   submit ──> PENDING ──claim──> PROCESSING ──finish──> FINISHED
 *                 │ ^                │  │ │
 *                 │ ├──── release ───┘  │ └─── fail ──> FAILED
 *                 │ ├── engine death ───┤                 │ ^
 *                 │ ├── service death ──┘ (or FAILED)     │ │
 *                 │ └──────────────── retry ──────────────┘ │
 *                 └──────────────── cancel ─────────────────┘ (from PROCESSING too)
 *
 * A PENDING task waits. `claim` takes the first by priority (higher first), place, arrival; it counts an
 * attempt and is committed before a byte of the source is touched, so PROCESSING in the database means:
 * a start is open. A task that already met an engine's death is claimed only when nothing else runs.
 *
 * A PROCESSING task ends by `finish` (its result already stands in place) or `fail` (the picture's, the
 * source's or the disk's fault). When the engine died or hung on it, `engineDied` is committed before the
 * next try: the first death puts it back to PENDING, the second fails it with ENGINE_CRASHED. A death that
 * was another task's fault, and a clean shutdown, `release` it: back to PENDING, counted against nothing.
 * A start that is found open when the service starts is a death of the service itself (power, kill):
 * `recover` puts the task back to PENDING, and the tenth time fails it with ENGINE_CRASHED. So nothing
 * loops for ever, also across restarts. Going back keeps priority and place.
 *
 * `cancel` fails a waiting or a running task with CANCELLED at once; what still runs for it is told to stop
 * and finds its attempt over. FAILED tasks may `retry` until they expire: a new attempt of the same task at
 * the end of its priority, with both death counts at nothing. FINISHED is final.
 *
 * Each transition is one statement guarded by the status it leaves (and the attempt it belongs to), and
 * returns the row as it is afterwards, or undefined if the guard did not hold. So a late result of a
 * former attempt changes nothing, and none finishes twice.
 */
import type { TaskErrorCode } from '../../../../packages/contract/src/errors.ts';
import { awaitedPriority } from '../../../../packages/contract/src/priority.ts';
import type { SqliteConnection } from '../connection.ts';
import type { Placement, ResultFiles, Task, TaskReport } from './task.ts';
import { endPlace } from './order.ts';
import { prepareTasks, taskColumns } from './row.ts';

/** Max engine crashes per task. */
const engineDeathLimit = 2;
/** Max service crashes per task. */
export const serviceDeathLimit = 10;

/** Times of a task's end: wall clock, and the service clock at which it expires. */
export interface TaskEnding {
  endedAt: number;
  expiresOn: number;
}
export interface Attempt {
  taskId: string;
  attempt: number;
}
export interface AttemptResult extends Attempt, TaskEnding {
  report: TaskReport;
  files: ResultFiles;
  savedTo: string | undefined;
  placement?: Placement | undefined;
}
interface AttemptFailure extends TaskEnding {
  code: TaskErrorCode;
  message: string;
}

const running = `task_id = @taskId AND attempts = @attempt AND status = 'PROCESSING'`;
const noEnding = `error_code = NULL, error_message = NULL, ended_at = NULL, expires_on = NULL`;
const failed = `status = 'FAILED', error_code = @code, error_message = @message,
  ended_at = @endedAt, expires_on = @expiresOn`;

/** Increments `count`: at @limit the task fails, below it returns to PENDING. */
const died = (count: string) => {
  const when = (then: string, otherwise: string) =>
    `CASE WHEN ${count} + 1 >= @limit THEN ${then} ELSE ${otherwise} END`;
  return `${count} = ${count} + 1, status = ${when(`'FAILED'`, `'PENDING'`)},
    error_code = ${when('@code', 'NULL')}, error_message = ${when('@message', 'NULL')},
    ended_at = ${when('@endedAt', 'NULL')}, expires_on = ${when('@expiresOn', 'NULL')}`;
};

/** The first waiting task, except those whose previous attempt is still ending. */
const nextWaiting = `SELECT seq FROM tasks INDEXED BY tasks_waiting
  WHERE status = 'PENDING' AND task_id NOT IN (SELECT value FROM json_each(@except))
  ORDER BY priority DESC, place, seq LIMIT 1`;

/** Also excludes tasks whose source must be downloaded. */
const nextWaitingHere = nextWaiting
  .replace('tasks_waiting', 'tasks_waiting_here')
  .replace(`'PENDING'`, `'PENDING' AND substr(source, 1, 13) <> '{"kind":"url"'`);

/** Only awaited tasks that need no slot of the networks: conversions, and cut-outs, which preempt a pass. */
const nextPreempting = nextWaitingHere.replace(
  `'PENDING'`,
  `'PENDING' AND priority = ${awaitedPriority} AND (operation = 'convert'
    OR (operation = 'remove-bg' AND json_extract(options, '$.enlarge') IS NULL))`,
);

/** Whether a task may run beside those that fill the slots. */
export const preempts = ({ operation, priority, options }: Task): boolean =>
  priority === awaitedPriority &&
  (operation === 'convert' || (operation === 'remove-bg' && options.enlarge === undefined));

const claimOf = (next: string) =>
  `UPDATE tasks SET status = 'PROCESSING', attempts = attempts + 1, started_at = @startedAt
    WHERE seq = (${next}) AND status = 'PENDING' AND (engine_deaths = 0 OR @alone)`;

const sql = {
  claim: claimOf(nextWaiting),
  claimHere: claimOf(nextWaitingHere),
  claimPreempting: claimOf(nextPreempting),
  finish: `UPDATE tasks SET status = 'FINISHED', report = @report, files = @files, saved_to = @savedTo,
    placement = @placement, holds_source = 0, swept = 0, taken_at = NULL, ended_at = @endedAt, expires_on = @expiresOn WHERE ${running}`,
  fail: `UPDATE tasks SET ${failed}, swept = 0 WHERE ${running}`,
  release: `UPDATE tasks SET status = 'PENDING' WHERE ${running}`,
  engineDied: `UPDATE tasks SET ${died('engine_deaths')} WHERE ${running}`,
  recover: `UPDATE tasks SET ${died('service_deaths')} WHERE status = 'PROCESSING'`,
  cancel: `UPDATE tasks SET ${failed}, swept = 0
    WHERE task_id = @taskId AND status IN ('PENDING', 'PROCESSING')`,
  retry: `UPDATE tasks SET status = 'PENDING', engine_deaths = 0, service_deaths = 0, started_at = NULL, ${noEnding},
    place = ${endPlace('tasks.priority')}, queued_on = @now
    WHERE task_id = @taskId AND status = 'FAILED' AND expires_on > @now`,
};

export interface TaskTransitions {
  /**
   * @param alone true if no other task is running
   * @param except ids that must not be claimed
   * @param where `here` excludes tasks whose source must be downloaded; `beside` also those that do not preempt
   */
  claim(
    now: { startedAt: number },
    alone: boolean,
    except: readonly string[],
    where?: 'here' | 'beside',
  ): Task | undefined;
  finish(finishing: AttemptResult): Task | undefined;
  fail(attempt: Attempt, failing: AttemptFailure): Task | undefined;
  release(attempt: Attempt): Task | undefined;
  engineDied(attempt: Attempt, failing: AttemptFailure): Task | undefined;
  /** Ends every open start, in order of arrival. */
  recover(failing: AttemptFailure): Task[];
  cancel(taskId: string, failing: AttemptFailure): Task | undefined;
  /** @param now service clock */
  retry(taskId: string, now: number): Task | undefined;
}

export function createTaskTransitions(db: SqliteConnection): TaskTransitions {
  const statement = (text: string) => prepareTasks(db, `${text} RETURNING ${taskColumns}`);
  const claim = statement(sql.claim);
  const claimHere = statement(sql.claimHere);
  const claimPreempting = statement(sql.claimPreempting);
  const finish = statement(sql.finish);
  const fail = statement(sql.fail);
  const release = statement(sql.release);
  const engineDied = statement(sql.engineDied);
  const recover = statement(sql.recover);
  const cancel = statement(sql.cancel);
  const retry = statement(sql.retry);
  return {
    claim: ({ startedAt }, alone, except, where) =>
      (where === 'here' ? claimHere : where === 'beside' ? claimPreempting : claim).one({
        startedAt,
        alone: alone ? 1 : 0,
        except: JSON.stringify(except),
      }),
    finish: ({ report, files, savedTo, placement, ...rest }) =>
      finish.one({
        ...rest,
        report: JSON.stringify(report),
        files: JSON.stringify(files),
        savedTo: savedTo ?? null,
        placement: placement ? JSON.stringify(placement) : null,
      }),
    fail: (attempt, failing) => fail.one({ ...attempt, ...failing }),
    release: (attempt) => release.one(attempt),
    engineDied: (attempt, failing) =>
      engineDied.one({ ...attempt, ...failing, limit: engineDeathLimit }),
    recover: (failing) =>
      recover.all({ ...failing, limit: serviceDeathLimit }).sort((a, b) => a.seq - b.seq),
    cancel: (taskId, failing) => cancel.one({ taskId, ...failing }),
    retry: (taskId, now) => retry.one({ taskId, now }),
  };
}
