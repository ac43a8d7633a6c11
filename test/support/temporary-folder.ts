/**
 * The temporary folders of tests, benches and the siege. setup.ts deletes those of a test file when all its tests, and
 * what those closed, are over; those of a program are deleted when it ends.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

const memoryDisk = '/dev/shm';

/** Another disk than that of temporary folders, where the system has one: nothing can be renamed to it. */
export const otherDisk = tmpdir().startsWith(memoryDisk)
  ? '/tmp'
  : existsSync(memoryDisk)
    ? memoryDisk
    : tmpdir();

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
