/**
 * A clock that stands still while the machine sleeps or the event loop is blocked, so that no engine is
 * killed for time in which nobody listened.
 */
export interface AwakeClock {
  /** Adds the time since the preceding tick, at most twice the tick's length. */
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
