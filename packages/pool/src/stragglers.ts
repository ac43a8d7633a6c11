/**
 * Speculative execution: a straggler is started a second time, so that the slowest machine does not delay the
 * last photo. Only when no task waits, since otherwise machines have better work. Pure.
 */

export interface MeasuredRun {
  megapixels: number;
  /** Seconds since its start. */
  ageSeconds: number;
  /** Speed of its machine for its model; undefined if unmeasured. */
  megapixelsPerSecond: number | undefined;
  /** 0..100, as reported by its machine. */
  percent: number;
}

/** A second run must be expected to end within this share of the first one's remaining time. */
const gain = 0.7;
/** Tasks with less remaining time are left alone. */
const minSeconds = 3;

/** By progress, or by the machine's speed before there is any; Infinity if nothing is known. */
export function secondsLeftOf({
  megapixels,
  ageSeconds,
  megapixelsPerSecond,
  percent,
}: MeasuredRun): number {
  if (percent >= 5) return (ageSeconds * (100 - percent)) / percent;
  if (megapixelsPerSecond === undefined) return Infinity;
  return Math.max(0, megapixels / megapixelsPerSecond - ageSeconds);
}

interface Straggler<T> {
  running: T;
  /** Expected remaining time of the first run. */
  secondsLeft: number;
}

/**
 * The task that gains most from a second run on an idle machine; undefined if none gains.
 * @param idleSpeed megapixels per second; undefined if unmeasured, then only a stuck task gains
 */
export function chooseStraggler<T extends MeasuredRun>(
  running: readonly T[],
  idleSpeed: number | undefined,
): Straggler<T> | undefined {
  const stragglers = running
    .map((one) => ({ running: one, secondsLeft: secondsLeftOf(one) }))
    .filter(({ running: { megapixels, ageSeconds }, secondsLeft }) => {
      if (secondsLeft < minSeconds) return false;
      if (secondsLeft === Infinity && ageSeconds < minSeconds) return false;
      if (idleSpeed === undefined) return ageSeconds > 30 && secondsLeft > ageSeconds;
      return megapixels / idleSpeed < gain * secondsLeft;
    })
    .sort((a, b) => b.secondsLeft - a.secondsLeft);
  return stragglers[0];
}

export interface IdleMachine {
  /** Undefined for this machine. */
  id: string | undefined;
  megapixelsPerSecond: number | undefined;
}

/** A straggler for the fastest idle machine that gains, never the machine that runs it. */
export function placeStraggler<T extends MeasuredRun & { helperId: string | undefined }>(
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
