/**
 * Step 1. Times named _at are the wall clock's, for people; times named _on are the service's own, by
 * which things expire; both in milliseconds. `place` is a sparse key: only its order means something.
 *
 * status_counts and waiting_counts are kept by triggers, so that counting and a task's place in the queue
 * cost the same with 100,000 waiting tasks as with ten. A bucket is the place without its low 34 bits.
 * An upload is `left` when a task that used it has let it go (another one may still hold it).
 */
export const firstSchema = `
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
