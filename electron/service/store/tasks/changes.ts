/**
 * The number of each task's last change, also of removed tasks. Numbers only rise, so an interrupted event
 * stream can continue after one. Maintained by triggers of the tasks table.
 */
import type { TaskStatus } from '../../../../packages/contract/src/task.ts';
import { runOptionalWrite, type SqliteConnection } from '../connection.ts';

export interface TaskChangeRow {
  changeId: number;
  taskId: string;
  /** Status at removal. */
  removedAs?: TaskStatus;
}

export interface ChangeTable {
  /** Number of the newest change of any task. */
  newest(): number;
  /**
   * Number of the task's last change. A number not above `publishedId` is replaced by a new one, so that
   * clients that have seen `publishedId` receive this change too. Returns undefined if the disk is full.
   */
  idOf(taskId: string, publishedId: number): number | undefined;
  /** Changes after `changeId`, in order; undefined if the number is unknown or too old. */
  since(changeId: number, limit: number): TaskChangeRow[] | undefined;
  /** Drops removed tasks that more than `retainedChanges` changes followed. */
  sweep(): void;
}

/** Number of changes for which removals are remembered. */
const defaultRetained = 100_000;

export function createChangeTable(
  db: SqliteConnection,
  retainedChanges = defaultRetained,
): ChangeTable {
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
    idOf(taskId, publishedId) {
      const known = find.get(taskId);
      if (known !== undefined && known > publishedId) return known;
      runOptionalWrite(() => noteAgain(taskId));
      const noted = find.get(taskId);
      return noted !== undefined && noted > publishedId ? noted : undefined;
    },
    since(changeId, limit) {
      const { first = 0, last = 0 } = range.get() ?? {};
      const oldest = Math.max(first, last - retainedChanges);
      if (!Number.isSafeInteger(changeId) || changeId < oldest || changeId > last) return undefined;
      return after
        .all({ changeId, limit })
        .map(({ removedAs, ...change }) => ({ ...change, ...(removedAs && { removedAs }) }));
    },
    sweep: () => runOptionalWrite(() => sweep.run(retainedChanges)),
  };
}
