/** The temporary folders of tests: setup.ts deletes a file's when all its tests, and what those closed, are over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

/** A new, empty one. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'enlarger-test-'));
  made.push(folder);
  return folder;
}

export function deleteTemporaryFolders(): void {
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
