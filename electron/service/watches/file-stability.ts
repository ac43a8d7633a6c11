/**
 * Waits until files are complete: size and modification time unchanged for a while. The wait grows with the
 * longest pause between two growths, for slow copies. A file without its end is waited for longer
 * (`patienceMs`), then submitted anyway, so that its task reports what is missing.
 */
import { lstat } from 'node:fs/promises';
import { isCompleteFile } from './complete-file.ts';

export interface StableFile {
  /** Absolute path. */
  file: string;
  sizeBytes: number;
  /** Whole milliseconds since 1970. */
  modifiedMs: number;
}

interface FileStabilityOptions {
  /** Time without change after which a file is complete. */
  quietMs: number;
  /** Time without change after which a file without its end is submitted. */
  patienceMs: number;
  /** Delay before a file that was not accepted is submitted again. */
  retryMs: number;
  /** Resolves false to retry later. Never rejects. */
  submit(file: StableFile): Promise<boolean>;
}

export interface FileStability {
  offer(file: string): void;
  /** Resolves when no submission is running. */
  close(): Promise<void>;
}

interface PendingFile {
  sizeBytes: number;
  modifiedMs: number;
  changedAtMs: number;
  longestPauseMs: number;
  notBeforeMs: number;
  /** True if the file has its end; undefined until read since the last change. */
  isComplete: boolean | undefined;
}

const pausesWaited = 3;
const concurrentChecks = 32;

export function createFileStability(options: FileStabilityOptions): FileStability {
  return new StabilityWatcher(options);
}

class StabilityWatcher implements FileStability {
  readonly #options: FileStabilityOptions;
  readonly #growing = new Map<string, PendingFile>();
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #round = Promise.resolve();

  constructor(options: FileStabilityOptions) {
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
      this.#round = this.#checkAll();
    }, this.#options.quietMs / 3);
  }

  async #checkAll(): Promise<void> {
    const all = [...this.#growing];
    for (let i = 0; i < all.length && !this.#isClosed; i += concurrentChecks) {
      const some = all.slice(i, i + concurrentChecks);
      await Promise.all(some.map(([file, known]) => this.#check(file, known)));
    }
    this.#timer = undefined;
    this.#plan();
  }

  async #check(file: string, known: PendingFile): Promise<void> {
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
    known.isComplete ??= await isCompleteFile(file).catch(() => true);
    if (!known.isComplete && quietSinceMs < patienceMs) return;
    known.notBeforeMs = now + retryMs;
    if (await this.#options.submit({ file, sizeBytes, modifiedMs })) this.#growing.delete(file);
  }
}

function unknownYet(): PendingFile {
  return {
    sizeBytes: -1,
    modifiedMs: 0,
    changedAtMs: performance.now(),
    longestPauseMs: 0,
    notBeforeMs: 0,
    isComplete: undefined,
  };
}

function noteChange(
  known: PendingFile,
  found: Pick<StableFile, 'sizeBytes' | 'modifiedMs'>,
  nowMs: number,
): void {
  // Ignore the time before the first inspection, and pauses of a file known to lack its end.
  const ignoresPause = known.sizeBytes < 0 || known.isComplete === false;
  const pauseMs = ignoresPause ? 0 : nowMs - known.changedAtMs;
  const longestPauseMs = Math.max(known.longestPauseMs, pauseMs);
  Object.assign(known, found, { changedAtMs: nowMs, longestPauseMs, isComplete: undefined });
}
