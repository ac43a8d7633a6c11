/** Ends a program, whatever still hangs in it. */
import { CloseTimeout } from './service/closers.ts';

/**
 * Ends this process when its service is closed. A thread that hangs in a system call (such as for a network
 * folder that went away) would hold up an orderly exit for ever, so then the process is killed; all that
 * matters is already on the disk.
 *
 * @param failure is what the closing of the service threw
 * @param exit ends the process in order
 */
export function endProcess(failure: unknown, exit: () => void): void {
  if (failure instanceof CloseTimeout) process.kill(process.pid, 'SIGKILL');
  else exit();
}
