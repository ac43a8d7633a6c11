/**
 * Makes files when they are first wanted. A file is made once, however many callers want it, and not again
 * for a while when that failed.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { EngineDied } from '../../engine/host/host.ts';
import { limitConcurrency } from '../limit-concurrency.ts';

export interface SingleFlight {
  /**
   * Returns when the file exists. When it cannot be made, this throws NOT_FOUND with the reason, and the same
   * error for a while after it.
   */
  need(path: string, make: () => Promise<unknown>): Promise<void>;
}

/** A picture that killed the engine is not tried again for this long: each try harms the running tasks. */
const failedForMs = 10 * 60_000;
const mostFailures = 1000;

interface Failed {
  error: EnlargerError;
  atMs: number;
}

/**
 * Creates a single-flight over files.
 * @param concurrency how many files are made at a time
 */
export function createSingleFlight(concurrency: number): SingleFlight {
  const limited = limitConcurrency(concurrency);
  const making = new Map<string, Promise<void>>();
  const failed = new Map<string, Failed>();
  const makeNow = async (path: string, make: () => Promise<unknown>) => {
    try {
      if (existsSync(path)) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await make();
    } catch (cause) {
      const error = refusalOf(cause);
      if (failed.size >= mostFailures) failed.clear();
      if (isOfPicture(cause)) failed.set(path, { error, atMs: performance.now() });
      throw error;
    } finally {
      making.delete(path);
    }
  };
  return {
    need(path, make) {
      if (existsSync(path)) return Promise.resolve();
      const known = failed.get(path);
      if (known && performance.now() - known.atMs < failedForMs) return Promise.reject(known.error);
      const made = making.get(path) ?? limited(() => makeNow(path, make));
      making.set(path, made);
      return made;
    },
  };
}

/** Tells whether the picture is at fault, so that the next try would end alike. */
const isOfPicture = (cause: unknown) =>
  cause instanceof EngineDied ||
  (cause instanceof EnlargerError && /^(UNREADABLE_IMAGE|IMAGE_TOO_LARGE)$/.test(cause.code));

/** Answers the refusal: NOT_FOUND for an EnlargerError or a killed engine, INTERNAL for a fault of ours. */
export function refusalOf(cause: unknown): EnlargerError {
  if (cause instanceof EngineDied) {
    const message = 'The engine stopped working when it looked at this picture.';
    return new EnlargerError('NOT_FOUND', message, { cause });
  }
  if (cause instanceof EnlargerError)
    return new EnlargerError('NOT_FOUND', cause.message, { cause });
  return new EnlargerError('INTERNAL', 'The picture could not be looked at.', { cause });
}
