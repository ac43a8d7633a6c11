/**
 * Speculative execution: a straggler is started a second time, so that the slowest machine does not hold up
 * the last photo. That is done only when no task waits any more, because otherwise every machine has
 * something better to do. This is pure.
 */

export interface Running {
  megapixels: number;
  /** Seconds since it was started. */
  ageSeconds: number;
  /** The speed of its machine for its model; undefined while that is not measured. */
  megapixelsPerSecond: number | undefined;
  /** The progress in 0..100, as its machine reports it. */
  percent: number;
}

/** A second start must be expected to end within this share of what the first still takes. */
const gain = 0.7;
/** A task that needs less than this is left to the machine that runs it. */
const leastSeconds = 3;

/** Estimates by the progress, or the machine's speed before there is any; Infinity where nothing is known. */
export function secondsLeftOf({
  megapixels,
  ageSeconds,
  megapixelsPerSecond,
  percent,
}: Running): number {
  if (percent >= 5) return (ageSeconds * (100 - percent)) / percent;
  if (megapixelsPerSecond === undefined) return Infinity;
  return Math.max(0, megapixels / megapixelsPerSecond - ageSeconds);
}

interface Straggler<T> {
  running: T;
  /** The first start is expected to take so much longer. */
  secondsLeft: number;
}

/**
 * Chooses the running task that gains most by a second start on an idle machine of this speed;
 * undefined where none gains.
 * @param idleSpeed in megapixels a second; undefined while not measured, and then only a stuck task gains
 */
export function chooseStraggler<T extends Running>(
  running: readonly T[],
  idleSpeed: number | undefined,
): Straggler<T> | undefined {
  const stragglers = running
    .map((one) => ({ running: one, secondsLeft: secondsLeftOf(one) }))
    .filter(({ running: { megapixels, ageSeconds }, secondsLeft }) => {
      if (secondsLeft < leastSeconds) return false;
      if (secondsLeft === Infinity && ageSeconds < leastSeconds) return false;
      if (idleSpeed === undefined) return ageSeconds > 30 && secondsLeft > ageSeconds;
      return megapixels / idleSpeed < gain * secondsLeft;
    })
    .sort((a, b) => b.secondsLeft - a.secondsLeft);
  return stragglers[0];
}

export interface IdleMachine {
  /** The id is undefined for this machine. */
  id: string | undefined;
  megapixelsPerSecond: number | undefined;
}

/** Chooses a straggler for the fastest idle machine on which one gains, never the machine that runs it. */
export function placeStraggler<T extends Running & { helperId: string | undefined }>(
  running: readonly T[],
  idle: readonly IdleMachine[],
): (Straggler<T> & { on: IdleMachine }) | undefined {
  const fastest = idle.toSorted(
    (a, b) => (b.megapixelsPerSecond ?? 0) - (a.megapixelsPerSecond ?? 0),
  );
  for (const on of fastest) {
    const others = running.filter(({ helperId }) => helperId !== on.id);
    const straggler = chooseStraggler(others, on.megapixelsPerSecond);
    if (straggler) return { ...straggler, on };
  }
  return undefined;
}
