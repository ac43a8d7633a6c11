/**
 * The temporary folders of tests, benches and the siege. setup.ts deletes those of a test file when all its tests, and
 * what those closed, are over; those of a program are deleted when it ends.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

/** Memory, where the system has such a disk: another one, on which syncing costs nothing. */
export const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new, empty one. */
export function temporaryFolder(on = tmpdir()): string {
  const folder = mkdtempSync(path.join(on, 'enlarger-test-'));
  made.push(folder);
  return folder;
}

export function deleteTemporaryFolders(): void {
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

process.once('exit', deleteTemporaryFolders);
