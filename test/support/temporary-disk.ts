/**
 * The temporary folder of a whole test run: in memory where the system has room, since waiting until files are on a
 * disk takes most of the time of the service's tests. It is deleted when the run ends.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
/** A run takes less than half of it. */
const minFreeBytes = 4e9;
const prefix = 'enlarger-tests-';

/** Files of a disk in memory can be programs, which containers often forbid. */
function runsPrograms(folder: string): boolean {
  const file = path.join(folder, 'program');
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(file).status === 0;
}

/** Makes the folder of this run, and deletes those of runs that were killed. @returns its path */
export function openTemporaryDisk(): string {
  const folder = path.join(memory, `${prefix}${process.pid}`);
  try {
    for (const name of readdirSync(memory)) if (isLeftOver(name)) remove(path.join(memory, name));
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, freemem()) < minFreeBytes) return tmpdir();
    mkdirSync(folder, { recursive: true });
    if (runsPrograms(folder)) return folder;
    remove(folder);
  } catch {
    // The system has no such disk, or it is not ours.
  }
  return tmpdir();
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Whether a run of this user made it that is no more. */
function isLeftOver(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  if (statSync(path.join(memory, name)).uid !== process.getuid?.()) return false;
  try {
    process.kill(Number(name.slice(prefix.length)), 0);
    return false;
  } catch {
    return true;
  }
}

/** Called by vitest behind all tests. */
export const teardown = () => remove(path.join(memory, `${prefix}${process.pid}`));
