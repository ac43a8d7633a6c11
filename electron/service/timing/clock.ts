/**
 * The service's own clock, by which results expire. While the service runs it follows the monotonic clock, so
 * jumps of the wall clock have no effect. While it is off, the wall clock's difference counts, measured from
 * the furthest ahead that the wall clock recently was: a clock that was set back for a while and then
 * corrected makes nothing expire. A difference above two days counts as a jump and adds nothing, since
 * keeping a result longer does no harm. It never goes back, except by what a kill lost: at most the time
 * since the last save().
 */
export interface Clock {
  /** Milliseconds since 1970; may jump. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start; never jump. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** The service's clock in milliseconds, and the wall clock at that time as far ahead as it recently was. */
export interface ClockReading {
  serviceMs: number;
  wallMs: number;
}

/** Storage of a reading across processes. */
export interface ClockMemory {
  read(): ClockReading | undefined;
  write(reading: ClockReading): void;
}

export interface ServiceClock {
  /** Service clock, whole milliseconds. */
  nowMs(): number;
  /** Wall clock, whole milliseconds. */
  wallMs(): number;
  /**
   * Wall-clock time of a service time, as long as the wall clock does not jump. Stable until the wall clock
   * is set.
   */
  toWallMs(serviceMs: number): number;
  /** True if the wall clock jumped by more than two seconds since the last save. */
  hasJumped(): boolean;
  save(): void;
}

const jumpMs = 2000;
/**
 * Smaller differences are drift, or due to reading two clocks in sequence; displayed times do not follow
 * them.
 */
const driftMs = 1000;
/** Beyond this a service that was off cannot be told from a wall clock that was set. */
const maxOffMs = 2 * 24 * 3_600_000;
/** Time the wall clock must stay set back until that is accepted. */
const settledMs = 24 * 3_600_000;

/** Continues from `memory`, or starts at the wall clock. */
export function createServiceClock(clock: Clock, memory: ClockMemory): ServiceClock {
  const startMonotonic = clock.monotonicMs();
  const last = memory.read();
  const startMs = timeAtStart(clock.wallMs(), last);
  const wallMs = () => Math.floor(clock.wallMs());
  const nowMs = () => Math.floor(startMs + (clock.monotonicMs() - startMonotonic));
  const aheadMs = () => wallMs() - nowMs();
  let furthestMs = last ? last.wallMs - last.serviceMs : aheadMs();
  let furthestOnMs = nowMs();
  let savedMs = 0;
  let shownAheadMs = aheadMs();
  const steadyAheadMs = () => {
    const ahead = aheadMs();
    if (Math.abs(ahead - shownAheadMs) >= driftMs) shownAheadMs = ahead;
    return shownAheadMs;
  };
  const noteAhead = () => {
    const isSettled = nowMs() - furthestOnMs > settledMs;
    if (aheadMs() < furthestMs - jumpMs && !isSettled) return;
    furthestMs = isSettled ? aheadMs() : Math.max(furthestMs, aheadMs());
    furthestOnMs = nowMs();
  };
  const save = () => {
    noteAhead();
    savedMs = aheadMs();
    memory.write({ serviceMs: nowMs(), wallMs: nowMs() + furthestMs });
  };
  save();
  return {
    nowMs,
    wallMs,
    toWallMs: (serviceMs) => serviceMs + steadyAheadMs(),
    hasJumped: () => Math.abs(aheadMs() - savedMs) > jumpMs,
    save,
  };
}

function timeAtStart(wallMs: number, last: ClockReading | undefined): number {
  if (!last) return wallMs;
  const offMs = wallMs - last.wallMs;
  return last.serviceMs + (offMs > 0 && offMs <= maxOffMs ? offMs : 0);
}
