/** Removes and renames files that other programs may hold: scanners on Windows do so for moments. */
import { rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from './file-errors.ts';

const heldCodes = ['EPERM', 'EBUSY', 'EACCES'];
const renameWaitsMs = [50, 100, 200, 400, 800, 1600];
const removeAgainAfterMs = [5000, 60_000, 600_000];

export interface RemovalOptions {
  remove?: (path: string) => Promise<void>;
  /** The removal waits so long before each further try. */
  againAfterMs?: readonly number[];
}

const removeTree = (path: string) => rm(path, { recursive: true, force: true });

/**
 * Removes a file or a folder. It never rejects, because no work is to fail for a leftover. A path that cannot
 * be removed now is tried again later, and what then remains goes at the next start, which empties the
 * scratch folder.
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

/** Renames a file, and waits up to some three seconds while another program holds it. */
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
