/**
 * Runs one watch that is on. It looks every few seconds whether its folders are there: it waits
 * while a folder is gone (unmounted, no longer granted), and when the folder is back it goes on with
 * all that arrived meanwhile.
 */
import { codeOfFault, faultOf } from '../../contract/faults.ts';
import { stat } from 'node:fs/promises';
import type { WatchState } from '../../contract/settings/watch.ts';
import { assertGrantedFolder } from '../grants/granted.ts';
import type { WatchRow } from '../store/watches.ts';
import { createSettling, type SettledFile, type Settling } from './settling.ts';
import { submitSeen, type SubmitSeenOptions } from './submit-seen.ts';
import { picturesIn, watchFolder, type FolderWatch } from './watch-folder.ts';

export interface RunningOptions extends SubmitSeenOptions {
  /** A file must not have changed for so long. */
  quietMs: number;
  /** A file that lacks its end must not have changed for so long. */
  patienceMs: number;
  /** The time between two looks at whether the folders are there. */
  checkEveryMs: number;
  /** Is called when the watch's state or message changed. */
  onChange?: () => void;
  /** The time between two listings of all files, because network folders do not report their changes. */
  listEveryMs: number;
}

export interface RunningWatch {
  readonly state: WatchState;
  readonly message: string | undefined;
  /** Resolves when nothing of the watch is under way. */
  close(): Promise<void>;
}

const retryMs = 60_000;

interface Opened {
  folder: FolderWatch;
  settling: Settling;
  /** The identity tells a folder from another one that was mounted in its place. */
  identity: string;
  listedAtMs: number;
}

export function runWatch(row: WatchRow, options: RunningOptions): RunningWatch {
  return new FolderRun(row, options);
}

class FolderRun implements RunningWatch {
  readonly #row: WatchRow;
  readonly #options: RunningOptions;
  #opened: Opened | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #lostAtMs: number | undefined;
  #unavailable: string | undefined;
  #refusal: string | undefined;
  #checking: Promise<void>;
  /** The message that was last announced. */
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

  /** Throws a sentence when a folder is gone or no longer granted. */
  async #assertThere(): Promise<string> {
    const { grantedFolders } = this.#options.settings();
    const folder = await assertGrantedFolder(this.#row.folder, grantedFolders);
    await assertGrantedFolder(this.#row.saveTo, grantedFolders);
    const { dev, ino } = await stat(folder);
    return `${dev}:${ino}`;
  }

  /** Says whether another folder is in the same place, or its changes were not reported for a while. */
  #mustOpen(identity: string): boolean {
    const isStale = this.#lostAtMs !== undefined && performance.now() - this.#lostAtMs > retryMs;
    return isStale || this.#opened?.identity !== identity;
  }

  async #open(identity: string): Promise<void> {
    await this.#shut();
    this.#lostAtMs = undefined;
    const { quietMs, patienceMs } = this.#options;
    const take = (file: SettledFile) => this.#take(file);
    const settling = createSettling({ quietMs, patienceMs, retryMs, take });
    const lose = (error: unknown) => {
      this.#lostAtMs ??= performance.now();
      this.#refusal = `Changes in the folder are not told by the system, so it is looked through every minute${isOfLimit(error) ? ': it allows no more folders to be watched' : ''}.`;
    };
    const offer = (file: string) => settling.offer(file);
    const folder = await watchFolder(this.#row, offer, lose, this.#closing.signal);
    this.#opened = { folder, settling, identity, listedAtMs: -Infinity };
  }

  async #listAgain(): Promise<void> {
    const opened = this.#opened;
    if (!opened || performance.now() - opened.listedAtMs < this.#options.listEveryMs) return;
    opened.listedAtMs = performance.now();
    for await (const file of picturesIn(this.#row)) {
      if (this.#closing.signal.aborted) return;
      opened.settling.offer(file);
    }
  }

  async #take(file: SettledFile): Promise<boolean> {
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
    await Promise.all([opened?.folder.close(), opened?.settling.close()]);
  }
}

const sentenceFor = (thrown: unknown) => `${faultOf(thrown)}.`;

/** Linux limits how many folders are watched, and refuses more with the code of a full disk. */
const isOfLimit = (error: unknown) => ['ENOSPC', 'EMFILE'].includes(codeOfFault(error));
