/**
 * A migration: tasks that were removed and may be restored for a while. Their rows are out of the table of
 * tasks, so that nothing lists, counts or takes them; `row` holds every column by its name.
 */
export const removedSchema = `
CREATE TABLE removed_tasks (
  task_id TEXT PRIMARY KEY,
  row TEXT NOT NULL,
  source_path TEXT,
  upload_id TEXT,
  removed_on INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX removed_by_age ON removed_tasks (removed_on);
CREATE INDEX removed_holding_file ON removed_tasks (source_path) WHERE source_path IS NOT NULL;
CREATE INDEX removed_holding_upload ON removed_tasks (upload_id) WHERE upload_id IS NOT NULL;
`;
