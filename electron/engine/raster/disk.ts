/** Tells whether a folder's disk has room. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { isDiskFull } from '../../files/file-errors.ts';

const gib = 1024 ** 3;

/** Throws STORAGE_FULL when fewer than `bytes` are free. */
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

/** Every step needs more, so a native writer that fails with so little left has failed for it. */
const nothingLeftBytes = 4 * 1024 ** 2;

/**
 * Answers what a job failed with. An error without a code of ours becomes STORAGE_FULL where it says that the
 * disk is full, or where a folder has nothing left: libraries report a full disk in words of their own.
 */
export async function unlessFull(
  thrown: unknown,
  { scratchDir, outputPath }: { scratchDir: string; outputPath: string },
): Promise<unknown> {
  if (thrown instanceof EnlargerError) return thrown;
  const isFull =
    saysFull(thrown) ||
    (await hasNothingLeft(scratchDir)) ||
    (await hasNothingLeft(dirname(outputPath)));
  if (!isFull) return thrown;
  return new EnlargerError(
    'STORAGE_FULL',
    'The disk became full while the picture was being enlarged. Free some space and retry.',
    { cause: thrown },
  );
}

/** A folder whose disk cannot be asked does not count as full. */
const hasNothingLeft = (folder: string): Promise<boolean> =>
  freeBytesIn(folder).then(
    (bytes) => bytes < nothingLeftBytes,
    () => false,
  );

function saysFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    isDiskFull(thrown) ||
    /no space left on device|disk quota exceeded/i.test(thrown.message) ||
    saysFull(thrown.cause)
  );
}
