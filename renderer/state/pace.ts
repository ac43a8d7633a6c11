/** How long the photos that are left will take, by what the service measured. */
import type { Phase } from './photo.svelte.ts';

/** What is asked of a photo. */
export interface Paced {
  readonly phase: Phase;
  readonly etaSeconds?: number | undefined;
  readonly record?: { timings: { networkMs?: number } } | undefined;
}

/**
 * Seconds for all active photos: the running ones by their own estimate, the waiting ones by the
 * median of those that ended. Undefined while nothing was measured.
 */
export function secondsLeft(active: Paced[], finished: Paced[]): number | undefined {
  const running = active.filter((photo) => photo.phase === 'PROCESSING');
  const known = running.map((photo) => photo.etaSeconds).filter((eta) => eta !== undefined);
  const waiting = active.length - running.length;
  const typical = medianSeconds(finished);
  if (waiting > 0 && typical === undefined) return undefined;
  if (running.length > 0 && known.length === 0) return undefined;
  return Math.max(0, ...known) + waiting * (typical ?? 0);
}

/** Of the network's work alone: decoding and encoding hide behind it. */
function medianSeconds(finished: Paced[]): number | undefined {
  const seconds = finished
    .slice(-20)
    .map(({ record }) => record?.timings.networkMs)
    .filter((ms) => ms !== undefined)
    .sort((left, right) => left - right);
  const middle = seconds[Math.floor(seconds.length / 2)];
  return middle === undefined ? undefined : middle / 1000;
}
