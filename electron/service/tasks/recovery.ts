/** What a former process left: open starts, and files that belong to nothing. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../contract/log.ts';
import type { Results } from '../results/results.ts';
import type { Store } from '../store/store.ts';
import type { Ending } from '../store/task-transitions.ts';
import { serviceCrashed } from './failures.ts';

/** Each start that was found open counts as a death of the service. To be called before anything is taken. */
export function recoverOpenStarts(store: Store, ending: Ending, log: Log): void {
  for (const task of store.tasks.recover({ ...serviceCrashed, ...ending })) {
    const { taskId, status, serviceDeaths } = task;
    log('warn', 'The service ended while this task ran.', { taskId, status, serviceDeaths });
  }
}

export interface LeftFiles {
  scratch: string[];
  sources: string[];
  results: string[];
}

export interface LeftFilePlaces {
  scratchDir: string;
  sourcesDir: string;
  results: Results;
}

/** Lists what is there before this process makes anything of its own: only that may be swept. */
export async function listLeftFiles(places: LeftFilePlaces): Promise<LeftFiles> {
  const pathsIn = async (dir: string) => (await namesIn(dir)).map((name) => join(dir, name));
  return {
    scratch: await pathsIn(places.scratchDir),
    sources: await pathsIn(places.sourcesDir),
    results: await places.results.taskIds(),
  };
}

/**
 * Deletes what attempts left of tasks that have no result, so that one which is cancelled before its next attempt
 * leaves nothing. A result that only waits to be saved stays. To be called before anything is taken. Never rejects.
 */
export async function discardBrokenAttempts(
  taskIds: readonly string[],
  { store, results, log }: { store: Store; results: Results; log: Log },
): Promise<void> {
  for (const taskId of taskIds) {
    const status = store.tasks.get(taskId)?.status;
    if (status === undefined || status === 'FINISHED') continue;
    try {
      if (!(await results.kept(taskId))) await results.discard(taskId);
    } catch (thrown) {
      const fields = { taskId, error: String(thrown) };
      log('warn', 'What a broken attempt left could not be deleted.', fields);
    }
  }
}

/**
 * Deletes those that no row needs, until the signal fires. Runs beside the queue: names of running attempts are
 * always new ones. Never rejects.
 */
export async function sweepLeftFiles(
  left: LeftFiles,
  { store, results, log }: { store: Store; results: Results; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const sweep = async (what: string, clear: () => Promise<void>) => {
    if (signal.aborted) return;
    try {
      await clear();
    } catch (thrown) {
      log('warn', 'A left file could not be deleted.', { what, error: String(thrown) });
    }
  };
  for (const path of left.scratch) {
    await sweep(path, () => rm(path, { recursive: true, force: true }));
  }
  for (const path of left.sources) {
    await sweep(path, () => deleteUnheld(store, path));
  }
  for (const taskId of left.results) {
    await sweep(taskId, () => removeUnknown(store, results, taskId));
  }
}

async function deleteUnheld(store: Store, path: string): Promise<void> {
  if (!store.tasks.holdsFile(path)) await rm(path, { force: true });
}

async function removeUnknown(store: Store, results: Results, taskId: string): Promise<void> {
  if (!store.tasks.get(taskId) && !store.tasks.isRemoved(taskId)) await results.remove(taskId);
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}
