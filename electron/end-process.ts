/** Ends a process despite hanging threads. */
import { CloseTimeout } from './service/closers.ts';

/**
 * Ends the process after its service closed. A thread that hangs in a system call, e.g. for a lost network
 * folder, would block an orderly exit; then the process is killed, since everything is on disk.
 * @param failure thrown by closing the service
 * @param exit orderly exit
 */
export function endProcess(failure: unknown, exit: () => void): void {
  if (failure instanceof CloseTimeout) process.kill(process.pid, 'SIGKILL');
  else exit();
}
