/** Modification times of sources, to find out whether something that is made of them is stale. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the latest modification time in ms since 1970 of a file, or of a folder and everything in it; 0 if
 * it is absent.
 * @param {string} file @returns {number}
 */
export function newestMs(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(file).map((name) => newestMs(path.join(file, name)));
  return Math.max(stat.mtimeMs, ...inside);
}
