/** Durability of files and names. */
import { open, type FileHandle } from 'node:fs/promises';
import { hasCode } from './file-errors.ts';

/** Resolves when the bytes are on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Drives that cannot sync folders, such as many network shares. */
const noSuchCall = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF'];

/** Resolves when the folder's names are on disk. Not possible on Windows and many network shares. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await syncOpenFolder(folder);
  } finally {
    await folder.close();
  }
}

export async function syncOpenFolder(folder: FileHandle): Promise<void> {
  try {
    await folder.sync();
  } catch (thrown) {
    if (!hasCode(thrown, noSuchCall)) throw thrown;
  }
}
