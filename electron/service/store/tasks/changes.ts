/**
 * Each task, also one that is gone, has the number of its last change, and numbers only rise: a stream that was cut
 * off goes on from one. Triggers of the table of tasks keep them.
 */
import type { TaskStatus } from '../../../contract/task.ts';
import { storingIfRoom, type Connection } from '../connection.ts';

export interface Change {
  changeId: number;
  taskId: string;
  /** The task had this status when it was removed. */
  removedAs?: TaskStatus;
}

export interface ChangeTable {
  /** Answers the number of the newest change of all. */
  newest(): number;
  /**
   * Answers the number of a task's newest change. A number that is not above `told` is replaced by a new one, so
   * that who was told up to there is told of it too. The answer is undefined when there is no room on the disk for it.
   */
  idOf(taskId: string, told: number): number | undefined;
  /** Answers what changed after it, in order; undefined when that is not known (any more). */
  since(changeId: number, limit: number): Change[] | undefined;
  /** Forgets removed tasks that too many changes came after. */
  sweep(): void;
}

/** A removed task is remembered for so many changes. */
const usuallyKept = 100_000;

export function createChangeTable(db: Connection, kept = usuallyKept): ChangeTable {
  const find = db
    .prepare<[string], number>('SELECT change_id FROM changes WHERE task_id = ?')
    .pluck();
  const forget = db.prepare<[string]>('DELETE FROM changes WHERE task_id = ?');
  const note = db.prepare<[string]>('INSERT INTO changes (task_id) VALUES (?)');
  const range = db.prepare<[], { first: number; last: number }>(
    'SELECT min(change_id) AS first, max(change_id) AS last FROM changes',
  );
  const after = db.prepare<
    [object],
    { changeId: number; taskId: string; removedAs: TaskStatus | null }
  >(
    `SELECT change_id AS changeId, task_id AS taskId, removed_as AS removedAs FROM changes
     WHERE change_id > @changeId ORDER BY change_id LIMIT @limit`,
  );
  const sweep = db.prepare<[number]>(
    'DELETE FROM changes WHERE removed_as IS NOT NULL AND change_id <= (SELECT max(change_id) FROM changes) - ?',
  );
  const noteAgain = db.transaction((taskId: string) => {
    forget.run(taskId);
    note.run(taskId);
  });
  return {
    newest: () => range.get()?.last ?? 0,
    idOf(taskId, told) {
      const known = find.get(taskId);
      if (known !== undefined && known > told) return known;
      storingIfRoom(() => noteAgain(taskId));
      const noted = find.get(taskId);
      return noted !== undefined && noted > told ? noted : undefined;
    },
    since(changeId, limit) {
      const { first = 0, last = 0 } = range.get() ?? {};
      const oldest = Math.max(first, last - kept);
      if (!Number.isSafeInteger(changeId) || changeId < oldest || changeId > last) return undefined;
      return after
        .all({ changeId, limit })
        .map(({ removedAs, ...change }) => ({ ...change, ...(removedAs && { removedAs }) }));
    },
    sweep: () => storingIfRoom(() => sweep.run(kept)),
  };
}
