/**
 * Order of waiting tasks: priority (higher first), place, arrival. Places are integers with wide gaps, so a
 * move writes one row; only where a gap is exhausted are some places behind it rewritten.
 */
import type { TaskPatch } from '../../../../packages/contract/src/task.ts';
import { runWrite, type SqliteConnection } from '../connection.ts';
import type { Task } from './task.ts';
import { prepareTasks, taskColumns } from './row.ts';

const bucketBits = 34;
/** A gap can be halved 24 times before rows are rewritten, and 2^29 arrivals fit a JavaScript integer. */
const placeGap = 2 ** 24;
/** Minimum gap after rewriting. */
const minGap = 2 ** 10;

type Neighbour = QueuePlace & Pick<Task, 'seq'>;

const edgePlace = (priority: string, direction: 'ASC' | 'DESC') =>
  `(SELECT w.place FROM tasks AS w INDEXED BY tasks_waiting
    WHERE w.status = 'PENDING' AND w.priority = ${priority} ORDER BY w.place ${direction} LIMIT 1)`;

/** SQL of the place behind all tasks of a priority, including running ones, which may return to PENDING. */
export const endPlace = (priority: string) => `${placeGap} + max(
  coalesce(${edgePlace(priority, 'DESC')}, 0),
  coalesce((SELECT max(r.place) FROM tasks AS r WHERE r.status = 'PROCESSING' AND r.priority = ${priority}), 0))`;

type Position = NonNullable<TaskPatch['place']>;

interface QueuePlace {
  priority: number;
  place: number;
}

export interface TaskOrder {
  /** Position among the waiting tasks, from 1. */
  queuePositionOf(task: Task): number;
  /** Returns undefined if the task or its neighbour is not waiting. Must run in a transaction. */
  move(taskId: string, position: Position, priority: number | undefined): Task | undefined;
}

export function createTaskOrder(db: SqliteConnection): TaskOrder {
  const queuePositionOf = prepareCounting(db);
  const neighbours = prepareNeighbours(db);
  const write = prepareTasks(
    db,
    `UPDATE tasks SET priority = @priority, place = @place
     WHERE task_id = @taskId AND status = 'PENDING' RETURNING ${taskColumns}`,
  );
  return {
    queuePositionOf,
    move(taskId, position, priority) {
      const target = neighbours.spotFor(taskId, position, priority);
      return target && write.one({ taskId, ...target });
    },
  };
}

function prepareCounting(db: SqliteConnection): (task: Task) => number {
  const buckets = db
    .prepare<[object], number>(
      `SELECT coalesce(sum(n), 0) FROM waiting_counts
       WHERE priority > @priority OR (priority = @priority AND bucket < @place >> ${bucketBits})`,
    )
    .pluck();
  const inBucket = db
    .prepare<[object], number>(
      `SELECT count(*) FROM tasks INDEXED BY tasks_waiting WHERE status = 'PENDING' AND priority = @priority
         AND place >= (@place >> ${bucketBits}) << ${bucketBits} AND (place, seq) <= (@place, @seq)`,
    )
    .pluck();
  return ({ priority, sortKey, seq }) => {
    const at = { priority, place: sortKey };
    return (buckets.get(at) ?? 0) + (inBucket.get({ ...at, seq }) ?? 0);
  };
}

function prepareNeighbours(db: SqliteConnection) {
  const columns = 'SELECT seq, priority, place FROM tasks';
  const own = db.prepare<[object], Neighbour>(
    `${columns} WHERE task_id = @taskId AND status = 'PENDING'`,
  );
  const head = db.prepare<[], Neighbour>(
    `${columns} INDEXED BY tasks_waiting WHERE status = 'PENDING' ORDER BY priority DESC, place, seq LIMIT 1`,
  );
  const tail = db.prepare<[], Neighbour>(
    `${columns} INDEXED BY tasks_waiting WHERE status = 'PENDING' ORDER BY priority, place DESC, seq DESC LIMIT 1`,
  );
  const low = db.prepare<[object], number>(`SELECT ${edgePlace('@priority', 'ASC')}`).pluck();
  const end = db.prepare<[object], number>(`SELECT ${endPlace('@priority')}`).pluck();
  const placeBeside = preparePlaceBeside(db);

  const front = (priority: number): QueuePlace => {
    const first = low.get({ priority }) as number | null | undefined;
    return { priority, place: (first ?? placeGap * 2) - placeGap };
  };
  const back = (priority: number): QueuePlace => ({
    priority,
    place: end.get({ priority }) ?? placeGap,
  });
  const targetFor = (
    taskId: string,
    position: Position,
    priority: number | undefined,
  ): QueuePlace | undefined => {
    const task = own.get({ taskId });
    if (!task) return undefined;
    if (position === 'first') {
      return front(priority ?? Math.max(task.priority, head.get()?.priority ?? task.priority));
    }
    if (position === 'last') {
      return back(priority ?? Math.min(task.priority, tail.get()?.priority ?? task.priority));
    }
    const neighbourId = 'before' in position ? position.before : position.after;
    const neighbour = own.get({ taskId: neighbourId });
    if (!neighbour) return undefined;
    if (neighbourId === taskId) return { priority: task.priority, place: task.place };
    const side = 'before' in position ? 'before' : 'after';
    return { priority: neighbour.priority, place: placeBeside(neighbour, task.seq, side) };
  };
  return { spotFor: targetFor };
}

/**
 * Computes the place before or after the neighbour, within its priority, for the task `moving` (its seq).
 * Must run in a transaction: it may rewrite places behind.
 */
function preparePlaceBeside(db: SqliteConnection) {
  const others = `SELECT seq, priority, place FROM tasks INDEXED BY tasks_waiting
    WHERE status = 'PENDING' AND priority = @priority AND seq <> @moving`;
  const previous = db.prepare<[object], Neighbour>(
    `${others} AND (place, seq) < (@place, @seq) ORDER BY place DESC, seq DESC LIMIT 1`,
  );
  const following = db.prepare<[object], Neighbour>(
    `${others} AND (place, seq) > (@place, @seq) ORDER BY place, seq LIMIT @limit`,
  );
  const write = db.prepare<[object]>(
    `UPDATE tasks SET place = @place WHERE seq = @seq AND status = 'PENDING'`,
  );

  /**
   * Spreads the tasks behind `base` over as many of their gaps as needed.
   * @returns the place right behind `base`
   */
  const makeRoomBehind = (base: Neighbour, moving: number): number => {
    for (let count = 32; ; count *= 4) {
      const rows = following.all({ ...base, moving, limit: count + 1 });
      const beyond = rows.at(count);
      const gap = beyond ? Math.floor((beyond.place - base.place) / (count + 2)) : placeGap;
      if (gap < minGap) continue;
      runWrite(() => {
        for (const [index, { seq }] of rows.slice(0, count).entries()) {
          write.run({ seq, place: base.place + (index + 2) * gap });
        }
      });
      return base.place + gap;
    }
  };

  return (at: Neighbour, moving: number, side: 'before' | 'after'): number => {
    const [low, high] =
      side === 'after'
        ? [at, following.all({ ...at, moving, limit: 1 }).at(0)]
        : [previous.get({ ...at, moving }), at];
    if (!high) return at.place + placeGap;
    if (!low) return at.place - placeGap;
    const between = Math.floor((low.place + high.place) / 2);
    return between > low.place ? between : makeRoomBehind(low, moving);
  };
}
