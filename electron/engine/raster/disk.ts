/** Whether a folder's disk has room. */
import { statfs } from 'node:fs/promises';
import { EnlargerError } from '../../contract/errors.ts';

const gib = 1024 ** 3;

/** Throws STORAGE_FULL when fewer than `bytes` are free. */
export async function assertDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new EnlargerError(
    'STORAGE_FULL',
    `This picture needs ${(bytes / gib).toFixed(1)} GB of free disk while it is enlarged; there are ${(free / gib).toFixed(1)} GB. Free some, or choose a smaller scale.`,
  );
}
