/** The end of a program, whatever still hangs in it. */
import { EndedLate } from './service/closers.ts';

/**
 * Ends this process when its service is closed. A thread that hangs in a call of the system (a folder of a network
 * that went away) would hold up an exit in order for ever: then it is killed, and all that matters is on the disk.
 *
 * @param failure what closing threw @param exit ends it in order
 */
export function endProcess(failure: unknown, exit: () => void): void {
  if (failure instanceof EndedLate) process.kill(process.pid, 'SIGKILL');
  else exit();
}
