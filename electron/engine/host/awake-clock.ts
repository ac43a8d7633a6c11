/**
 * Counts the milliseconds during which this process really ran: a laptop's sleep and a blocked event loop do
 * not count, so that no engine is killed for time in which nobody listened.
 */
export interface AwakeClock {
  /** Adds the time since the last tick, at most twice the tick's length. */
  tick(): void;
  nowMs(): number;
}

export function createAwakeClock(
  tickMs: number,
  now: () => number = () => performance.now(),
): AwakeClock {
  let last = now();
  let awake = 0;
  return {
    tick() {
      const at = now();
      awake += Math.min(at - last, 2 * tickMs);
      last = at;
    },
    nowMs: () => awake,
  };
}
