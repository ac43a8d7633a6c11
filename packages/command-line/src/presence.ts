/**
 * Keeps track of which commands use the service of a data folder, by a file for each that is named after its
 * process. The command that started the service waits for the others before it ends the service.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '../../../electron/running-service.ts';

const folderOf = (dataDir: string) => path.join(dataDir, 'commands');

/** Makes the file of this command, and returns a function that removes it. */
export async function showPresence(dataDir: string): Promise<() => Promise<void>> {
  const file = path.join(folderOf(dataDir), String(process.pid));
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  await writeFile(file, '', { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** Resolves when no other command is there, or when `signal` fires. */
export async function untilAlone(dataDir: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isAnyThere(dataDir))) await wait(200);
}

/**
 * Whether another command is there. A command that was killed leaves its file behind, so its process is
 * looked at.
 */
async function isAnyThere(dataDir: string): Promise<boolean> {
  const names = await readdir(folderOf(dataDir)).catch(() => []);
  return names.map(Number).some((pid) => pid !== process.pid && isAlive(pid));
}
