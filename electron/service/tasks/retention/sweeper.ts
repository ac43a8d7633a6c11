/**
 * Retention by the service's clock: result files after the retention time, rows 30 days later, idempotency
 * keys after a day, uploads by their own rule. Files exported to a person's folder are never deleted. Each
 * sweep also saves the clock.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../../packages/contract/src/log.ts';
import type { ServiceClock } from '../../timing/clock.ts';
import type { Results } from '../../results/results.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../store/tasks/task.ts';

/** Undo time of a removal. */
export const restorableMs = 60_000;
export const rowRetentionMs = 30 * 24 * 3_600_000;

/** Time for which another task of a photo can use what one of it left: a photo is touched up soon after it ran. */
const keptMs = 3_600_000;

const sweepEveryMs = 60_000;

interface SweeperOptions {
  store: Store;
  clock: ServiceClock;
  results: Results;
  /** Folder for what later tasks of a photo can use. */
  keptDir: string;
  sweepUploads: () => Promise<void>;
  log: Log;
}

export interface Sweeper {
  start(): void;
  /** Runs one complete sweep. */
  sweep(): Promise<void>;
  /** Ends a running sweep, and removes what was kept for later tasks. */
  close(): Promise<void>;
}

const batch = 100;
const clockCheckMs = 5000;

export function createSweeper(options: SweeperOptions): Sweeper {
  const { clock, log } = options;
  const timers: NodeJS.Timeout[] = [];
  let current = Promise.resolve();
  const guarded = async (work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      log('error', 'What expired could not be swept.', { error: String(thrown) });
    }
  };
  const sweep = () => (current = current.then(() => sweepAll(options)));
  const saveAfterJump = () => {
    if (clock.hasJumped()) clock.save();
  };
  const fillReserve = () => options.store.fillReserve();
  return {
    sweep,
    start() {
      timers.push(setInterval(() => void guarded(sweep), sweepEveryMs).unref());
      timers.push(setInterval(() => void guarded(saveAfterJump), clockCheckMs).unref());
      timers.push(setTimeout(() => void guarded(fillReserve), clockCheckMs).unref());
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await guarded(() => current);
      await guarded(() => rm(options.keptDir, { recursive: true, force: true }));
    },
  };
}

async function sweepAll({
  store,
  clock,
  results,
  keptDir,
  sweepUploads,
  log,
}: SweeperOptions): Promise<void> {
  saveClock(clock, log);
  const now = clock.nowMs();
  const release = async (task: Task): Promise<boolean> => {
    try {
      await results.remove(task.taskId);
      await deleteDataFile(task);
      store.tasks.markSwept(task.taskId);
      return true;
    } catch (thrown) {
      log('warn', "An expired task's files could not be deleted.", { error: String(thrown) });
      return false;
    }
  };
  for (let all = true; all;) {
    const expired = store.tasks.expired(now, batch);
    const released = await Promise.all(expired.map(release));
    all = expired.length === batch && released.every(Boolean);
  }
  while (store.tasks.drop(now - rowRetentionMs, batch) === batch) await Promise.resolve();
  store.changes.sweep();
  store.idempotency.forget(now);
  store.photos.sweep({ droppedBy: now - restorableMs, addedBy: now - rowRetentionMs });
  await sweepUploads();
  await removeUnused(keptDir, clock.wallMs() - keptMs);
  store.fillReserve();
}

/** Removes the files of a folder, if there is one, that were last written before a time. */
async function removeUnused(folder: string, beforeMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => undefined);
    if (written && written.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}

/** Saving the clock fails on a full disk, where the sweep must run nevertheless. */
function saveClock(clock: ServiceClock, log: Log): void {
  try {
    clock.save();
  } catch (thrown) {
    log('warn', "The service's clock could not be stored.", { error: String(thrown) });
  }
}

/** Deletes the file of a `data:` source. Uploads may be shared and have their own sweep. */
export async function deleteDataFile({ source }: Pick<Task, 'source'>): Promise<void> {
  if (source.kind === 'data') await rm(source.path, { force: true });
}
