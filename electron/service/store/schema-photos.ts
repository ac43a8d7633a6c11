/**
 * A migration: which photo a task is a version of, and the photos that the page added. A photo holds its
 * upload, so that it can be started after a reload and run again while a version of it is kept. What was
 * dropped may be added again for a minute and keeps its upload as long; times are the service's own.
 */
export const photosSchema = `
ALTER TABLE tasks ADD COLUMN photo TEXT;
CREATE INDEX tasks_of_photo ON tasks (photo, seq) WHERE photo IS NOT NULL;
CREATE TABLE photos (
  photo TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  image_url TEXT NOT NULL,
  upload_id TEXT,
  choices TEXT NOT NULL,
  is_ready INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  added_on INTEGER NOT NULL,
  dropped_on INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX photos_holding_upload ON photos (upload_id) WHERE upload_id IS NOT NULL;
`;
