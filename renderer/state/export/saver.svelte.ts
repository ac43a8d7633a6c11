/**
 * Saves results: into the destination where there is one, else as a download or into a folder that the
 * browser gives. It tells the service what was saved, so that every window knows what is not.
 */
import { createContext } from 'svelte';
import type { SavingCalls } from '../../../packages/api-client/src/picture-calls.ts';
import { eachConcurrently, problemOf } from '../../api/calls.svelte.ts';
import { savingIn } from '../options/choices.ts';
import {
  commonDestination,
  destinationOf,
  folderName,
  folderOf,
  placeFor,
  type Destined,
} from '../options/destination.ts';
import { text } from '../../text/text.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import type { Queue } from '../queue/queue.svelte.ts';
import type { Remembered } from '../options/remembered.svelte.ts';
import { lateTemplate, saveArchive, saveMany, saveOne } from './save.ts';

const concurrency = 2;
/** What was saved is said for this time, as messages are. */
const saidMs = 15_000;

/** A save has come so far. `folder` is there once all are saved. */
interface Saving {
  done: number;
  total: number;
  folder?: string;
}

/** A result with the place that it goes to. */
interface Placed extends Destined {
  readonly photo: Photo;
}

type SavedQueue = Pick<
  Queue,
  'problem' | 'destination' | 'destinationOf' | 'selection' | 'lastFolder'
>;

export const [getSaver, setSaver] = createContext<Saver>();

export class Saver {
  /** What is being saved, or was saved last: for as long as a message stands, or until photos run again. */
  saving = $state.raw<Saving>();
  /**
   * These were not saved, because the browser's dialog for a folder was closed without one: until the next save, or
   * until a person chooses a folder or dismisses the message.
   */
  folderless = $state.raw<readonly Photo[]>([]);
  /** The result that was saved last, where it was saved by itself. */
  savedAlone = $state.raw<Photo>();
  readonly #queue: SavedQueue;
  readonly #remembered: Pick<Remembered, 'newPhotos'>;
  readonly #calls: SavingCalls;

  constructor(queue: SavedQueue, remembered: Pick<Remembered, 'newPhotos'>, calls: SavingCalls) {
    this.#queue = queue;
    this.#remembered = remembered;
    this.#calls = calls;
  }

  /** Saves results, and answers whether all are safe now: the dialog may be closed, or a save may fail. */
  async save(photos: readonly Photo[]): Promise<boolean> {
    this.folderless = [];
    this.#queue.problem = undefined;
    if (!(await this.#queue.destination.pass())) return false;
    const finished = photos.filter(({ record }) => record?.imageUrl !== undefined);
    // What is chosen may change while results are saved.
    const shown = this.#shownPlace();
    const all = finished.map((photo) => ({ photo, saveTo: this.#placeOf(photo, shown) }));
    const placed = all.filter(({ saveTo }) => saveTo !== '');
    const others = all.filter(({ saveTo }) => saveTo === '').map(({ photo }) => photo);
    this.savedAlone = finished.length === 1 ? finished[0] : undefined;
    const before = this.saving;
    this.saving = { done: 0, total: finished.length };
    // Where the dialog for a folder is closed, nothing is saved.
    const isTaken = await this.#take(others);
    const place = isTaken === undefined ? undefined : await this.#place(placed);
    const folder = isTaken === true ? place : isTaken;
    const isAll = place !== undefined && isTaken !== false;
    const saved = isAll ? summedUp(before, finished.length, folder || undefined) : undefined;
    this.#say(saved);
    if (isAll && others.length === 0) this.#remember(placed);
    return isAll;
  }

  /** Reports results that their own tasks wrote into a folder. */
  noteSaved(count: number, folder: string): void {
    this.savedAlone = undefined;
    this.#say(summedUp(this.saving, count, folder));
  }

  #say(saved: Saving | undefined): void {
    this.saving = saved;
    setTimeout(() => {
      if (this.saving === saved) this.saving = undefined;
    }, saidMs);
  }

  /** Downloads as one archive what was not saved because no folder was chosen. */
  async saveAsArchive(): Promise<void> {
    const photos = this.folderless;
    this.folderless = [];
    this.#queue.problem = undefined;
    this.savedAlone = undefined;
    const before = this.saving;
    this.saving = { done: 0, total: photos.length };
    const isSaved = await this.#taking(async () => {
      await saveArchive(photos);
      for (const photo of photos) void this.#noteTaken(photo);
      return true;
    });
    this.#say(isSaved ? summedUp(before, photos.length, '') : undefined);
  }

  /** The one folder of several results is that of others without a place, too. */
  #remember(placed: readonly Placed[]): void {
    const folder = commonDestination(placed);
    if (placed.length > 1 && folder !== undefined) this.#queue.lastFolder = folder;
  }

  /** Where a result goes: as set for its photo, else as the settings show it for the chosen photos. */
  #placeOf(photo: Photo, shown: string): string {
    const own = photo.versions.destination ?? this.#remembered.newPhotos.saveTo;
    return placeFor(own, photo) || placeFor(shown, photo);
  }

  /** Words where Save puts these results, as short as can be. */
  placeText(photos: readonly Photo[]): string {
    const shown = this.#shownPlace();
    const place = commonDestination(
      photos.map((photo) => ({ photo, saveTo: this.#placeOf(photo, shown) })),
    );
    if (place === undefined) return text.mixed;
    const { kind, name, folder } = destinationOf(place);
    if (kind !== 'keep') return `→ ${folderName(folder) || name || text.placeBeside}`;
    if (photos.length === 1) return text.saveDownloads;
    return 'showDirectoryPicker' in window ? text.saveAsks : text.saveZip;
  }

  /** What stands under "Results go to" for the chosen photos; '' where they differ. */
  #shownPlace(): string {
    const { selection, lastFolder } = this.#queue;
    if (selection.length === 0) return lastFolder;
    const all = selection.map((photo) => ({ photo, saveTo: this.#queue.destinationOf(photo) }));
    return commonDestination(all) ?? '';
  }

  /** Returns a folder of the results, '' without photos, undefined where one could not be saved. */
  async #place(placed: readonly Placed[]): Promise<string | undefined> {
    const folders: string[] = [];
    const { newPhotos } = this.#remembered;
    await eachConcurrently(placed, concurrency, async ({ photo, saveTo }) => {
      const name = lateTemplate(photo);
      const named = name === undefined ? {} : { name };
      const saved = await this.#try(
        this.#calls.save(photo.taskId ?? '', { ...savingIn(saveTo, newPhotos), saveTo, ...named }),
      );
      if (saved === false) return;
      // A file that was there already is left as it is.
      folders.push(saved.savedTo === undefined ? saveTo : folderOf(saved.savedTo));
      this.#count();
    });
    return folders.length === placed.length ? (folders[0] ?? '') : undefined;
  }

  /**
   * Saves one result as a download, many into a folder that is chosen now. It answers the folder's name, or
   * where there is no folder whether all were saved; undefined where the dialog was closed.
   */
  async #take(photos: readonly Photo[]): Promise<boolean | string | undefined> {
    const [first] = photos;
    if (first === undefined) return true;
    return this.#taking(async () => {
      if (photos.length === 1) {
        await saveOne(first);
        return this.#noteTaken(first);
      }
      const folder = await saveMany(photos, (photo) => void this.#noteTaken(photo));
      if (folder === undefined) this.folderless = photos;
      return folder;
    });
  }

  async #taking<Result>(take: () => Promise<Result>): Promise<Result | false> {
    try {
      return await take();
    } catch (error) {
      this.#queue.problem = problemOf(error, 'CANNOT_WRITE');
      return false;
    }
  }

  async #noteTaken({ taskId = '' }: Photo): Promise<boolean> {
    this.#count();
    return (await this.#try(this.#calls.taken(taskId))) !== false;
  }

  #count(): void {
    if (this.saving !== undefined) this.saving = { ...this.saving, done: this.saving.done + 1 };
  }

  async #try<Result>(call: Promise<Result>): Promise<Result | false> {
    try {
      return await call;
    } catch (error) {
      this.#queue.problem = problemOf(error, 'CANNOT_WRITE');
      return false;
    }
  }
}

/** Counts what was saved to the same place while the last such sentence still stood. */
export function summedUp(before: Saving | undefined, count: number, folder?: string): Saving {
  const isSamePlace = before?.folder === folder && before?.done === before?.total;
  const total = count + (isSamePlace ? (before?.total ?? 0) : 0);
  return { done: total, total, ...(folder !== undefined && { folder }) };
}

/** Words of the button that saves what `toSave` lists. */
export function saveText({ chosenToSave, toSave, acceptedUnsaved }: Queue): string {
  if (acceptedUnsaved.length > 0) return text.saveAccepted(acceptedUnsaved.length);
  return chosenToSave.length > 0
    ? text.saveChosen(chosenToSave.length)
    : text.saveAll(toSave.length);
}
