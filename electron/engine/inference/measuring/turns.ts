/** Times candidates in turns, so that a moment's work of another program slows all of them alike. */

/** Returns the median of at least one number; of an even count, the lower one of the two in the middle. */
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
 * Runs every candidate once untimed, because a first run loads and allocates, and then all of them in turns.
 * Returns the times of each in milliseconds. Past the deadline no further turn begins; a candidate that had
 * none has the time of its first run.
 *
 * @param deadlineMs on the clock of `performance.now()`
 */
export async function timeInTurns(
  candidates: readonly (() => Promise<unknown>)[],
  turns: number,
  deadlineMs: number,
): Promise<number[][]> {
  const first: number[] = [];
  for (const run of candidates) first.push(await timed(run));
  const times: number[][] = candidates.map(() => []);
  for (let turn = 0; turn < turns && performance.now() < deadlineMs; turn += 1)
    for (const [i, run] of candidates.entries()) times[i]?.push(await timed(run));
  return times.map((own, i) => (own.length > 0 ? own : [first[i] ?? Infinity]));
}
