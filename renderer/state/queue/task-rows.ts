/** Keeps the rows true to the service's tasks: lists them, follows their events, and finds the photo of each. */
import type { AddedPhoto } from '../../../electron/contract/photo.ts';
import { usualChoices } from '../../../electron/contract/page.ts';
import type { TaskChange, TaskRecord } from '../../../electron/contract/task.ts';
import type { Client } from '../../../electron/client/client.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';
import { Photo } from './photo.svelte.ts';
import type { Preparation } from '../estimate/preparation.ts';
import { byRunOrder } from './list-order.ts';
import { shownOf, VersionIndex } from './version-rows.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const listedAtATime = 500;
const mostListed = 20_000;
/** An event of what was just asked for takes milliseconds. */
const eventWithinMs = 5000;

export class TaskRows {
  readonly #client: Client;
  readonly #list: PhotoList;
  readonly #preparation: Preparation;
  readonly byTask = new TaskIndex();
  /** Tasks that were submitted here and of which nothing was told yet. */
  readonly #arriving = new Map<string, (told: unknown) => void>();
  /** By the key that the service knows a photo by. */
  readonly versions = new VersionIndex();

  constructor(client: Client, list: PhotoList, preparation: Preparation) {
    this.#client = client;
    this.#list = list;
    this.#preparation = preparation;
  }

  /** Lists all tasks anew and keeps the rows that this page added. */
  async load(): Promise<void> {
    const records: TaskRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.list(listedAtATime, cursor);
      records.push(...page.tasks);
      cursor = page.nextCursor;
    } while (cursor !== undefined && records.length < mostListed);
    this.#takeAll(records);
  }

  #takeAll(records: TaskRecord[]): void {
    const known = records.toSorted(byRunOrder).map((record) => {
      const photo = this.byTask.get(record.taskId);
      photo?.take(record);
      return photo ?? this.byTask.set(record.taskId, this.#join(record));
    });
    const own = this.#list.photos.filter(({ taskId }) => taskId === undefined);
    this.#list.photos = [...known, ...own];
  }

  /** Photos that are not started come back as rows; of the others it is known where the service reads them. */
  takeKept(kept: readonly AddedPhoto[]): void {
    const back: Photo[] = [];
    for (const { photo: key, name, imageUrl, choices, isReady } of kept) {
      const versions = this.versions.of(key);
      const members = this.#list.membersOf(versions);
      for (const member of members) member.source ??= { imageUrl };
      if (members.length === 0 && isReady)
        back.push(Photo.ready({ name, imageUrl }, { ...usualChoices, ...choices }, versions));
    }
    if (back.length > 0) this.#list.photos = [...this.#list.photos, ...back];
  }

  takeChange(change: TaskChange): void {
    const photo = this.byTask.get(change.taskId);
    if (change.removed) this.drop(photo === undefined ? [] : [photo]);
    else if (photo === undefined) this.#takeUnknown(change);
    else if (change.record === undefined) photo.note(change);
    else photo.take(change.record, isEdited(change.record, photo));
    this.#tellArrived(change.taskId);
  }

  /** A percent of a task that was never told of comes without its record. */
  #takeUnknown({ taskId, record }: TaskChange): void {
    if (record === undefined) void this.#refresh(taskId);
    else this.#list.include(this.byTask.set(taskId, this.#join(record)));
  }

  /** What is looked at stays so when a version comes to it from elsewhere. */
  #join(record: TaskRecord): Photo {
    const versions = this.versions.of(record.photo);
    const members = this.#list.membersOf(versions);
    const waiting = members.find(({ phase, taskId }) => phase === 'ready' && taskId === undefined);
    if (versions.id === this.#list.chosen.focusId) versions.picked = shownOf(versions, members);
    if (waiting === undefined) return Photo.of(record, versions);
    // Started in another window.
    this.#preparation.drop([waiting]);
    waiting.taskId = record.taskId;
    waiting.take(record);
    return waiting;
  }

  /** The photo is what the new task is made of from now on. */
  async begin(photo: Photo, taskId: string): Promise<void> {
    photo.taskId = taskId;
    const early = this.byTask.get(taskId);
    this.own(photo, taskId);
    this.#list.photos = this.#list.photos.filter((other) => other !== early);
    await this.arrive(taskId);
  }

  /** The task's first events may have come before it was known whose it is: they made a row of their own. */
  own(photo: Photo, taskId: string): void {
    const early = this.byTask.get(taskId);
    this.byTask.set(taskId, photo);
    if (early?.record !== undefined) photo.take(early.record);
  }

  /** Ends when the row has its record, which an event brings. Where none comes, as of a stream that is cut off, it is read. */
  async arrive(taskId: string): Promise<void> {
    if (this.byTask.get(taskId)?.record !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => resolve(this.#refresh(taskId)), eventWithinMs);
    this.#arriving.set(taskId, resolve);
    await promise;
    clearTimeout(timer);
    this.#arriving.delete(taskId);
  }

  #tellArrived(taskId: string): void {
    if (this.byTask.get(taskId)?.record !== undefined) this.#arriving.get(taskId)?.(undefined);
  }

  /** Reads the record again; one request for a task at a time. */
  #refresh(taskId: string): Promise<void> {
    return this.byTask.read(taskId, async () => {
      // The next event or the next listing tells; a row that is gone is dropped by its own event.
      const record = await unlessRefused(this.#client.record(taskId));
      if (record === undefined) return;
      const photo = this.byTask.get(taskId);
      if (photo !== undefined) photo.take(record);
      else this.#list.include(this.byTask.set(taskId, this.#join(record)));
    });
  }

  drop(photos: readonly Photo[]): void {
    if (photos.length === 0) return;
    for (const { taskId } of photos) if (taskId !== undefined) this.byTask.delete(taskId);
    this.#preparation.drop(photos);
    this.#list.exclude(photos);
  }
}

/** What waits may be edited here at the moment: what is asked of it is what this page says. */
const isEdited = ({ status }: TaskRecord, { phase, record }: Photo) =>
  status === 'PENDING' && phase === 'PENDING' && record !== undefined;

export class TaskIndex {
  readonly #photos = new Map<string, Photo>();
  /** Tasks that are being read, and whether they changed meanwhile. */
  readonly #reading = new Map<string, { isStale: boolean }>();

  get(taskId: string): Photo | undefined {
    return this.#photos.get(taskId);
  }

  set(taskId: string, photo: Photo): Photo {
    this.#photos.set(taskId, photo);
    return photo;
  }

  delete(taskId: string): void {
    this.#photos.delete(taskId);
  }

  /**
   * Runs `read`, one for a task at a time. Asked for again meanwhile, it runs once more: what the
   * first one brings may be older than the change that asked.
   */
  async read(taskId: string, read: () => Promise<void>): Promise<void> {
    const underWay = this.#reading.get(taskId);
    if (underWay !== undefined) {
      underWay.isStale = true;
      return;
    }
    const reading = { isStale: true };
    this.#reading.set(taskId, reading);
    try {
      while (reading.isStale) {
        reading.isStale = false;
        await read();
      }
    } finally {
      this.#reading.delete(taskId);
    }
  }
}
