/**
 * The order of waiting tasks: priority (higher first), place, arrival. Places are integers with wide gaps,
 * so a move writes one row; only where a gap is used up are some places behind it written anew.
 */
import { writeRow, type Connection } from './connection.ts';
import type { StoredTask } from './stored-task.ts';
import { placeGap, preparePlaceBeside, type Neighbour } from './place-beside.ts';
import { taskOf, type TaskRow } from './task-row.ts';

const bucketBits = 34;

const edgePlace = (priority: string, direction: 'ASC' | 'DESC') =>
  `(SELECT w.place FROM tasks AS w INDEXED BY tasks_waiting
    WHERE w.status = 'PENDING' AND w.priority = ${priority} ORDER BY w.place ${direction} LIMIT 1)`;

/** SQL for the place behind every task of a priority, the running ones included: they may come back. */
export const endPlace = (priority: string) => `${placeGap} + max(
  coalesce(${edgePlace(priority, 'DESC')}, 0),
  coalesce((SELECT max(r.place) FROM tasks AS r WHERE r.status = 'PROCESSING' AND r.priority = ${priority}), 0))`;

export type Position = 'first' | 'last' | { before: string } | { after: string };

/** Where a task goes: its new priority and place. */
interface Spot {
  priority: number;
  place: number;
}

export interface TaskOrder {
  /** From 1. Only for a waiting task. */
  placeOf(task: StoredTask): number;
  /** Undefined when the task, or the neighbour, does not wait (any more). Run it in a transaction. */
  move(taskId: string, position: Position, priority: number | undefined): StoredTask | undefined;
}

export function createTaskOrder(db: Connection): TaskOrder {
  const placed = prepareCounting(db);
  const neighbours = prepareNeighbours(db);
  const write = db.prepare<[object], TaskRow>(
    `UPDATE tasks SET priority = @priority, place = @place
     WHERE task_id = @taskId AND status = 'PENDING' RETURNING *`,
  );
  return {
    placeOf: placed,
    move(taskId, position, priority) {
      const spot = neighbours.spotFor(taskId, position, priority);
      const raw = spot && writeRow(write, { taskId, ...spot });
      return raw && taskOf(raw);
    },
  };
}

function prepareCounting(db: Connection): (task: StoredTask) => number {
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
  return ({ priority, placeKey, seq }) => {
    const at = { priority, place: placeKey };
    return (buckets.get(at) ?? 0) + (inBucket.get({ ...at, seq }) ?? 0);
  };
}

function prepareNeighbours(db: Connection) {
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

  const front = (priority: number): Spot => {
    const first = low.get({ priority }) as number | null | undefined;
    return { priority, place: (first ?? placeGap * 2) - placeGap };
  };
  const back = (priority: number): Spot => ({ priority, place: end.get({ priority }) ?? placeGap });
  const spotFor = (
    taskId: string,
    position: Position,
    priority: number | undefined,
  ): Spot | undefined => {
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
  return { spotFor };
}
