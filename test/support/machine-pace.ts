/**
 * Limits of tests follow the machine: they are written for two quiet cores, and grow with what a fixed
 * computation takes longer here and now, because the processor is slower or others use it, too.
 */
import { availableParallelism, loadavg } from 'node:os';

/** Duration of `computation` on a quiet core of the machine that the limits are written for. */
const quietMs = 20;
/** A test that needs longer than this many times its limit hangs on every machine. */
const largestSlowness = 10;

/** A chain of dependent integer operations, which no processor can run in parallel. */
function computation(): number {
  let [state, sum] = [1, 0];
  for (let i = 0; i < 1e7; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum += state & 255;
  }
  return sum;
}

/**
 * How many times longer than on two quiet cores something takes, at least 1.
 *
 * @param tookMs duration of `computation` by the clock, which waiting for a core prolongs
 * @param waiting programs that run or want to, for each core
 */
export const slownessOf = (tookMs: number, waiting: number): number =>
  Math.min(Math.max(1, tookMs / quietMs, waiting), largestSlowness);

function measureSlowness(): number {
  const start = performance.now();
  computation();
  const [lastMinute = 0] = loadavg();
  return slownessOf(performance.now() - start, lastMinute / availableParallelism());
}

/** A measurement holds for so long: it takes longer than most test files. */
const validMs = 3000;

let slowness = measureSlowness();
let measuredAt = performance.now();

/** Measures anew where the last time was long ago: setup.ts does for each test file, of which several share a process. */
export function measurePace(): void {
  if (performance.now() - measuredAt < validMs) return;
  slowness = measureSlowness();
  measuredAt = performance.now();
}

/** Converts a limit for two quiet cores into one for this machine. */
export const patient = (ms: number): number => Math.round(ms * slowness);
