/** Uploads: kept until the tasks that use them end, unused ones for an hour. */
import { runWrite, type SqliteConnection } from './connection.ts';

export interface UploadRow {
  uploadId: string;
  path: string;
  /** File name on the client. */
  name: string;
  sizeBytes: number;
  /** Service clock. */
  createdOn: number;
}

export interface UploadTable {
  insert(upload: UploadRow): void;
  get(uploadId: string): UploadRow | undefined;
  /** Returns false if there is no such upload. */
  markUsed(uploadId: string): boolean;
  /** Sets or clears the upload used as the task's background. Returns false if there is no such upload. */
  noteBackground(taskId: string, uploadId: string | undefined): boolean;
  /** Used uploads that no task holds, and unused ones created before the time. */
  releasable(unusedBeforeOn: number, limit: number): UploadRow[];
  /** Deletes the row unless a task holds it. @returns true if deleted; the caller then deletes the file */
  remove(uploadId: string): boolean;
  hasFile(path: string): boolean;
}

const columns =
  'upload_id AS uploadId, path, name, size_bytes AS sizeBytes, created_on AS createdOn FROM uploads';

const held = `(EXISTS (SELECT 1 FROM tasks WHERE tasks.upload_id = uploads.upload_id AND holds_source = 1
  AND tasks.upload_id IS NOT NULL)
  OR EXISTS (SELECT 1 FROM removed_tasks AS r WHERE r.upload_id = uploads.upload_id AND r.upload_id IS NOT NULL)
  OR EXISTS (SELECT 1 FROM backgrounds AS b JOIN tasks USING (task_id)
    WHERE b.upload_id = uploads.upload_id AND holds_source = 1)
  OR EXISTS (SELECT 1 FROM backgrounds AS b JOIN removed_tasks USING (task_id)
    WHERE b.upload_id = uploads.upload_id)
  OR EXISTS (SELECT 1 FROM photos AS p WHERE p.upload_id = uploads.upload_id AND p.upload_id IS NOT NULL))`;

export function createUploadTable(db: SqliteConnection): UploadTable {
  const insert = db.prepare<[object]>(
    `INSERT INTO uploads (upload_id, path, name, size_bytes, created_on)
     VALUES (@uploadId, @path, @name, @sizeBytes, @createdOn)`,
  );
  const get = db.prepare<[string], UploadRow>(`SELECT ${columns} WHERE upload_id = ?`);
  const markUsed = db.prepare<[string]>(`UPDATE uploads SET state = 'used' WHERE upload_id = ?`);
  const clearBackground = db.prepare<[string]>('DELETE FROM backgrounds WHERE task_id = ?');
  const insertBackground = db.prepare<[object]>(
    `INSERT INTO backgrounds (task_id, upload_id)
     SELECT @taskId, upload_id FROM uploads WHERE upload_id = @uploadId`,
  );
  const releasable = db.prepare<[object], UploadRow>(
    `SELECT ${columns} WHERE (state = 'left' OR (state = 'unused' AND created_on <= @before)) AND NOT ${held} LIMIT @limit`,
  );
  const remove = db.prepare<[string]>(`DELETE FROM uploads WHERE upload_id = ? AND NOT ${held}`);
  const hasFile = db.prepare<[string], number>('SELECT 1 FROM uploads WHERE path = ?').pluck();
  return {
    insert: ({ uploadId, path, name, sizeBytes, createdOn }) =>
      void runWrite(() => insert.run({ uploadId, path, name, sizeBytes, createdOn })),
    get: (uploadId) => get.get(uploadId),
    markUsed: (uploadId) => runWrite(() => markUsed.run(uploadId)).changes === 1,
    noteBackground: (taskId, uploadId) =>
      runWrite(() => {
        clearBackground.run(taskId);
        return uploadId === undefined || insertBackground.run({ taskId, uploadId }).changes === 1;
      }),
    releasable: (before, limit) => releasable.all({ before, limit }),
    remove: (uploadId) => runWrite(() => remove.run(uploadId)).changes === 1,
    hasFile: (path) => hasFile.get(path) === 1,
  };
}
