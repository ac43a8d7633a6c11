/** Where a job's time goes. */
import type { Timings } from '../contract/task.ts';

/** Runs a step and notes its milliseconds, also when it fails. */
export async function timed<T>(
  timings: Timings,
  name: keyof Timings,
  run: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await run();
  } finally {
    timings[name] = performance.now() - start;
  }
}
