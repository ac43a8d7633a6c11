/**
 * Stall limits of a job's steps. Native work that cannot be cancelled is watched while a job awaits it; a
 * cancelled job abandons it, and it runs to its own end.
 */
import { statSync } from 'node:fs';
import { formats, type OutputFormat } from '../../../packages/contract/src/formats.ts';
import { onAbort } from './on-abort.ts';

/** Work that no job awaits any more, with the time at which it was abandoned (performance.now). */
const abandonedAtMs = new Map<Promise<unknown>, number>();

/** Returns for how many milliseconds the oldest abandoned work has been running; 0 if there is none. */
export function oldestAbandonedMs(): number {
  const oldest = Math.min(...abandonedAtMs.values());
  return Number.isFinite(oldest) ? performance.now() - oldest : 0;
}

/**
 * Awaits native work that cannot be cancelled.
 *
 * @param onGrowth called while `bytesSoFar` grows, every 500 ms
 * @throws the signal's reason; the work then runs on, abandoned
 */
export async function awaitUncancellable<T>(
  work: Promise<T>,
  bytesSoFar: () => number,
  onGrowth: () => void,
  signal: AbortSignal,
): Promise<T> {
  let bytes = 0;
  const timer = setInterval(() => {
    const now = bytesSoFar();
    if (now > bytes) onGrowth();
    bytes = now;
  }, 500);
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const removeListener = onAbort(signal, () => reject(signal.reason));
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    clearInterval(timer);
    removeListener();
    abandonedAtMs.set(work, performance.now());
    void ended.then(() => abandonedAtMs.delete(work));
  }
}

/** Returns the current size of a file in bytes; 0 while it does not exist. */
export const bytesWritten = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Covers the time until the first byte: a decoder shows progress only by the bytes that it writes. */
export const decodeStallMs = (megapixels: number) => Math.min(55_000, 30_000 + 150 * megapixels);

/** Covers loading a network and, at its first use on this machine, checking it on every device. */
export const loadStallMs = 180_000;

/** Ten times the slowest tile so far, at least a minute. */
export const tileStallMs = (slowestMs: number) => Math.max(60_000, 10 * slowestMs);

/** Some encoders buffer the whole picture and write only at the end. */
export const encodeStallMs = (format: OutputFormat, megapixels: number) =>
  60_000 + 1000 * megapixels * (formats[format].encoderSilenceSeconds ?? 0);
