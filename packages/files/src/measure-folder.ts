import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Size of all files below a folder, in bytes. Links are not followed. What cannot be read, or is deleted
 * meanwhile, counts as 0.
 *
 * @param others paths of folders that do not count
 */
export async function measureFolder(
  folder: string,
  others: readonly string[] = [],
): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (others.includes(path)) continue;
    if (entry.isDirectory()) bytes += await measureFolder(path, others);
    else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
