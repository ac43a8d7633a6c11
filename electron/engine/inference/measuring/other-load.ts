/** Measures how much of the processor other programs take, which makes a measured speed doubtful. */
import { cpus } from 'node:os';

/** Processor time since some moment, in milliseconds of one logical processor. */
interface ProcessorTimes {
  /** Of all programs. */
  busyMs: number;
  /** Busy and idle. */
  totalMs: number;
  /** Of this process. */
  ownMs: number;
}

function readTimes(): ProcessorTimes {
  const sum = { busyMs: 0, totalMs: 0 };
  for (const { times } of cpus()) {
    const total = times.user + times.nice + times.sys + times.irq + times.idle;
    sum.totalMs += total;
    sum.busyMs += total - times.idle;
  }
  const { user, system } = process.cpuUsage();
  return { ...sum, ownMs: (user + system) / 1000 };
}

/** Other programs that take a larger share of the processors make a measured speed doubtful. */
export const maxOtherLoad = 0.25;

/** Starts measuring. @returns a function for the share of all processors that other programs took, 0..1 */
export function measureOtherLoad(read: () => ProcessorTimes = readTimes): () => number {
  const before = read();
  return () => {
    const now = read();
    const totalMs = now.totalMs - before.totalMs;
    const othersMs = now.busyMs - before.busyMs - (now.ownMs - before.ownMs);
    return totalMs > 0 ? Math.min(1, Math.max(0, othersMs / totalMs)) : 0;
  };
}

/** A larger share of others is not believed, so that a speed is never raised more than tenfold. */
const maxBelievedLoad = 0.9;

/** Speed that this process would have had without others. @param otherLoad share of the processors they took, 0..1 */
export const speedWithoutOthers = (speed: number, otherLoad: number): number =>
  speed / (1 - Math.min(maxBelievedLoad, otherLoad));
