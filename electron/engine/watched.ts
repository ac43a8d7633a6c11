/**
 * How long a step may be silent before its job counts as hung. Native work that cannot be stopped is watched while a job
 * waits for it, and left alone when it is cancelled.
 */
import { statSync } from 'node:fs';
import { formats, type OutputFormat } from '../contract/formats.ts';
import { onAbort } from './on-abort.ts';

/** When each piece of work that nobody waits for any more was left. */
const left = new Map<Promise<unknown>, number>();

/** How long the oldest piece of such work has been running on by itself; 0 when there is none. */
export function leftForMs(): number {
  const oldest = Math.min(...left.values());
  return Number.isFinite(oldest) ? performance.now() - oldest : 0;
}

/**
 * Waits for native work that cannot be stopped: tells of life while its bytes grow, and leaves it
 * to end by itself when the job is cancelled.
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

/** Bytes of a file that is being written; 0 while it is not there. */
export const bytesWritten = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** In milliseconds, as all that follow. A decoder shows life by the bytes it wrote; a picture's first byte may take this long. */
export const decodeSilenceMs = (megapixels: number) => Math.min(55_000, 30_000 + 150 * megapixels);

/** Loading a network, and at its first use here checking every device. */
export const beginSilenceMs = 180_000;

/** Several times the slowest tile so far. */
export const tileSilenceMs = (slowestMs: number) => Math.max(60_000, 10 * slowestMs);

/** Some encoders keep the whole picture and write it at the end. */
export const encodeSilenceMs = (format: OutputFormat, megapixels: number) =>
  60_000 + 1000 * megapixels * (formats[format].encoderSilenceSeconds ?? 0);
