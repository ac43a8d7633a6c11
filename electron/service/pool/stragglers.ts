/**
 * Speculative execution: which straggler is started a second time, so that the slowest machine does not hold the last
 * photo. It is done only when nothing waits any more, for else every machine has something better to do. Pure.
 */

export interface Running {
  megapixels: number;
  /** Seconds since it was started. */
  ageSeconds: number;
  /** Of its machine, for its model; undefined: not measured yet. */
  megapixelsPerSecond: number | undefined;
  /** 0 to 100, as its machine says. */
  percent: number;
}

/** A second start must be expected to end within this share of what the first still takes. */
const gain = 0.7;
/** What is nearly done is left to who does it. */
const leastSeconds = 3;

/** By its progress, or by its machine's speed before there is any. Infinity where nothing is known. */
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
  /** What the first start is expected to take yet. */
  secondsLeft: number;
}

/**
 * The running task that gains most by a second start on an idle machine of this speed; undefined: none gains.
 * @param idleSpeed megapixels a second; undefined: not measured, and then only what is stuck gains
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
  /** Undefined: this machine. */
  id: string | undefined;
  megapixelsPerSecond: number | undefined;
}

/** The same, on the fastest of several idle machines for which one gains; never on the machine that has it. */
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
