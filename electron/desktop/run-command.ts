/** Starts a program and lets it go. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './open-with.ts';

/** Returns when it runs; it outlives the application. Throws a sentence when it cannot be started. */
export async function runCommand({ file, args }: Command): Promise<void> {
  const child = spawn(file, args, {
    detached: true,
    stdio: 'ignore',
    shell: false,
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new Error(`${file} could not be started.`, { cause });
  }
  child.unref();
}
