/** The database is copied before a newer program changes its shape; the copy is kept for a week. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../files/file-errors.ts';
import { storing, type Connection } from '../connection.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The copy is whole when this returns. Throws STORAGE_FULL when there is no room for it: nothing may be changed then.
 * @param version the database's version as it is, which the copy's name says
 */
export function backUp(db: Connection, dataDir: string, version: number): string {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `version-${version}.db`);
  rmSync(file, { force: true });
  storing(() => db.prepare('VACUUM INTO ?').run(file));
  return file;
}

/** @param nowMs the wall clock's time, as files' times are */
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

/** Answers no names where the folder was never made. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'));
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return [];
    throw error;
  }
}
