/**
 * Waits until files are whole: a file is told when its size and time did not change for a while. That while grows
 * with the pauses that were seen between two growths, so that slow copies are waited for too, and with patience
 * where the file lacks its end: one that stays so is told at last, so that its task says what it lacks.
 */
import { lstat } from 'node:fs/promises';
import { isWholeFile } from './whole-file.ts';

export interface SettledFile {
  /** Absolute. */
  file: string;
  sizeBytes: number;
  /** Whole milliseconds since 1970. */
  modifiedMs: number;
}

interface SettlingOptions {
  /** How long nothing may have changed. */
  quietMs: number;
  /** The same of a file without its end. */
  patienceMs: number;
  /** Before a file that could not be taken is offered again. */
  retryMs: number;
  /** Answers whether it was taken; else it is offered again. Never rejects. */
  take(file: SettledFile): Promise<boolean>;
}

export interface Settling {
  offer(file: string): void;
  /** Returns when none is being taken any more. */
  close(): Promise<void>;
}

interface Growing {
  sizeBytes: number;
  modifiedMs: number;
  changedAtMs: number;
  longestPauseMs: number;
  notBeforeMs: number;
  /** As it was found since it changed last; undefined before. */
  isWhole: boolean | undefined;
}

const pausesWaited = 3;
const lookedAtTogether = 32;

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
    for (let i = 0; i < all.length && !this.#isClosed; i += lookedAtTogether) {
      const some = all.slice(i, i + lookedAtTogether);
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
  // One that lacked its end tells by it, not by its pauses, when it is whole.
  const isTold = known.sizeBytes < 0 || known.isWhole === false;
  const pauseMs = isTold ? 0 : nowMs - known.changedAtMs;
  const longestPauseMs = Math.max(known.longestPauseMs, pauseMs);
  Object.assign(known, found, { changedAtMs: nowMs, longestPauseMs, isWhole: undefined });
}
