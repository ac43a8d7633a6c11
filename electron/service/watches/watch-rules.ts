/** Which files a watch accepts, and which watches would feed each other endlessly. Pure. */
import path from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { isInside } from '../../../packages/files/src/is-inside.ts';

/** Real paths. */
export interface WatchFolders {
  folder: string;
  saveTo: string;
  recursive: boolean;
}

/** True if the file lies in the results' folder inside the watched one. */
export function isExcluded(file: string, { folder, saveTo }: WatchFolders): boolean {
  return saveTo !== folder && isInside(saveTo, folder) && isInside(file, saveTo);
}

/** @throws EnlargerError INVALID_REQUEST if results could return to the watch, directly or through others */
export function assertNoLoop(watch: WatchFolders, others: readonly WatchFolders[]): void {
  const reached = new Set<WatchFolders>();
  const next = [watch];
  for (let from = next.pop(); from; from = next.pop()) {
    if (feeds(from, watch)) throw loop(watch);
    for (const other of others) {
      if (reached.has(other) || !feeds(from, other)) continue;
      reached.add(other);
      next.push(other);
    }
  }
}

/** True if results of one watch can lie where the other looks. */
function feeds(from: WatchFolders, to: WatchFolders): boolean {
  if (isExcluded(from.saveTo, to)) return false;
  if (from.saveTo === to.folder) return true;
  if (to.recursive && isInside(from.saveTo, to.folder)) return true;
  return from.recursive && isInside(to.folder, from.saveTo);
}

function loop({ folder, saveTo }: WatchFolders): EnlargerError {
  return new EnlargerError(
    'INVALID_REQUEST',
    `Expected saveTo to be a folder whose pictures do not come back to ${folder}, but results in ${saveTo} would be processed again and again. Choose another folder, or one inside the watched folder.`,
  );
}

/** Relative path with forward slashes on every system. */
export function pathInside(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/');
}
