/**
 * One enabled watch. Checks regularly whether its folders are there: pauses while one is missing (unmounted,
 * no longer granted), and then continues with everything that arrived meanwhile.
 */
import { errorCodeOf, reasonOf } from '../../../packages/contract/src/error-messages.ts';
import { stat } from 'node:fs/promises';
import type { WatchState } from '../../../packages/contract/src/settings/watch.ts';
import { assertGrantedFolder } from '../../../packages/files/src/granted.ts';
import type { WatchRow } from '../store/watches.ts';
import { createFileStability, type StableFile, type FileStability } from './file-stability.ts';
import { submitSeen, type SubmitSeenOptions } from './submit-seen.ts';
import { picturesIn, watchFolder, type FolderWatch } from './watch-folder.ts';

export interface RunningOptions extends SubmitSeenOptions {
  /** Time without change after which a file is complete. */
  quietMs: number;
  /** Time without change after which a file without its end is submitted anyway. */
  patienceMs: number;
  /** Interval of the check for missing folders. */
  checkEveryMs: number;
  /** Called when state or message changed. */
  onChange?: () => void;
  /** Interval of full listings, for network folders that report no changes. */
  listEveryMs: number;
}

export interface RunningWatch {
  readonly state: WatchState;
  readonly message: string | undefined;
  /** Resolves when no work of the watch is running. */
  close(): Promise<void>;
}

const retryMs = 60_000;

interface OpenWatch {
  folder: FolderWatch;
  stability: FileStability;
  /** Distinguishes another folder mounted at the same path. */
  identity: string;
  listedAtMs: number;
}

export function runWatch(row: WatchRow, options: RunningOptions): RunningWatch {
  return new FolderRun(row, options);
}

class FolderRun implements RunningWatch {
  readonly #row: WatchRow;
  readonly #options: RunningOptions;
  #opened: OpenWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #lostAtMs: number | undefined;
  #unavailable: string | undefined;
  #refusal: string | undefined;
  #checking: Promise<void>;
  /** Message last announced. */
  #told: string | undefined;

  constructor(row: WatchRow, options: RunningOptions) {
    this.#row = row;
    this.#options = options;
    this.#checking = this.#check();
  }

  get state(): WatchState {
    return this.#unavailable === undefined ? 'watching' : 'unavailable';
  }

  get message(): string | undefined {
    return this.#unavailable ?? this.#refusal;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#checking;
    await this.#shut();
  }

  async #check(): Promise<void> {
    try {
      const identity = await this.#assertThere();
      if (this.#mustOpen(identity)) await this.#open(identity);
      await this.#listAgain();
      this.#unavailable = undefined;
    } catch (thrown) {
      this.#unavailable = sentenceFor(thrown);
      await this.#shut();
    }
    if (this.#closing.signal.aborted) return;
    if (this.message !== this.#told) this.#options.onChange?.();
    this.#told = this.message;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check();
    }, this.#options.checkEveryMs);
  }

  /** @throws EnlargerError if a folder is missing or not granted */
  async #assertThere(): Promise<string> {
    const granted = [...this.#options.settings().grantedFolders, ...this.#row.grants];
    const folder = await assertGrantedFolder(this.#row.folder, granted);
    await assertGrantedFolder(this.#row.saveTo, granted);
    const { dev, ino } = await stat(folder);
    return `${dev}:${ino}`;
  }

  /** True if another folder is at the path, or changes were not reported for a while. */
  #mustOpen(identity: string): boolean {
    const isStale = this.#lostAtMs !== undefined && performance.now() - this.#lostAtMs > retryMs;
    return isStale || this.#opened?.identity !== identity;
  }

  async #open(identity: string): Promise<void> {
    await this.#shut();
    this.#lostAtMs = undefined;
    const { quietMs, patienceMs } = this.#options;
    const submit = (file: StableFile) => this.#submit(file);
    const stability = createFileStability({ quietMs, patienceMs, retryMs, submit });
    const lose = (error: unknown) => {
      this.#lostAtMs ??= performance.now();
      this.#refusal = `Changes in the folder are not told by the system, so it is looked through every minute${isOfLimit(error) ? ': it allows no more folders to be watched' : ''}.`;
    };
    const offer = (file: string) => stability.offer(file);
    const folder = await watchFolder(this.#row, offer, lose, this.#closing.signal);
    this.#opened = { folder, stability, identity, listedAtMs: -Infinity };
  }

  async #listAgain(): Promise<void> {
    const opened = this.#opened;
    if (!opened || performance.now() - opened.listedAtMs < this.#options.listEveryMs) return;
    opened.listedAtMs = performance.now();
    for await (const file of picturesIn(this.#row)) {
      if (this.#closing.signal.aborted) return;
      opened.stability.offer(file);
    }
  }

  async #submit(file: StableFile): Promise<boolean> {
    try {
      await submitSeen(this.#row, file, this.#options);
      this.#refusal = undefined;
      return true;
    } catch (thrown) {
      this.#refusal = sentenceFor(thrown);
      return false;
    }
  }

  async #shut(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await Promise.all([opened?.folder.close(), opened?.stability.close()]);
  }
}

const sentenceFor = (thrown: unknown) => `${reasonOf(thrown)}.`;

/** Linux limits the number of watched folders, and reports the limit as disk full. */
const isOfLimit = (error: unknown) => ['ENOSPC', 'EMFILE'].includes(errorCodeOf(error));
