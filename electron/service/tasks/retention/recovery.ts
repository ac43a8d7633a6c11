/** Recovery of open starts and orphaned files of a former process. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../../packages/contract/src/log.ts';
import { hasCode } from '../../../../packages/files/src/file-errors.ts';
import type { Results } from '../../results/results.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEnding } from '../../store/tasks/transitions.ts';
import { isPartial } from '../../sources/received-file.ts';
import { orphanRetentionMs } from '../../sources/uploads.ts';
import { serviceCrashed } from '../failures.ts';

/** Counts each open start as a service crash. Must run before the dispatcher starts. */
export function recoverOpenStarts(store: Store, ending: TaskEnding, log: Log): void {
  for (const task of store.tasks.recover({ ...serviceCrashed, ...ending })) {
    const { taskId, status, serviceDeaths } = task;
    log('warn', 'The service ended while this task ran.', { taskId, status, serviceDeaths });
  }
}

export interface FilesAtStart {
  scratch: string[];
  sources: string[];
  results: string[];
}

interface DataFolders {
  scratchDir: string;
  sourcesDir: string;
  results: Results;
}

/** Lists the files that exist before this process creates any: only these may be swept. */
export async function listFilesAtStart(folders: DataFolders): Promise<FilesAtStart> {
  const pathsIn = async (dir: string) => (await namesIn(dir)).map((name) => join(dir, name));
  return {
    scratch: await pathsIn(folders.scratchDir),
    sources: await pathsIn(folders.sourcesDir),
    results: await folders.results.taskIds(),
  };
}

/**
 * Deletes what interrupted attempts left of tasks without a result. Results that wait to be exported stay.
 * Must run before the dispatcher starts. Never rejects.
 */
export async function discardBrokenAttempts(
  taskIds: readonly string[],
  { store, results, log }: { store: Store; results: Results; log: Log },
): Promise<void> {
  for (const taskId of taskIds) {
    const status = store.tasks.get(taskId)?.status;
    if (status === undefined || status === 'FINISHED') continue;
    try {
      if (!(await results.readPendingExport(taskId))) await results.discard(taskId);
    } catch (thrown) {
      const fields = { taskId, error: String(thrown) };
      log('warn', 'What a broken attempt left could not be deleted.', fields);
    }
  }
}

interface SweepOptions {
  store: Store;
  results: Results;
  log: Log;
  /** Time of the service's clock in milliseconds. */
  nowMs(): number;
}

/**
 * Deletes scratch files, partial sources, and files that no row has named for days, until the signal fires.
 * Safe beside a running queue, since attempts use new names. Never rejects.
 */
export async function sweepOrphans(
  files: FilesAtStart,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, results, log } = options;
  const sweep = async (what: string, clear: () => Promise<void>) => {
    if (signal.aborted) return;
    try {
      await clear();
    } catch (thrown) {
      log('warn', 'A left file could not be deleted.', { what, error: String(thrown) });
    }
  };
  for (const path of files.scratch) {
    await sweep(path, () => rm(path, { recursive: true, force: true }));
  }
  for (const path of files.sources) {
    const isNamed = () => store.tasks.holdsFile(path);
    await sweep(path, () => deleteOrphan(path, isNamed, () => rm(path, { force: true }), options));
  }
  for (const taskId of files.results) {
    const path = results.pathOf(taskId, '');
    const isNamed = () => store.tasks.get(taskId) !== undefined || store.tasks.isRemoved(taskId);
    await sweep(path, () => deleteOrphan(path, isNamed, () => results.remove(taskId), options));
  }
}

/** Partial files were never acknowledged and are deleted at once; others after `unnamedKeptMs`. */
async function deleteOrphan(
  path: string,
  isNamed: () => boolean,
  remove: () => Promise<void>,
  options: SweepOptions,
): Promise<void> {
  if (isNamed()) return;
  const { store } = options;
  const now = options.nowMs();
  if (!isPartial(path) && !store.orphans.isDue(path, now - orphanRetentionMs, now)) return;
  await remove();
  store.orphans.forget(path);
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (thrown) {
    if (hasCode(thrown, ['ENOENT'])) return [];
    throw thrown;
  }
}
