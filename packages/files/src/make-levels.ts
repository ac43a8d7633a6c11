/** Creates a folder with its parents. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * One by one, because Node's recursion loops forever where the system reports ENOENT for an existing folder
 * (/proc).
 */
export function makeLevels(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeLevels(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another program may have created it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
