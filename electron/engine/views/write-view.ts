/** Writes files of views so that a reader finds them whole or not at all. */
import { renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { readZipDirectory, readZipEntry } from '../../../packages/files/src/stored-zip.ts';

const maxWrites = 4;

/**
 * Writes a zip file again while one of its entries is damaged. Threads of libvips 8.18 have been seen to write two
 * tiles' headers and bytes in different orders, on a busy machine in one of about a hundred files.
 */
export async function writeUntilWhole(
  path: string,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  for (let writes = 1; ; writes += 1) {
    await write(path);
    try {
      await assertWhole(path);
      return;
    } catch (error) {
      if (writes === maxWrites) throw error;
    }
  }
}

async function assertWhole(path: string): Promise<void> {
  const file = await open(path);
  try {
    for (const entry of await readZipDirectory(file)) await readZipEntry(file, entry);
  } finally {
    await file.close();
  }
}

/** Writes a file atomically: under a temporary name beside it, renamed when complete. */
export async function writeAtomically(
  toPath: string,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  const part = `${toPath}.part`;
  try {
    await write(part);
    renameSync(part, toPath);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
