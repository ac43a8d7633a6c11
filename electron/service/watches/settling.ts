/**
 * Waits until files are whole: a file is handed over when its size and time did not change for a while. The
 * wait grows with the longest pause that was seen between two growths, so that slow copies are waited for
 * too. A file that lacks its end is waited for longer (`patienceMs`) and then handed over all the same, so
 * that its task says what it lacks.
 */
import { lstat } from 'node:fs/promises';
import { isWholeFile } from './whole-file.ts';

export interface SettledFile {
  /** The path is absolute. */
  file: string;
  sizeBytes: number;
  /** The time is in whole milliseconds since 1970. */
  modifiedMs: number;
}

interface SettlingOptions {
  /** A file is whole when nothing of it has changed for so long. */
  quietMs: number;
  /** A file that lacks its end is handed over when nothing has changed for so long. */
  patienceMs: number;
  /** A file that could not be taken is offered again after this time. */
  retryMs: number;
  /** Answers whether the file was taken; otherwise it is offered again. It never rejects. */
  take(file: SettledFile): Promise<boolean>;
}

export interface Settling {
  offer(file: string): void;
  /** Resolves when no file is being taken any more. */
  close(): Promise<void>;
}

interface Growing {
  sizeBytes: number;
  modifiedMs: number;
  changedAtMs: number;
  longestPauseMs: number;
  notBeforeMs: number;
  /** Says whether the file has its end; undefined until that was read since the last change. */
  isWhole: boolean | undefined;
}

const pausesWaited = 3;
const concurrentLooks = 32;

export function createSettling(options: SettlingOptions): Settling {
  return new FilesThatSettle(options);
}

class FilesThatSettle implements Settling {
  readonly #options: SettlingOptions;
  readonly #growing = new Map<string, Growing>();
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #round = Promise.resolve();

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  offer(file: string): void {
    const known = this.#growing.get(file);
    if (known) known.notBeforeMs = 0;
    else this.#growing.set(file, unknownYet());
    this.#plan();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #plan(): void {
    if (this.#isClosed || this.#timer || this.#growing.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#lookAtAll();
    }, this.#options.quietMs / 3);
  }

  async #lookAtAll(): Promise<void> {
    const all = [...this.#growing];
    for (let i = 0; i < all.length && !this.#isClosed; i += concurrentLooks) {
      const some = all.slice(i, i + concurrentLooks);
      await Promise.all(some.map(([file, known]) => this.#lookAt(file, known)));
    }
    this.#timer = undefined;
    this.#plan();
  }

  async #lookAt(file: string, known: Growing): Promise<void> {
    const now = performance.now();
    if (now < known.notBeforeMs) return;
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isFile()) {
      this.#growing.delete(file);
      return;
    }
    const [sizeBytes, modifiedMs] = [found.size, Math.floor(found.mtimeMs)];
    if (sizeBytes !== known.sizeBytes || modifiedMs !== known.modifiedMs) {
      noteChange(known, { sizeBytes, modifiedMs }, now);
      return;
    }
    const { quietMs, patienceMs, retryMs } = this.#options;
    const quietSinceMs = now - known.changedAtMs;
    const waitMs = Math.max(quietMs, pausesWaited * known.longestPauseMs);
    if (sizeBytes === 0 || quietSinceMs < waitMs) return;
    known.isWhole ??= await isWholeFile(file).catch(() => true);
    if (!known.isWhole && quietSinceMs < patienceMs) return;
    known.notBeforeMs = now + retryMs;
    if (await this.#options.take({ file, sizeBytes, modifiedMs })) this.#growing.delete(file);
  }
}

function unknownYet(): Growing {
  return {
    sizeBytes: -1,
    modifiedMs: 0,
    changedAtMs: performance.now(),
    longestPauseMs: 0,
    notBeforeMs: 0,
    isWhole: undefined,
  };
}

function noteChange(
  known: Growing,
  found: Pick<SettledFile, 'sizeBytes' | 'modifiedMs'>,
  nowMs: number,
): void {
  // A pause does not count before the first look, nor where a lacking end says more than pauses.
  const isTold = known.sizeBytes < 0 || known.isWhole === false;
  const pauseMs = isTold ? 0 : nowMs - known.changedAtMs;
  const longestPauseMs = Math.max(known.longestPauseMs, pauseMs);
  Object.assign(known, found, { changedAtMs: nowMs, longestPauseMs, isWhole: undefined });
}
