/**
 * The two clocks of the machine, and the service's own one, by which results expire.
 *
 * While the service runs, its clock follows the monotonic clock: a jump of the wall clock moves nothing.
 * While it is off, the wall clock's difference counts, never less than nothing. It never goes back
 * except by what a kill lost, which is at most the time since the last save().
 */
export interface Clock {
  /** Milliseconds since 1970, as the machine believes; may jump. */
  wallMs(): number;
  /** Milliseconds since an arbitrary moment; never jumps. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** What the service's clock and the wall clock showed at the same moment, in milliseconds. */
export interface ClockReading {
  serviceMs: number;
  wallMs: number;
}

/** Where a reading outlives the process. */
export interface ClockMemory {
  read(): ClockReading | undefined;
  write(reading: ClockReading): void;
}

export interface ServiceClock {
  /** The service's own time, in whole milliseconds. */
  nowMs(): number;
  /** The wall clock, in whole milliseconds. */
  wallMs(): number;
  /** When the wall clock will show, or showed, a moment of the service's own time, if it does not jump. */
  toWallMs(serviceMs: number): number;
  /** Whether the wall clock jumped by more than two seconds since the last save. */
  hasJumped(): boolean;
  save(): void;
}

const jumpMs = 2000;

/** Continues from what `memory` holds, or starts at the wall clock's time. */
export function createServiceClock(clock: Clock, memory: ClockMemory): ServiceClock {
  const startMonotonic = clock.monotonicMs();
  const startMs = timeAtStart(clock.wallMs(), memory.read());
  const wallMs = () => Math.floor(clock.wallMs());
  const nowMs = () => Math.floor(startMs + (clock.monotonicMs() - startMonotonic));
  let savedOffset = 0;
  const save = () => {
    const reading = { serviceMs: nowMs(), wallMs: wallMs() };
    savedOffset = reading.wallMs - reading.serviceMs;
    memory.write(reading);
  };
  save();
  return {
    nowMs,
    wallMs,
    toWallMs: (serviceMs) => serviceMs + wallMs() - nowMs(),
    hasJumped: () => Math.abs(wallMs() - nowMs() - savedOffset) > jumpMs,
    save,
  };
}

function timeAtStart(wallMs: number, last: ClockReading | undefined): number {
  if (!last) return wallMs;
  return last.serviceMs + Math.max(0, wallMs - last.wallMs);
}
