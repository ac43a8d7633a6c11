/**
 * Keeps folders of persons true to what they accept and reject: of the versions of a photo that were saved with
 * `oneVersion`, only the one that counts lies in the folder, and one of `onlyAccepted` only after it was accepted.
 *
 * Survives a kill at any moment. A file is removed while the same bytes are kept as the task's result, whose retention
 * begins anew before; then the row says that the file is gone. A file that is put in is recorded before it has its
 * name. What was not finished is finished at the next start.
 */
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { Log } from '../../../../packages/contract/src/log.ts';
import type { SaveBody } from '../../../../packages/contract/src/picture.ts';
import type { FolderProblem } from '../../../../packages/contract/src/task.ts';
import { exportResult } from '../../results/export-result.ts';
import type { Results } from '../../results/results.ts';
import { takeOut, type TakenOut } from '../../results/take-out.ts';
import type { Store } from '../../store/store.ts';
import {
  isFinished,
  type FinishedTask,
  type Placement,
  type Task,
} from '../../store/tasks/task.ts';
import type { TaskEnding } from '../../store/tasks/transitions.ts';
import type { ServiceClock } from '../../timing/clock.ts';
import { statusConflict } from '../failures.ts';
import { grantedTo, type FolderSteps } from '../running/steps.ts';
import {
  foldersOf,
  isInFolder,
  isVersion,
  maxVersions,
  planFolder,
} from '../../results/version-folder.ts';

interface FolderVersionsOptions extends FolderSteps {
  store: Store;
  results: Results;
  clock: Pick<ServiceClock, 'nowMs' | 'wallMs'>;
  saveToken: (text: string) => string;
  announce: (task: Task) => void;
  endingNow: () => TaskEnding;
  log: Log;
}

/** A save of a finished result. */
export interface ResultSave extends Omit<SaveBody, 'saveTo'> {
  /** Absolute and granted. */
  folder: string;
  grantedFolders: readonly string[];
}

export interface FolderVersions {
  /** Puts in and takes out what the photo's marks ask for. Never rejects. */
  settle(photo: string): Promise<void>;
  /** Finishes what a former process left. Never rejects. */
  settleAll(): Promise<void>;
  /**
   * Saves a result. With `oneVersion` the other versions leave the folder first, if this one counts.
   * @returns the path written; undefined if the name was taken and onConflict is 'skip'
   * @throws EnlargerError FORBIDDEN_PATH, STORAGE_FULL, CANNOT_WRITE, CONFLICT
   */
  save(task: FinishedTask, save: ResultSave): Promise<string | undefined>;
  /** Resolves when nothing is written or removed any more. */
  close(): Promise<void>;
}

export function createFolderVersions(options: FolderVersionsOptions): FolderVersions {
  return new SettledFolders(options);
}

class SettledFolders implements FolderVersions {
  readonly #options: FolderVersionsOptions;
  /** Last work on each photo, because its versions share names. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(options: FolderVersionsOptions) {
    this.#options = options;
  }

  async settle(photo: string): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#inTurn(photo, async () => {
        for (const folder of foldersOf(this.#versionsOf(photo)))
          await this.#settleFolder(photo, folder);
      });
    } catch (thrown) {
      this.#warn('The versions of a photo could not be put into their folder.', thrown);
    }
  }

  async settleAll(): Promise<void> {
    try {
      for (const photo of this.#options.store.tasks.photosInFolders()) {
        await this.settle(photo);
        await setImmediate();
      }
    } catch (thrown) {
      this.#warn('The versions of photos could not be read.', thrown);
    }
  }

  save(task: FinishedTask, { oneVersion, onlyAccepted, folder, ...save }: ResultSave) {
    return this.#inTurn(task.photo, async () => {
      const { onConflict = task.options.onConflict ?? 'number' } = save;
      const asVersion = oneVersion === true && onConflict === 'number';
      const naming = namingOf(save);
      const isHeld =
        task.mark === 'accepted' && (onlyAccepted ?? task.placement?.onlyAccepted) === true;
      const placement: Placement = { folder, ...naming, ...(isHeld && { onlyAccepted: true }) };
      const counts = asVersion && (await this.#makeWay(task.taskId, task.photo, placement));
      const { tasks } = this.#options.store;
      // What came before in turn, or made way, may have changed where it lies.
      const { savedTo: before, savePath } = tasks.get(task.taskId) ?? task;
      const savedTo = await this.#export(
        task,
        { savedTo: before, savePath },
        folder,
        { ...naming, onConflict },
        save.grantedFolders,
      );
      if (savedTo === undefined) return undefined;
      const saved = tasks.noteSaved(task.taskId, savedTo, counts ? placement : undefined);
      if (saved === undefined)
        throw statusConflict(task.taskId, undefined, 'only the result of a finished task is saved');
      this.#options.announce(saved);
      return savedTo;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#turns.values());
  }

  /**
   * Takes the other versions out of the folder, if this one counts there, and its own file, which is written anew.
   * Returns whether it counts.
   */
  async #makeWay(taskId: string, photo: string, placement: Placement): Promise<boolean> {
    const { folder } = placement;
    const versions = this.#versionsOf(photo);
    const own = versions.find((version) => version.taskId === taskId);
    const planned = versions.map((version) =>
      version === own ? { ...version, placement } : version,
    );
    const { counting, leaving } = planFolder(folder, planned);
    if (own === undefined || counting?.taskId !== taskId) return false;
    for (const version of leaving) await this.#takeOut(version, folder);
    if (own.placement?.folder === folder && isInFolder(own, folder))
      await this.#takeOut(own, folder, () => undefined);
    return true;
  }

  async #settleFolder(photo: string, folder: string): Promise<void> {
    const { counting, leaving, separate, joining } = planFolder(folder, this.#versionsOf(photo));
    for (const version of leaving) await this.#takeOut(version, folder);
    for (const version of separate) await this.#putIn(version, folder);
    if (counting === undefined) return;
    if (counting.savedTo === undefined)
      await this.#putIn({ ...counting, placement: counting.placement ?? joining }, folder);
    else this.#note(counting, folder, undefined);
  }

  async #takeOut(
    version: FinishedTask,
    folder: string,
    announce = this.#options.announce,
  ): Promise<void> {
    const { savedTo = '', taskId } = version;
    const { store } = this.#options;
    const outcome = await this.#tryTakeOut(version, savedTo, folder);
    if (outcome === 'taken' || outcome === 'missing') {
      const problem = outcome === 'missing' ? 'changed' : undefined;
      const noted = store.tasks.noteTakenOut(taskId, savedTo, placed(version, folder, problem));
      if (noted) announce(noted);
    } else this.#note(version, folder, outcome === 'changed' ? 'changed' : 'not-removed');
  }

  async #tryTakeOut(
    version: FinishedTask,
    savedTo: string,
    folder: string,
  ): Promise<TakenOut | 'failed'> {
    const { taskId, files } = version;
    const { store, results, clock, endingNow } = this.#options;
    try {
      return await takeOut({
        folder: await this.#open(version, folder),
        name: basename(savedTo),
        kept: results.pathOf(taskId, files.image.name),
        hold: () => store.tasks.holdResult(taskId, savedTo, clock.nowMs(), endingNow().expiresOn),
      });
    } catch (thrown) {
      this.#warn('A version could not be taken out of its folder.', thrown);
      return 'failed';
    }
  }

  /** Does nothing for a result that has expired. */
  async #putIn(version: FinishedTask, folder: string): Promise<void> {
    const { store, clock, announce } = this.#options;
    const { taskId, placement, expiresOn = 0 } = version;
    if (expiresOn <= clock.nowMs()) return;
    try {
      const { onConflict = 'number' } = placement ?? {};
      const naming = { ...namingOf(placement), onConflict };
      const savedTo = await this.#export(version, version, folder, naming, this.#granted(version));
      if (savedTo === undefined) {
        this.#note(version, folder, 'not-saved');
        return;
      }
      const noted = store.tasks.noteSaved(taskId, savedTo, placed(version, folder, undefined));
      if (noted) announce(noted);
    } catch (thrown) {
      this.#warn('A version could not be put into its folder.', thrown);
      this.#note(version, folder, 'not-saved');
    }
  }

  /** A save that was cut off is recognised by the path that it recorded, unless a file is recorded as saved. */
  #export(
    task: FinishedTask,
    { savedTo, savePath }: { savedTo?: string | undefined; savePath?: string | undefined },
    folder: string,
    naming: Pick<SaveBody, 'name' | 'onConflict'>,
    grantedFolders: readonly string[],
  ): Promise<string | undefined> {
    const { store, results, saveToken, clock } = this.#options;
    const { taskId } = task;
    const isFirst = savedTo === undefined;
    return exportResult(task, folder, naming, {
      ...{ results, saveToken, grantedFolders, nowMs: clock.wallMs() },
      ...(isFirst && {
        recorded: savePath,
        record: (path) => {
          if (!store.tasks.recordPlacing(taskId, path) && path !== undefined)
            throw new EnlargerError('TASK_NOT_FOUND', 'There is no task with this id.');
        },
      }),
    });
  }

  #open(version: Task, folder: string) {
    return this.#options.openGrantedFolder(folder, this.#granted(version));
  }

  #granted(version: Task): string[] {
    return grantedTo(version, this.#options);
  }

  #note(version: Task, folder: string, problem: FolderProblem | undefined): void {
    if (version.placement?.problem === problem) return;
    const { store, announce } = this.#options;
    const noted = store.tasks.notePlacement(version.taskId, placed(version, folder, problem));
    if (noted) announce(noted);
  }

  /** Finished versions, in order of arrival. */
  #versionsOf(photo: string): FinishedTask[] {
    const { tasks } = this.#options.store;
    const found = tasks.list({ photo, status: 'FINISHED', limit: maxVersions });
    return found.filter(isFinished).filter(isVersion).reverse();
  }

  async #inTurn<T>(photo: string, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed)
      throw new EnlargerError(
        'SHUTTING_DOWN',
        'The service is shutting down. Try again in a moment.',
      );
    const current = (this.#turns.get(photo) ?? Promise.resolve()).then(work, work);
    this.#turns.set(photo, current);
    try {
      return await current;
    } finally {
      if (this.#turns.get(photo) === current) this.#turns.delete(photo);
    }
  }

  #warn(message: string, thrown: unknown): void {
    this.#options.log('warn', message, { error: String(thrown) });
  }
}

/** Placement of a version of a folder, with the name that it was saved with. */
function placed(
  { placement }: Task,
  folder: string,
  problem: FolderProblem | undefined,
): Placement {
  const { onlyAccepted, onConflict } = placement ?? {};
  return {
    ...{ folder, ...namingOf(placement) },
    ...(problem && { problem }),
    ...(onlyAccepted && { onlyAccepted }),
    ...(onConflict && { onConflict }),
  };
}

const namingOf = ({ name }: Pick<SaveBody, 'name'> = {}) => (name === undefined ? {} : { name });
