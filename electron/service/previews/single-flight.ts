/** Creates files on demand: once, however many callers wait, and not again for a while after a failure. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { EngineDied } from '../../engine/host/host.ts';
import { asStorageFull, hasCode } from '../../../packages/files/src/file-errors.ts';
import { limitConcurrency } from '../timing/limit-concurrency.ts';

export interface SingleFlight {
  /**
   * Resolves when the file exists.
   * @throws EnlargerError NOT_FOUND with the reason, repeated for `failedForMs`
   */
  need(path: string, make: () => Promise<unknown>): Promise<void>;
}

/** Retry delay of a picture that crashed the engine: each try disturbs running tasks. */
const failedForMs = 10 * 60_000;
const maxFailures = 1000;

interface RecentFailure {
  error: EnlargerError;
  atMs: number;
}

/** @param concurrency files created at a time */
export function createSingleFlight(concurrency: number): SingleFlight {
  const limited = limitConcurrency(concurrency);
  const making = new Map<string, Promise<void>>();
  const failed = new Map<string, RecentFailure>();
  const makeNow = async (path: string, make: () => Promise<unknown>) => {
    try {
      if (existsSync(path)) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await make();
    } catch (cause) {
      const error = refusalOf(cause);
      if (failed.size >= maxFailures) failed.clear();
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

/** True if the picture is the cause, so that a retry would fail alike. */
const isOfPicture = (cause: unknown) =>
  cause instanceof EngineDied ||
  (cause instanceof EnlargerError && /^(UNREADABLE_IMAGE|IMAGE_TOO_LARGE)$/.test(cause.code));

/**
 * NOT_FOUND where the picture has no view now: an EnlargerError, a crashed engine, a source that left while it
 * was read, a time limit. STORAGE_FULL for a full disk, INTERNAL for other errors.
 */
export function refusalOf(cause: unknown): EnlargerError {
  if (cause instanceof EnlargerError)
    return new EnlargerError('NOT_FOUND', cause.message, { cause });
  const asFull = asStorageFull(cause);
  if (asFull instanceof EnlargerError) return asFull;
  const message = noViewMessage(cause);
  if (message !== undefined) return new EnlargerError('NOT_FOUND', message, { cause });
  return new EnlargerError('INTERNAL', 'The picture could not be looked at.', { cause });
}

function noViewMessage(cause: unknown): string | undefined {
  if (cause instanceof EngineDied)
    return 'The engine stopped working when it looked at this picture.';
  if (hasCode(cause, ['ENOENT'])) return 'This picture was moved or removed while it was read.';
  if (cause instanceof Error && /^(Abort|Timeout)Error$/.test(cause.name))
    return 'Reading this picture took too long for a view of it; try again when less is running.';
  return undefined;
}
