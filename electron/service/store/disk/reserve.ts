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
  /** Makes the file when it is missing and there is room for much more than it. */
  fill(): void;
}

export const reserveName = 'reserve';
export const reserveBytes = 8 * 1024 * 1024;
/** The disk must have room for so many of them, so that the reserve is never what fills it. */
const roomForOne = 16;

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
      if (bavail * bsize > roomForOne * reserveBytes) write(path);
    },
  };
}

/** A database in memory needs no reserve. */
export const noReserve: Reserve = { freeing: (work) => work(), fill: () => undefined };

const isFull = (thrown: unknown) =>
  thrown instanceof EnlargerError && thrown.code === 'STORAGE_FULL';

/** Writes random bytes, which no file system stores in less room. */
function write(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const piece = randomBytes(1024 * 1024);
    for (let done = 0; done < reserveBytes; done += piece.length) writeSync(file, piece);
    fsyncSync(file);
  } catch {
    rmSync(path, { force: true });
  } finally {
    closeSync(file);
  }
}
