/** Makes a folder with all folders above it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folders one by one, because Node's own recursion spins for ever where the system says ENOENT for
 * a folder that is there (/proc).
 */
export function makeLevels(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeLevels(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another program may have made the folder meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
