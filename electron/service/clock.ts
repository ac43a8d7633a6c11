/**
 * The machine has two clocks, and the service its own one, by which results expire.
 *
 * While the service runs, its clock follows the monotonic clock: a jump of the wall clock moves nothing. While it
 * is off, the wall clock's difference counts, from the furthest ahead that the wall clock was of late: one that was
 * set back for a while and then right again makes nothing expire. A difference of more than two days is taken for a
 * jump and counts as nothing, since a result that stays longer does no harm. It never goes back except by what a
 * kill lost, which is at most the time since the last save().
 */
export interface Clock {
  /** Answers milliseconds since 1970, as the machine believes; they may jump. */
  wallMs(): number;
  /** Answers milliseconds since an arbitrary moment, which never jump. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/**
 * What the service's clock showed, in milliseconds, and what the wall clock would have shown then as far ahead as it
 * was of late.
 */
export interface ClockReading {
  serviceMs: number;
  wallMs: number;
}

/** A reading outlives the process here. */
export interface ClockMemory {
  read(): ClockReading | undefined;
  write(reading: ClockReading): void;
}

export interface ServiceClock {
  /** Answers the service's own time in whole milliseconds. */
  nowMs(): number;
  /** Answers the wall clock's time in whole milliseconds. */
  wallMs(): number;
  /**
   * Answers when the wall clock will show, or showed, a moment of the service's own time, if it does not jump. The
   * answer is the same each time until the wall clock is set.
   */
  toWallMs(serviceMs: number): number;
  /** Tells whether the wall clock jumped by more than two seconds since the last save. */
  hasJumped(): boolean;
  save(): void;
}

const jumpMs = 2000;
/**
 * A smaller difference comes from reading the clocks at two moments, or from drift; what is shown does not follow
 * it.
 */
const driftMs = 1000;
/** Beyond this nobody can tell a service that was off from a wall clock that was set. */
const longestOffMs = 2 * 24 * 3_600_000;
/** The wall clock must stay set back for so long until that is believed. */
const settledMs = 24 * 3_600_000;

/** Continues from what `memory` holds, or starts at the wall clock's time. */
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
  return last.serviceMs + (offMs > 0 && offMs <= longestOffMs ? offMs : 0);
}
