/** Checks the free space of disks. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { isDiskFull } from '../../../packages/files/src/file-errors.ts';

const gib = 1024 ** 3;

/** @throws EnlargerError STORAGE_FULL if fewer than `bytes` are free */
export async function assertDisk(folder: string, bytes: number): Promise<void> {
  const free = await freeBytesIn(folder);
  if (free >= bytes) return;
  throw new EnlargerError(
    'STORAGE_FULL',
    `This picture needs ${(bytes / gib).toFixed(1)} GB of free disk while it is enlarged; there are ${(free / gib).toFixed(1)} GB. Free some, or choose a smaller scale.`,
  );
}

async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Every step needs more than this, so a native writer that fails with less has run out of disk. */
const exhaustedBytes = 4 * 1024 ** 2;

/**
 * Translates a job's error: one without a code becomes STORAGE_FULL if it or its cause reports a full disk,
 * or if a folder of the job has no space left, because libraries report a full disk in various ways.
 */
export async function orStorageFull(
  thrown: unknown,
  { scratchDir, outputPath }: { scratchDir: string; outputPath: string },
): Promise<unknown> {
  if (thrown instanceof EnlargerError) return thrown;
  const isFull =
    reportsFullDisk(thrown) ||
    (await isExhausted(scratchDir)) ||
    (await isExhausted(dirname(outputPath)));
  if (!isFull) return thrown;
  return new EnlargerError(
    'STORAGE_FULL',
    'The disk became full while the picture was being enlarged. Free some space and retry.',
    { cause: thrown },
  );
}

/** A folder whose disk cannot be queried does not count as full. */
const isExhausted = (folder: string): Promise<boolean> =>
  freeBytesIn(folder).then(
    (bytes) => bytes < exhaustedBytes,
    () => false,
  );

function reportsFullDisk(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    isDiskFull(thrown) ||
    /no space left on device|disk quota exceeded/i.test(thrown.message) ||
    reportsFullDisk(thrown.cause)
  );
}
