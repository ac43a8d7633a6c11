/** Makes files and names durable. */
import { open, type FileHandle } from 'node:fs/promises';
import { hasCode } from './file-errors.ts';

/** Returns when the file's bytes are on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Drives without syncing of folders, such as many network shares, answer with one of these codes. */
const noSuchCall = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF'];

/** Returns when the folder's names are on disk. Windows and many network shares cannot sync folders. */
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
