/** How fast photos end and how long those that are left will take, by what the service measured. */
import type { Phase } from './photo.svelte.ts';

/** What is asked of a photo. */
export interface Paced {
  readonly phase: Phase;
  readonly progress?: number;
  readonly etaSeconds?: number | undefined;
  /** By the service's measured speed. */
  readonly estimate?: { seconds?: number } | undefined;
  readonly record?:
    | { timings: { networkMs?: number }; finishedAt?: string; estimate?: { seconds?: number } }
    | undefined;
}

/**
 * Seconds for all active photos: the running ones by their own estimate, the waiting ones by theirs or by
 * the median of those that ended. Undefined while nothing was measured.
 * @param speedup how many times as fast as this machine all that share the batch are
 */
export function secondsLeft(
  active: readonly Paced[],
  finished: readonly Paced[],
  speedup = 1,
): number | undefined {
  const running = active.filter((photo) => photo.phase === 'PROCESSING');
  const known = running.map((photo) => photo.etaSeconds).filter((eta) => eta !== undefined);
  const typical = medianSeconds(finished);
  const waiting = active
    .filter((photo) => photo.phase !== 'PROCESSING')
    .map(({ record, estimate }) => record?.estimate?.seconds ?? estimate?.seconds ?? typical);
  if (running.length > 0 && known.length === 0) return undefined;
  let seconds = Math.max(0, ...known);
  for (const own of waiting) {
    if (own === undefined) return undefined;
    seconds += own / speedup;
  }
  return seconds;
}

/** Of the network's work alone: decoding and encoding hide behind it. */
function medianSeconds(finished: readonly Paced[]): number | undefined {
  const seconds = finished
    .slice(-20)
    .map(({ record }) => record?.timings.networkMs)
    .filter((ms) => ms !== undefined)
    .sort((left, right) => left - right);
  const middle = seconds[Math.floor(seconds.length / 2)];
  return middle === undefined ? undefined : middle / 1000;
}

/** So many of the last ones count, and only those that ended within so long of the last. */
const countedPhotos = 20;
const countedMs = 10 * 60_000;

/** How many ended a minute, among the last of this batch. Undefined for fewer than two. */
export function picturesPerMinute(finished: readonly Paced[]): number | undefined {
  const ends = finished
    .map(({ record }) => Date.parse(record?.finishedAt ?? ''))
    .filter((ms) => !Number.isNaN(ms))
    .sort((left, right) => left - right)
    .slice(-countedPhotos);
  const last = ends.at(-1) ?? 0;
  const counted = ends.filter((ms) => last - ms <= countedMs);
  const spanMs = last - (counted[0] ?? last);
  return counted.length < 2 || spanMs === 0 ? undefined : ((counted.length - 1) * 60_000) / spanMs;
}

/** Percent of a batch: `ended` of its photos are through, `active` are not. */
export function batchPercent(ended: number, active: readonly Paced[]): number {
  const total = ended + active.length;
  const done = active.reduce((sum, { progress = 0 }) => sum + progress / 100, ended);
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}
