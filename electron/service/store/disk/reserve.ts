/**
 * A file of a few megabytes that reserves disk space. On a full disk even deleting needs space for SQLite's
 * log: the file is deleted then, and written again later.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';

export interface Reserve {
  /** Runs a call that frees space; on a full disk, deletes the reserve and tries once more. */
  freeing<T>(work: () => T): T;
  /** Writes the reserve if missing, at most `shareOfRoom` of the free space. */
  fill(): void;
}

export const reserveName = 'reserve';
export const reserveBytes = 8 * 1024 * 1024;
/** Enough for the log of a few deletions. */
const minReserveBytes = 512 * 1024;
/** Share of the free space, so that the reserve never fills the disk itself. */
const maxShareOfFree = 1 / 16;

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
      const bytes = Math.min(reserveBytes, Math.floor(bavail * bsize * maxShareOfFree));
      if (bytes >= minReserveBytes) write(path, bytes);
    },
  };
}

export const noReserve: Reserve = { freeing: (work) => work(), fill: () => undefined };

const isFull = (thrown: unknown) =>
  thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';

/** Random bytes, which no file system compresses. */
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
