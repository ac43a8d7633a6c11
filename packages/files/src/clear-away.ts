/** Deletes and renames files that other programs may briefly lock, such as virus scanners on Windows. */
import { rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from './file-errors.ts';

const lockedCodes = ['EPERM', 'EBUSY', 'EACCES'];
const renameWaitsMs = [50, 100, 200, 400, 800, 1600];
const removeAgainAfterMs = [5000, 60_000, 600_000];

export interface RemovalOptions {
  remove?: (path: string) => Promise<void>;
  /** Delays before each further try. */
  againAfterMs?: readonly number[];
}

const removeTree = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Deletes a file or folder. Never rejects, since no work should fail for a leftover: retries later, and the
 * next start empties the scratch folder.
 */
export async function clearAway(path: string, options: RemovalOptions = {}): Promise<void> {
  const { remove = removeTree, againAfterMs = removeAgainAfterMs } = options;
  const [soonMs, ...laterMs] = againAfterMs;
  try {
    await remove(path);
  } catch {
    if (soonMs === undefined) return;
    const again = () => void clearAway(path, { remove, againAfterMs: laterMs });
    setTimeout(again, soonMs).unref();
  }
}

/** Renames, retrying for about three seconds while another program locks the file. */
export async function renameWithRetry(
  from: string,
  to: string,
  renameOnce: typeof rename = rename,
): Promise<void> {
  for (const waitMs of renameWaitsMs) {
    try {
      await renameOnce(from, to);
      return;
    } catch (error) {
      if (!hasCode(error, lockedCodes)) throw error;
    }
    await wait(waitMs);
  }
  await renameOnce(from, to);
}
