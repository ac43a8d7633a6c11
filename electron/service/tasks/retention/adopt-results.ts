/**
 * Recovers results that have a folder but no row, after the database was lost or damaged: they become
 * FINISHED tasks with a new retention time.
 */
import type { Log } from '../../../../packages/contract/src/log.ts';
import type { ServiceClock } from '../../timing/clock.ts';
import type { Results } from '../../results/results.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEnding } from '../../store/tasks/transitions.ts';

interface AdoptionOptions {
  store: Store;
  results: Results;
  clock: ServiceClock;
  endingNow(): TaskEnding;
  log: Log;
}

/** Must run before the dispatcher starts. @param taskIds tasks that have a result folder */
export async function adoptResults(
  taskIds: readonly string[],
  options: AdoptionOptions,
): Promise<void> {
  const { store, clock, log } = options;
  const unknown = taskIds.filter(
    (taskId) => !store.tasks.get(taskId) && !store.tasks.isRemoved(taskId),
  );
  let count = 0;
  for (const taskId of unknown) if (await tryAdopt(taskId, options)) count += 1;
  if (count === 0) return;
  const message =
    `${count} finished ${count === 1 ? 'picture was' : 'pictures were'} found that the database did not know. ` +
    'They are in the list again, and stay as long as new ones.';
  log('warn', message);
  store.notices.put({ code: 'RESULTS_ADOPTED', message, noticedAt: clock.wallMs() });
}

/** A folder without a readable manifest stays untouched. */
async function tryAdopt(taskId: string, options: AdoptionOptions): Promise<boolean> {
  const { store, results, clock, log } = options;
  const manifest = await results.readManifest(taskId);
  if (!manifest) return false;
  try {
    const { expiresOn } = options.endingNow();
    return store.tasks.adopt({ ...manifest, expiresOn, queuedOn: clock.nowMs() }) !== undefined;
  } catch (thrown) {
    log('warn', 'A result could not be adopted.', { taskId, error: String(thrown) });
    return false;
  }
}
