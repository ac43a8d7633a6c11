/**
 * Numbered migrations, each run once, in order. A released one is never edited: append another. `user_version` is the
 * number of migrations done.
 */
import { shopPictureOptions } from '../../../packages/contract/src/settings/shop-picture.ts';
import { inTransaction, type SqliteConnection } from './connection.ts';

/**
 * Migration 1. Times named _at are wall clock, for people; times named _on are service clock, used for
 * expiry; both in milliseconds. `place` is a sparse sort key: only its order has a meaning. status_counts and
 * waiting_counts are kept by triggers, so that counts and a task's queue position cost the same with 100,000
 * waiting tasks as with ten. A bucket is the place without its low 34 bits. An upload is `left` when a task
 * has released it (another one may still hold it).
 */
const firstSchema = `
CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL UNIQUE,
  operation TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'FINISHED', 'FAILED')),
  priority INTEGER NOT NULL,
  place INTEGER NOT NULL,
  source TEXT NOT NULL,
  source_path TEXT,
  upload_id TEXT,
  holds_source INTEGER NOT NULL DEFAULT 1,
  options TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  engine_deaths INTEGER NOT NULL DEFAULT 0,
  service_deaths INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  queued_on INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  expires_on INTEGER,
  swept INTEGER NOT NULL DEFAULT 0,
  report TEXT,
  files TEXT,
  save_path TEXT,
  saved_to TEXT,
  error_code TEXT,
  error_message TEXT,
  CHECK ((status = 'FAILED') = (error_code IS NOT NULL)),
  CHECK ((status = 'FINISHED') = (files IS NOT NULL)),
  CHECK ((status IN ('FINISHED', 'FAILED')) = (expires_on IS NOT NULL))
) STRICT;

CREATE INDEX tasks_waiting ON tasks (priority DESC, place, seq) WHERE status = 'PENDING';
CREATE INDEX tasks_by_status ON tasks (status, seq);
CREATE INDEX tasks_to_sweep ON tasks (expires_on) WHERE swept = 0 AND expires_on IS NOT NULL;
CREATE INDEX tasks_to_drop ON tasks (expires_on) WHERE swept = 1;
CREATE INDEX tasks_holding_file ON tasks (source_path) WHERE holds_source = 1 AND source_path IS NOT NULL;
CREATE INDEX tasks_holding_upload ON tasks (upload_id) WHERE holds_source = 1 AND upload_id IS NOT NULL;

CREATE TABLE status_counts (status TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO status_counts VALUES ('PENDING', 0), ('PROCESSING', 0), ('FINISHED', 0), ('FAILED', 0);

CREATE TABLE waiting_counts (
  priority INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (priority, bucket)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks BEGIN
  UPDATE status_counts SET n = n + 1 WHERE status = NEW.status;
END;
CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks BEGIN
  UPDATE status_counts SET n = n - 1 WHERE status = OLD.status;
END;
CREATE TRIGGER tasks_counted_over AFTER UPDATE OF status ON tasks WHEN OLD.status <> NEW.status BEGIN
  UPDATE status_counts SET n = n - 1 WHERE status = OLD.status;
  UPDATE status_counts SET n = n + 1 WHERE status = NEW.status;
END;

CREATE TRIGGER tasks_wait_from_insert AFTER INSERT ON tasks WHEN NEW.status = 'PENDING' BEGIN
  INSERT INTO waiting_counts VALUES (NEW.priority, NEW.place >> 34, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER tasks_wait_until_delete AFTER DELETE ON tasks WHEN OLD.status = 'PENDING' BEGIN
  UPDATE waiting_counts SET n = n - 1 WHERE priority = OLD.priority AND bucket = OLD.place >> 34;
  DELETE FROM waiting_counts WHERE priority = OLD.priority AND bucket = OLD.place >> 34 AND n = 0;
END;
CREATE TRIGGER tasks_wait_until AFTER UPDATE OF status, priority, place ON tasks WHEN OLD.status = 'PENDING' BEGIN
  UPDATE waiting_counts SET n = n - 1 WHERE priority = OLD.priority AND bucket = OLD.place >> 34;
  DELETE FROM waiting_counts WHERE priority = OLD.priority AND bucket = OLD.place >> 34 AND n = 0;
END;
CREATE TRIGGER tasks_wait_from AFTER UPDATE OF status, priority, place ON tasks WHEN NEW.status = 'PENDING' BEGIN
  INSERT INTO waiting_counts VALUES (NEW.priority, NEW.place >> 34, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TABLE idempotency (
  idempotency_key TEXT NOT NULL,
  key_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
  created_on INTEGER NOT NULL,
  PRIMARY KEY (idempotency_key, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_task ON idempotency (task_id);
CREATE INDEX idempotency_by_age ON idempotency (created_on);

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE flags (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  service_ms INTEGER NOT NULL,
  wall_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE uploads (
  upload_id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_on INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'unused' CHECK (state IN ('unused', 'used', 'left'))
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_by_state ON uploads (state, created_on);
CREATE TRIGGER upload_left AFTER UPDATE OF holds_source ON tasks
  WHEN OLD.holds_source = 1 AND NEW.holds_source = 0 AND OLD.upload_id IS NOT NULL BEGIN
  UPDATE uploads SET state = 'left' WHERE upload_id = OLD.upload_id;
END;
CREATE TRIGGER upload_left_by_delete AFTER DELETE ON tasks WHEN OLD.upload_id IS NOT NULL BEGIN
  UPDATE uploads SET state = 'left' WHERE upload_id = OLD.upload_id;
END;

CREATE TABLE speeds (
  model_id TEXT NOT NULL,
  scale INTEGER NOT NULL,
  provider TEXT NOT NULL,
  precision TEXT NOT NULL,
  megapixels_per_second REAL NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (model_id, scale, provider, precision)
) STRICT, WITHOUT ROWID;
`;

/** Presets. Names are unique regardless of ASCII case. */
const presetsSchema = `
CREATE TABLE presets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  operation TEXT NOT NULL,
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * Removed tasks, which can be restored for a while. Their rows are in a table of their own, so that nothing
 * lists, counts or claims them; `row` holds every column by name.
 */
const removedSchema = `
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

/** The inspection of a waiting task's picture as JSON: header data, or why it is unreadable. */
const inspectionsSchema = `
ALTER TABLE tasks ADD COLUMN look TEXT;
CREATE INDEX tasks_to_look_at ON tasks (seq) WHERE look IS NULL AND status = 'PENDING';
`;

/**
 * Watched folders and the files seen in them. A file is submitted again only if its size or modification time
 * differs. A trigger keeps the status of its task, so that counts outlive the tasks. `task_id` is NULL for
 * files that existed before a watch that excludes these.
 */
const watchesSchema = `
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

/** Existing files are recorded when the watch is created, instead of at its first scan. */
const watchesWithoutFirstScan = 'ALTER TABLE watches DROP COLUMN leaves_present;';

/**
 * The photo that a task is a version of, and the photos added in the page. A photo holds its upload, so that
 * it survives a reload and can be enlarged again while a version exists. A dropped photo can be added again
 * for a minute, and keeps its upload as long. Times are service clock.
 */
const photosSchema = `
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

/** Small files without position and serial numbers. */
const forTheWeb = { scale: 4, format: 'jpeg', quality: 85, metadata: 'private' };

/** Three presets to start with, which people may change and delete. */
const shipped = [
  { name: 'Web 4x', operation: 'upscale', options: forTheWeb },
  { name: 'Print 2x', operation: 'upscale', options: { scale: 2, format: 'tiff' } },
  { name: 'Shop picture', operation: 'remove-bg', options: shopPictureOptions },
];

const rows = shipped.map(
  ({ name, operation, options }, i) =>
    `('shipped-${i + 1}', '${name}', '${operation}', '${JSON.stringify(options)}', unixepoch() * 1000)`,
);

/** A person's preset of the same name stays. */
const shippedPresets = `INSERT OR IGNORE INTO presets VALUES ${rows.join(',\n')};`;

/** Drops the hashes of uploads, which were never read. */
const uploadsWithoutHashes = 'ALTER TABLE uploads DROP COLUMN sha256;';

/** When a person downloaded the result: it is not lost when it expires. */
const takenResults = 'ALTER TABLE tasks ADD COLUMN taken_at INTEGER;';

/** Unnamed files are deleted only after some days; notices are kept until dismissed. */
const rescueSchema = `
CREATE TABLE unnamed_files (path TEXT PRIMARY KEY, seen_on INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE notices (
  code TEXT PRIMARY KEY,
  message TEXT NOT NULL,
  noticed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Index of waiting tasks that need no download and may overtake those that do. */
/** Delivery state of callbacks. The indexes search text, since a row may be damaged. */
const callbacksSchema = `
CREATE TABLE callbacks (
  task_id TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_on INTEGER NOT NULL,
  problem TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX callbacks_waiting ON callbacks (due_on) WHERE state = 'waiting';
CREATE INDEX tasks_calling_back ON tasks (task_id)
  WHERE instr(options, '"callbackUrl":') > 0 AND status IN ('FINISHED', 'FAILED');
`;

/** Uploads used as background of a task, held as long as its source. */
const backgroundsSchema = `
CREATE TABLE backgrounds (
  task_id TEXT PRIMARY KEY,
  upload_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX backgrounds_of_upload ON backgrounds (upload_id);
CREATE TRIGGER backgrounds_go_with_upload AFTER DELETE ON uploads BEGIN
  DELETE FROM backgrounds WHERE upload_id = OLD.upload_id;
END;
`;

const waitingHere = `
CREATE INDEX tasks_waiting_here ON tasks (priority DESC, place, seq)
  WHERE status = 'PENDING' AND substr(source, 1, 13) <> '{"kind":"url"';
`;

/** A person's mark of a result. */
const markedResults = 'ALTER TABLE tasks ADD COLUMN mark TEXT;';

/**
 * Numbers the last change of each task. The first number is derived from the wall clock, so that numbers of
 * another database are never valid here; its row has an empty task id. Changes of queue positions are not
 * numbered.
 */
const noteChange = (which: 'new' | 'old', removedAs = 'NULL') => `
  DELETE FROM changes WHERE task_id = ${which}.task_id;
  INSERT INTO changes (task_id, removed_as) VALUES (${which}.task_id, ${removedAs});`;
const changesSchema = `
CREATE TABLE changes (
  change_id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL UNIQUE,
  removed_as TEXT
) STRICT;
INSERT INTO changes (change_id, task_id) VALUES (unixepoch() * 1048576, '');
CREATE INDEX changes_of_removed ON changes (change_id) WHERE removed_as IS NOT NULL;
CREATE TRIGGER tasks_come AFTER INSERT ON tasks BEGIN ${noteChange('new')} END;
CREATE TRIGGER tasks_change AFTER UPDATE OF operation, status, priority, source, holds_source, options, attempts,
  started_at, ended_at, expires_on, swept, report, files, saved_to, error_code, error_message, photo, mark, taken_at
  ON tasks BEGIN ${noteChange('new')} END;
CREATE TRIGGER tasks_go AFTER DELETE ON tasks BEGIN ${noteChange('old', 'old.status')} END;
`;

/** Drops measured speeds, which the engine stores. */
const speedsOfEngineAlone = 'DROP TABLE speeds;';

/** Callbacks of starts beside those of ends, keys that may be called back locally, and each task's key. */
const callbackEventsSchema = `
CREATE TABLE event_callbacks (
  task_id TEXT NOT NULL,
  event TEXT NOT NULL,
  occasion INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_on INTEGER NOT NULL,
  problem TEXT,
  PRIMARY KEY (task_id, event)
) STRICT, WITHOUT ROWID;
INSERT INTO event_callbacks SELECT task_id, 'ended', ended_at, state, attempts, due_on, problem FROM callbacks;
DROP TABLE callbacks;
CREATE INDEX callbacks_waiting ON event_callbacks (due_on) WHERE state = 'waiting';
ALTER TABLE keys ADD COLUMN local_callbacks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN key_id TEXT;
`;

/** Which of a photo's versions lies in a person's folder. */
const placements = `
ALTER TABLE tasks ADD COLUMN placement TEXT;
CREATE INDEX tasks_in_folders ON tasks (photo) WHERE placement IS NOT NULL AND swept = 0;
DROP TRIGGER tasks_change;
CREATE TRIGGER tasks_change AFTER UPDATE OF operation, status, priority, source, holds_source, options, attempts,
  started_at, ended_at, expires_on, swept, report, files, saved_to, placement, error_code, error_message, photo, mark,
  taken_at ON tasks BEGIN ${noteChange('new')} END;
`;

/** Paths that a watch and its tasks alone may read and write, as JSON. */
const grantsOfWatches = `ALTER TABLE watches ADD COLUMN grants TEXT NOT NULL DEFAULT '[]';`;

/** Counts the cancelled tasks among the failed ones, as status_counts does the others. */
const wasCancelled = (which: 'OLD' | 'NEW') =>
  `(${which}.status = 'FAILED' AND ${which}.error_code IS 'CANCELLED')`;
const cancelledCounts = `
INSERT INTO status_counts
  SELECT 'CANCELLED', count(*) FROM tasks WHERE status = 'FAILED' AND error_code = 'CANCELLED';
CREATE TRIGGER tasks_cancelled_in AFTER INSERT ON tasks WHEN ${wasCancelled('NEW')} BEGIN
  UPDATE status_counts SET n = n + 1 WHERE status = 'CANCELLED';
END;
CREATE TRIGGER tasks_cancelled_out AFTER DELETE ON tasks WHEN ${wasCancelled('OLD')} BEGIN
  UPDATE status_counts SET n = n - 1 WHERE status = 'CANCELLED';
END;
CREATE TRIGGER tasks_cancelled_over AFTER UPDATE OF status, error_code ON tasks
  WHEN ${wasCancelled('OLD')} <> ${wasCancelled('NEW')} BEGIN
  UPDATE status_counts SET n = n + ${wasCancelled('NEW')} - ${wasCancelled('OLD')}
    WHERE status = 'CANCELLED';
END;
`;

/** Finds the task of a result that a watch sees. */
const savedPaths =
  'CREATE INDEX tasks_by_saved_path ON tasks (saved_to) WHERE saved_to IS NOT NULL;';

/** A watch counts its cancelled files apart from those that failed. */
const cancelledFiles = `
UPDATE seen_files SET status = 'CANCELLED' WHERE task_id IN
  (SELECT task_id FROM tasks WHERE status = 'FAILED' AND error_code = 'CANCELLED');
DROP TRIGGER seen_file_goes_on;
CREATE TRIGGER seen_file_goes_on AFTER UPDATE OF status ON tasks WHEN OLD.status <> NEW.status BEGIN
  UPDATE seen_files SET status = iif(${wasCancelled('NEW')}, 'CANCELLED', NEW.status)
    WHERE task_id = NEW.task_id;
END;
`;

/** Sources name their watch since; a watch knows the tasks of its files. */
const watchOfSources = `
UPDATE tasks SET source = json_set(tasks.source, '$.watchId', seen_files.watch_id) FROM seen_files
  WHERE seen_files.task_id = tasks.task_id AND tasks.source ->> '$.watchId' IS NULL;
`;

export const migrations: readonly string[] = [
  firstSchema,
  presetsSchema,
  removedSchema,
  inspectionsSchema,
  watchesSchema,
  watchesWithoutFirstScan,
  photosSchema,
  shippedPresets,
  uploadsWithoutHashes,
  takenResults,

  rescueSchema,
  waitingHere,
  markedResults,
  callbacksSchema,
  changesSchema,
  backgroundsSchema,
  speedsOfEngineAlone,
  callbackEventsSchema,
  placements,
  grantsOfWatches,
  cancelledCounts,
  savedPaths,
  cancelledFiles,
  watchOfSources,
];

/** @throws Error a sentence, if a newer program wrote the database. Changes nothing. */
export function assertKnown(db: SqliteConnection, steps: readonly string[] = migrations): void {
  const done = readVersion(db);
  if (done > steps.length) {
    throw new Error(
      `The data folder's database is of version ${done}, and this program knows versions up to ${steps.length}. ` +
        'It was written by a newer Enlarger: start that one, or choose another data folder.',
    );
  }
}

/** Schema version of a database that will be migrated; undefined if it is new or up to date. */
export function outdatedVersion(db: SqliteConnection): number | undefined {
  const done = readVersion(db);
  return done > 0 && done < migrations.length ? done : undefined;
}

/**
 * Runs the missing migrations in one transaction: a new data folder waits for the disk once, and an update that fails
 * leaves the version before it. @throws Error a sentence, if a newer program wrote the database
 */
export function migrate(db: SqliteConnection, steps: readonly string[] = migrations): void {
  assertKnown(db, steps);
  const missing = steps.slice(readVersion(db));
  if (missing.length === 0) return;
  inTransaction(db, () => {
    for (const step of missing) db.exec(step);
    db.pragma(`user_version = ${steps.length}`);
  });
}

function readVersion(db: SqliteConnection): number {
  return Number(db.pragma('user_version', { simple: true }));
}
