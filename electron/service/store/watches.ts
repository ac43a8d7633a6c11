/** Watched folders, and the files seen in them. */
import type { Watch, WatchCounts } from '../../../packages/contract/src/settings/watch.ts';
import type { TaskStatus } from '../../../packages/contract/src/task.ts';
import { inTransaction, runWrite, type SqliteConnection } from './connection.ts';
import { type Columns, readJson, rowOf } from './columns.ts';

/** `folder` and `saveTo` are real paths, without symbolic links. */
export type WatchRow = Omit<Watch, 'createdAt' | 'state' | 'message' | 'counts'> & {
  /** Wall clock, milliseconds. */
  createdAt: number;
  /** Absolute paths that only the watch and its tasks may read and write, in addition to those of the settings. */
  grants: readonly string[];
};

export interface SeenFile {
  watchId: string;
  /** Relative to the watched folder, with forward slashes. */
  path: string;
  sizeBytes: number;
  modifiedMs: number;
  /** Preset in use at that time. */
  presetId: string;
  taskId?: string;
  status?: TaskStatus | 'CANCELLED';
}

export interface WatchTable {
  /** In order of creation. */
  list(): WatchRow[];
  get(id: string): WatchRow | undefined;
  save(row: WatchRow): void;
  /** Returns false if there is no such watch. */
  remove(id: string): boolean;
  counts(id: string): WatchCounts;
  seen(watchId: string, path: string): SeenFile | undefined;
  noteSeen(files: readonly SeenFile[]): void;
}

/** Row form: booleans are 0 and 1, grants are JSON. */
type WatchColumns = Omit<WatchRow, 'recursive' | 'enabled' | 'grants'> & {
  recursive: number;
  enabled: number;
  grants: string;
};

const columns =
  'id, folder, preset_id AS presetId, save_to AS saveTo, recursive, enabled, created_at AS createdAt, grants FROM watches';

export function createWatchTable(db: SqliteConnection): WatchTable {
  const all = db.prepare<[], WatchColumns>(`SELECT ${columns} ORDER BY created_at, id`);
  const get = db.prepare<[string], WatchColumns>(`SELECT ${columns} WHERE id = ?`);
  const save = db.prepare<[object]>(
    `INSERT INTO watches VALUES (@id, @folder, @presetId, @saveTo, @recursive, @enabled, @createdAt, @grants)
     ON CONFLICT DO UPDATE SET preset_id = @presetId, save_to = @saveTo, recursive = @recursive,
       enabled = @enabled, grants = @grants`,
  );
  const remove = db.prepare<[string]>('DELETE FROM watches WHERE id = ?');
  return {
    list: () => all.all().map(toWatchRow),
    get(id) {
      const raw = get.get(id);
      return raw && toWatchRow(raw);
    },
    save: (row) => void runWrite(() => save.run(asIntegers(row))),
    remove: (id) => runWrite(() => remove.run(id)).changes === 1,
    ...prepareSeen(db),
  };
}

function prepareSeen(db: SqliteConnection): Pick<WatchTable, 'counts' | 'seen' | 'noteSeen'> {
  const counts = db.prepare<[string], WatchCounts>(
    `SELECT count(task_id) AS seen, count(iif(status = 'FINISHED', 1, NULL)) AS finished,
       count(iif(status = 'FAILED', 1, NULL)) AS failed,
       count(iif(status = 'CANCELLED', 1, NULL)) AS cancelled
     FROM seen_files WHERE watch_id = ?`,
  );
  const find = db.prepare<[string, string], Columns<SeenFile>>(
    `SELECT watch_id AS watchId, path, size_bytes AS sizeBytes, modified_ms AS modifiedMs,
       preset_id AS presetId, task_id AS taskId, status
     FROM seen_files WHERE watch_id = ? AND path = ?`,
  );
  const note = db.prepare<[object]>(
    `INSERT INTO seen_files
     VALUES (@watchId, @path, @sizeBytes, @modifiedMs, @presetId, @taskId, @status)
     ON CONFLICT DO UPDATE SET size_bytes = @sizeBytes, modified_ms = @modifiedMs,
       preset_id = @presetId, task_id = @taskId, status = @status`,
  );
  return {
    counts: (id) => counts.get(id) ?? { seen: 0, finished: 0, failed: 0, cancelled: 0 },
    seen(watchId, path) {
      const raw = find.get(watchId, path);
      return raw && rowOf<SeenFile>(raw);
    },
    noteSeen: (files) =>
      inTransaction(db, () => {
        for (const file of files)
          note.run({ ...file, taskId: file.taskId ?? null, status: file.status ?? null });
      }),
  };
}

function asIntegers(row: WatchRow): object {
  const { recursive, enabled, grants } = row;
  return {
    ...row,
    recursive: Number(recursive),
    enabled: Number(enabled),
    grants: JSON.stringify(grants),
  };
}

function toWatchRow(row: WatchColumns): WatchRow {
  const grants = readJson(row.grants);
  return {
    ...row,
    recursive: row.recursive === 1,
    enabled: row.enabled === 1,
    grants: Array.isArray(grants) ? grants.filter((path) => typeof path === 'string') : [],
  };
}
