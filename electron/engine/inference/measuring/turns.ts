/** Times candidates alternately, so that another program's burst of work slows all of them alike. */

/** Median of at least one number; the lower one of the two in the middle for an even count. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Infinity;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * Runs every candidate once as a warm-up, because a first run loads and allocates, and then all of them round
 * by round. No round begins after the deadline; a candidate without one has the time of its warm-up.
 *
 *
 * @param deadlineMs on the clock of `performance.now()`
 * @returns the times of each candidate in ms
 */
export async function timeAlternately(
  candidates: readonly (() => Promise<unknown>)[],
  rounds: number,
  deadlineMs: number,
): Promise<number[][]> {
  const first: number[] = [];
  for (const run of candidates) first.push(await timed(run));
  const times: number[][] = candidates.map(() => []);
  for (let round = 0; round < rounds && performance.now() < deadlineMs; round += 1)
    for (const [i, run] of candidates.entries()) times[i]?.push(await timed(run));
  return times.map((own, i) => (own.length > 0 ? own : [first[i] ?? Infinity]));
}
