import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Size of all files below a folder, in bytes. Links are not followed. What cannot be read, or is deleted
 * meanwhile, counts as 0.
 */
export async function measureFolder(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await measureFolder(path);
    else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
