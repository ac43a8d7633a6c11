/**
 * A migration: watched folders, and what was seen in them. A file is told again only when its size or time of
 * change differs. A trigger keeps how its task stands, so that the counts outlive the tasks. `task_id` is NULL
 * for what was there before a watch that leaves such files out.
 */
export const watchesSchema = `
CREATE TABLE watches (
  id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  preset_id TEXT NOT NULL REFERENCES presets (id),
  save_to TEXT NOT NULL,
  recursive INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  leaves_present INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX watches_by_preset ON watches (preset_id);

CREATE TABLE seen_files (
  watch_id TEXT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  modified_ms INTEGER NOT NULL,
  preset_id TEXT NOT NULL,
  task_id TEXT,
  status TEXT,
  PRIMARY KEY (watch_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_files_by_task ON seen_files (task_id) WHERE task_id IS NOT NULL;
CREATE TRIGGER seen_file_goes_on AFTER UPDATE OF status ON tasks WHEN OLD.status <> NEW.status BEGIN
  UPDATE seen_files SET status = NEW.status WHERE task_id = NEW.task_id;
END;
`;

/** A migration: what is there when a watch is made is noted then, not at its first look. */
export const watchesWithoutFirstLook = 'ALTER TABLE watches DROP COLUMN leaves_present;';
