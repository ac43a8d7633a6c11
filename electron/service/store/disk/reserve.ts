/**
 * The reserve is a file of a few megabytes that only takes up room. When the disk is full even deleting needs some,
 * because the database writes down what it deletes: the file goes then, and comes back when there is room again.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';

export interface Reserve {
  /** Runs what makes room; when the disk is full, once more without the reserve. */
  freeing<T>(work: () => T): T;
  /** Makes the file when it is missing, as large as the free room allows. */
  fill(): void;
}

export const reserveName = 'reserve';
/** On a disk with room; a small one gets a smaller reserve. */
export const reserveBytes = 8 * 1024 * 1024;
/** Room for the log of a few deletions. */
const minReserveBytes = 512 * 1024;
/** At most this part of the free room, so that the reserve is never what fills the disk. */
const shareOfRoom = 1 / 16;

export function createReserve(dataDir: string): Reserve {
  const path = join(dataDir, reserveName);
  return {
    freeing(work) {
      try {
        return work();
      } catch (thrown) {
        if (!isFull(thrown) || !existsSync(path)) throw thrown;
        rmSync(path, { force: true });
        return work();
      }
    },
    fill() {
      if (existsSync(path)) return;
      const { bavail, bsize } = statfsSync(dataDir);
      const bytes = Math.min(reserveBytes, Math.floor(bavail * bsize * shareOfRoom));
      if (bytes >= minReserveBytes) write(path, bytes);
    },
  };
}

/** A database in memory needs no reserve. */
export const noReserve: Reserve = { freeing: (work) => work(), fill: () => undefined };

const isFull = (thrown: unknown) =>
  thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';

/** Writes random bytes, which no file system stores in less room. */
function write(path: string, bytes: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const piece = randomBytes(Math.min(bytes, 1024 * 1024));
    for (let rest = bytes; rest > 0; rest -= piece.length)
      writeSync(file, piece, 0, Math.min(rest, piece.length));
    fsyncSync(file);
  } catch {
    rmSync(path, { force: true });
  } finally {
    closeSync(file);
  }
}
