/** Where results of ended tasks lie in folders of persons. */
import { runWrite, type SqliteConnection } from '../connection.ts';
import { prepareTasks, taskColumns } from './row.ts';
import type { Placement, Task } from './task.ts';

export interface PlacementTable {
  /** Records a save after the end, without placement one by itself; undefined unless FINISHED. */
  noteSaved(taskId: string, savedTo: string, placement?: Placement): Task | undefined;
  /** Records that the file is no longer in the folder; undefined unless it was at this path. */
  noteTakenOut(taskId: string, savedTo: string, placement: Placement): Task | undefined;
  /** Undefined unless FINISHED. */
  notePlacement(taskId: string, placement: Placement): Task | undefined;
  /** Commits the path before the result of an ended task is written to it. Returns false if the task is gone. */
  recordPlacing(taskId: string, path: string | undefined): boolean;
  /**
   * Keeps the result at least until `expiresOn`. Returns false if it has expired, or its file is not recorded at this
   * path.
   */
  holdResult(taskId: string, savedTo: string, nowOn: number, expiresOn: number): boolean;
  /** Tasks whose result was saved at this path. */
  savedAt(path: string): Task[];
  /** Photos with a version for a folder whose result is still kept. */
  photosInFolders(): string[];
}

const finished = `task_id = @taskId AND status = 'FINISHED'`;

export function createPlacements(db: SqliteConnection): PlacementTable {
  const update = (change: string, where = finished) =>
    prepareTasks(db, `UPDATE tasks SET ${change} WHERE ${where} RETURNING ${taskColumns}`);
  const noteSaved = update('saved_to = @savedTo, placement = @placement');
  const noteTakenOut = update(
    'saved_to = NULL, save_path = NULL, placement = @placement',
    `${finished} AND saved_to = @savedTo`,
  );
  const notePlacement = update('placement = @placement');
  const recordPlacing = db.prepare<[object]>(
    `UPDATE tasks SET save_path = @path WHERE ${finished}`,
  );
  const holdResult = db.prepare<[object]>(
    `UPDATE tasks SET expires_on = max(expires_on, @expiresOn)
     WHERE ${finished} AND saved_to = @savedTo AND swept = 0 AND expires_on > @nowOn`,
  );
  const savedAt = prepareTasks(db, `SELECT ${taskColumns} FROM tasks WHERE saved_to = @path`);
  const photosInFolders = db
    .prepare<[], string>(
      'SELECT DISTINCT photo FROM tasks INDEXED BY tasks_in_folders WHERE placement IS NOT NULL AND swept = 0',
    )
    .pluck();
  return {
    noteSaved: (taskId, savedTo, placement) =>
      noteSaved.one({ taskId, savedTo, placement: placement ? JSON.stringify(placement) : null }),
    noteTakenOut: (taskId, savedTo, placement) =>
      noteTakenOut.one({ taskId, savedTo, placement: JSON.stringify(placement) }),
    notePlacement: (taskId, placement) =>
      notePlacement.one({ taskId, placement: JSON.stringify(placement) }),
    recordPlacing: (taskId, path) =>
      runWrite(() => recordPlacing.run({ taskId, path: path ?? null })).changes === 1,
    holdResult: (taskId, savedTo, nowOn, expiresOn) =>
      runWrite(() => holdResult.run({ taskId, savedTo, nowOn, expiresOn })).changes === 1,
    savedAt: (path) => savedAt.all({ path }),
    photosInFolders: () => photosInFolders.all(),
  };
}
