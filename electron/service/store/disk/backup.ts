/** Copies the database before a newer program migrates it; copies are deleted after a week. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../../packages/files/src/file-errors.ts';
import { runWrite, type SqliteConnection } from '../connection.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The copy is complete when this returns.
 * @param version schema version of the database, part of the copy's name.
 * @throws EnlargerError STORAGE_FULL; then the database must not be changed
 */
export function backUp(db: SqliteConnection, dataDir: string, version: number): string {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `version-${version}.db`);
  rmSync(file, { force: true });
  runWrite(() => db.prepare('VACUUM INTO ?').run(file));
  return file;
}

/** @param nowMs wall clock, like the files' times */
export function dropOldBackups(dataDir: string, nowMs: number): void {
  const folder = backupFolder(dataDir);
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    if (nowMs - statSync(file).mtimeMs > weekMs) rmSync(file, { force: true });
  }
}

function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/** Returns no names if the folder does not exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'));
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return [];
    throw error;
  }
}
