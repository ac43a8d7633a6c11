/**
 * Waits until files are complete: size and modification time unchanged for a while. The wait grows with the
 * longest pause between two growths, for slow copies. A file without its end is waited for longer
 * (`patienceMs`), then submitted anyway, so that its task reports what is missing.
 */
import { lstat } from 'node:fs/promises';
import { isWholeFile } from './whole-file.ts';

export interface SettledFile {
  /** Absolute path. */
  file: string;
  sizeBytes: number;
  /** Whole milliseconds since 1970. */
  modifiedMs: number;
}

interface SettlingOptions {
  /** Time without change after which a file is complete. */
  quietMs: number;
  /** Time without change after which a file without its end is submitted. */
  patienceMs: number;
  /** Delay before a file that was not accepted is submitted again. */
  retryMs: number;
  /** Resolves false to retry later. Never rejects. */
  take(file: SettledFile): Promise<boolean>;
}

export interface Settling {
  offer(file: string): void;
  /** Resolves when no submission is running. */
  close(): Promise<void>;
}

interface Growing {
  sizeBytes: number;
  modifiedMs: number;
  changedAtMs: number;
  longestPauseMs: number;
  notBeforeMs: number;
  /** True if the file has its end; undefined until read since the last change. */
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
  // Ignore the time before the first inspection, and pauses of a file known to lack its end.
  const isTold = known.sizeBytes < 0 || known.isWhole === false;
  const pauseMs = isTold ? 0 : nowMs - known.changedAtMs;
  const longestPauseMs = Math.max(known.longestPauseMs, pauseMs);
  Object.assign(known, found, { changedAtMs: nowMs, longestPauseMs, isWhole: undefined });
}
