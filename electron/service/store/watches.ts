/** Watched folders, and which files of them were seen. */
import type { WatchCounts } from '../../contract/watch.ts';
import type { TaskStatus } from '../../contract/task.ts';
import { inTransaction, storing, type Connection } from './connection.ts';

export interface WatchRow {
  id: string;
  /** A real path, as saveTo. */
  folder: string;
  presetId: string;
  saveTo: string;
  recursive: boolean;
  enabled: boolean;
  /** Milliseconds of the wall clock. */
  createdAt: number;
}

export interface SeenFile {
  watchId: string;
  /** Inside the watched folder, with forward slashes. */
  path: string;
  sizeBytes: number;
  modifiedMs: number;
  /** The one that was in use then. */
  presetId: string;
  taskId?: string;
  status?: TaskStatus;
}

export interface WatchTable {
  /** In the order in which they were made. */
  list(): WatchRow[];
  get(id: string): WatchRow | undefined;
  save(row: WatchRow): void;
  /** False when there is none. */
  remove(id: string): boolean;
  counts(id: string): WatchCounts;
  seen(watchId: string, path: string): SeenFile | undefined;
  noteSeen(files: readonly SeenFile[]): void;
}

interface RawWatch {
  id: string;
  folder: string;
  preset_id: string;
  save_to: string;
  recursive: number;
  enabled: number;
  created_at: number;
}

interface RawSeen {
  watch_id: string;
  path: string;
  size_bytes: number;
  modified_ms: number;
  preset_id: string;
  task_id: string | null;
  status: TaskStatus | null;
}

export function createWatchTable(db: Connection): WatchTable {
  const all = db.prepare<[], RawWatch>('SELECT * FROM watches');
  const get = db.prepare<[string], RawWatch>('SELECT * FROM watches WHERE id = ?');
  const save = db.prepare<[object]>(
    `INSERT INTO watches VALUES (@id, @folder, @presetId, @saveTo, @recursive, @enabled, @createdAt)
     ON CONFLICT DO UPDATE SET preset_id = @presetId, save_to = @saveTo, recursive = @recursive,
       enabled = @enabled`,
  );
  const remove = db.prepare<[string]>('DELETE FROM watches WHERE id = ?');
  return {
    list: () =>
      all
        .all()
        .map(toWatchRow)
        .sort((a, b) => a.createdAt - b.createdAt),
    get(id) {
      const raw = get.get(id);
      return raw && toWatchRow(raw);
    },
    save: (row) => void storing(() => save.run(asIntegers(row))),
    remove: (id) => storing(() => remove.run(id)).changes === 1,
    ...prepareSeen(db),
  };
}

function prepareSeen(db: Connection): Pick<WatchTable, 'counts' | 'seen' | 'noteSeen'> {
  const counts = db.prepare<[string], WatchCounts>(
    `SELECT count(task_id) AS seen, count(iif(status = 'FINISHED', 1, NULL)) AS finished,
       count(iif(status = 'FAILED', 1, NULL)) AS failed
     FROM seen_files WHERE watch_id = ?`,
  );
  const find = db.prepare<[string, string], RawSeen>(
    'SELECT * FROM seen_files WHERE watch_id = ? AND path = ?',
  );
  const note = db.prepare<[object]>(
    `INSERT INTO seen_files
     VALUES (@watchId, @path, @sizeBytes, @modifiedMs, @presetId, @taskId, @status)
     ON CONFLICT DO UPDATE SET size_bytes = @sizeBytes, modified_ms = @modifiedMs,
       preset_id = @presetId, task_id = @taskId, status = @status`,
  );
  return {
    counts: (id) => counts.get(id) ?? { seen: 0, finished: 0, failed: 0 },
    seen(watchId, path) {
      const raw = find.get(watchId, path);
      return raw && toSeenFile(raw);
    },
    noteSeen: (files) =>
      inTransaction(db, () => {
        for (const file of files)
          note.run({ ...file, taskId: file.taskId ?? null, status: file.status ?? null });
      }),
  };
}

function asIntegers(row: WatchRow): object {
  return { ...row, recursive: Number(row.recursive), enabled: Number(row.enabled) };
}

function toWatchRow(raw: RawWatch): WatchRow {
  return {
    id: raw.id,
    folder: raw.folder,
    presetId: raw.preset_id,
    saveTo: raw.save_to,
    recursive: raw.recursive === 1,
    enabled: raw.enabled === 1,
    createdAt: raw.created_at,
  };
}

function toSeenFile(raw: RawSeen): SeenFile {
  return {
    watchId: raw.watch_id,
    path: raw.path,
    sizeBytes: raw.size_bytes,
    modifiedMs: raw.modified_ms,
    presetId: raw.preset_id,
    ...(raw.task_id !== null && { taskId: raw.task_id }),
    ...(raw.status !== null && { status: raw.status }),
  };
}
