/** A disk that is really full: a small file system of its own, where this machine allows to make one. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Gone with the test. Undefined where nothing may be mounted. */
export function smallDisk(megabytes: number): string | undefined {
  const place = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'enlarger-test', place], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]));
  return place;
}
