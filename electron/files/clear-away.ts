/** Removing and renaming where other programs may hold files open: scanners on Windows do, for moments. */
import { rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from './file-errors.ts';

const heldCodes = ['EPERM', 'EBUSY', 'EACCES'];
const renameWaitsMs = [50, 100, 200, 400, 800, 1600];
const removeAgainAfterMs = [5000, 60_000, 600_000];

export interface RemovalOptions {
  remove?: (path: string) => Promise<void>;
  /** Before each further try. */
  againAfterMs?: readonly number[];
}

const removeTree = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes a file or a folder. Never rejects, because what is removed is never worth what was made beside it: what
 * cannot be removed now is tried again later, and at the latest at the next start, which empties the scratch folder.
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

/** Renames, and waits up to three seconds for a file that somebody holds. */
export async function renamePatiently(
  from: string,
  to: string,
  renameOnce: typeof rename = rename,
): Promise<void> {
  for (const waitMs of renameWaitsMs) {
    try {
      await renameOnce(from, to);
      return;
    } catch (error) {
      if (!hasCode(error, heldCodes)) throw error;
    }
    await wait(waitMs);
  }
  await renameOnce(from, to);
}
