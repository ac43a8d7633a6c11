/**
 * Tells how long a step may be silent before its job counts as hung. Native work that cannot be stopped is
 * watched while a job waits for it, and is left to end by itself when the job is cancelled.
 */
import { statSync } from 'node:fs';
import { formats, type OutputFormat } from '../../contract/formats.ts';
import { onAbort } from './on-abort.ts';

/** The time at which each piece of work was left that nobody waits for any more. */
const left = new Map<Promise<unknown>, number>();

/** Tells how long the oldest piece of left work has been running on by itself; 0 when there is none. */
export function leftForMs(): number {
  const oldest = Math.min(...left.values());
  return Number.isFinite(oldest) ? performance.now() - oldest : 0;
}

/**
 * Waits for native work that cannot be stopped. It calls `onGrowth` while the work's bytes grow, and rejects
 * with the signal's reason when the job is cancelled, while the work ends by itself.
 */
export async function watched<T>(
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
  const forget = onAbort(signal, () => reject(signal.reason));
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    clearInterval(timer);
    forget();
    left.set(work, performance.now());
    void ended.then(() => left.delete(work));
  }
}

/** Gives the bytes of a file that is being written; 0 while it is not there. */
export const bytesWritten = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A decoder shows life by the bytes that it writes; the first byte of a picture may take this long. */
export const decodeSilenceMs = (megapixels: number) => Math.min(55_000, 30_000 + 150 * megapixels);

/** A network may take this long to load and, at its first use here, to be checked on every device. */
export const beginSilenceMs = 180_000;

/** A tile may take ten times as long as the slowest one so far, and at least a minute. */
export const tileSilenceMs = (slowestMs: number) => Math.max(60_000, 10 * slowestMs);

/** An encoder may be silent for long where it keeps the whole picture and writes it at its end. */
export const encodeSilenceMs = (format: OutputFormat, megapixels: number) =>
  60_000 + 1000 * megapixels * (formats[format].encoderSilenceSeconds ?? 0);
