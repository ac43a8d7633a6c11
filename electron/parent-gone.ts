/**
 * Calls back when the program that started this one with a channel to it (Node's `ipc`) is gone, even if it was
 * killed, so that no service outlives a test run or a launcher. Never calls back without a channel.
 */
export function onParentGone(end: () => void): void {
  if (!process.channel) return;
  process.once('disconnect', end);
  // The listener alone would keep the process running.
  process.channel.unref();
}
