/** Keeps rows true to the service's tasks: it lists tasks, follows their events, and finds their photos. */
import type { AddedPhoto } from '../../../packages/contract/src/photo.ts';
import { defaultChoices } from '../../../packages/contract/src/settings/page.ts';
import type { TaskChange, TaskRecord } from '../../../packages/contract/src/task.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';
import { Photo } from '../photo/photo.svelte.ts';
import type { Preparation } from '../estimate/preparation.ts';
import { ReadingsUnderWay, type ChangesMeanwhile } from './changes-meanwhile.ts';
import { byRunOrder, names, unlisted, withoutRows } from './list-order.ts';
import { acceptedOf, shownOf, VersionIndex } from './version-rows.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const listedAtATime = 500;
const maxListed = 20_000;
/** A record is read after this time, because the event of a new task takes only milliseconds. */
const eventWithinMs = 5000;

export class TaskRows {
  readonly #client: Client;
  readonly #list: PhotoList;
  readonly #preparation: Preparation;
  readonly byTask = new TaskIndex();
  readonly #readings = new ReadingsUnderWay();
  /** Tasks submitted here whose first event has not come yet. */
  readonly #arriving = new Map<string, (record: unknown) => void>();
  /** The versions of a photo are found by the key that the service knows it by. */
  readonly versions = new VersionIndex();

  constructor(client: Client, list: PhotoList, preparation: Preparation) {
    this.#client = client;
    this.#list = list;
    this.#preparation = preparation;
  }

  /** Lists all tasks anew and keeps the rows that this page added. */
  async load(): Promise<void> {
    const before = taskIdsOf(this.#list.photos);
    const [records, meanwhile] = await this.#readings.during(() => this.#listed());
    this.#takeAll(records, before, meanwhile);
    for (const [taskId, { removed }] of meanwhile) void this.#refresh(taskId, removed);
  }

  async #listed(): Promise<TaskRecord[]> {
    const records: TaskRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.list(listedAtATime, cursor);
      records.push(...page.tasks);
      cursor = page.nextCursor;
    } while (cursor !== undefined && records.length < maxListed);
    return records;
  }

  /**
   * @param before tasks of the rows when the listing began
   * @param meanwhile what changed since; the rows of these tasks know better than the listing
   */
  #takeAll(records: TaskRecord[], before: ReadonlySet<string>, meanwhile: ChangesMeanwhile): void {
    const known = records.toSorted(byRunOrder).map((record) => {
      const photo = this.byTask.get(record.taskId);
      if (!meanwhile.has(record.taskId)) photo?.take(record);
      return photo ?? this.byTask.set(record.taskId, this.#join(record));
    });
    const seen = new Set(this.#list.photos.map(({ versions }) => versions));
    const left = unlisted(this.#list.photos, taskIdsOf(records), before, meanwhile);
    const rows = [...known, ...left];
    this.#forget(withoutRows(this.#list.photos, rows));
    this.#list.photos = rows;
    this.#showAccepted(known.filter(({ versions }) => !seen.has(versions)));
  }

  /** Shows of each photo that is new to this page the version that was accepted, where one was. */
  #showAccepted(added: readonly Photo[]): void {
    for (const versions of new Set(added.map((photo) => photo.versions)))
      versions.picked ??= acceptedOf(this.#list.membersOf(versions));
  }

  /**
   * Takes the photos that the service keeps. Those that are not started come back as rows; the others learn
   * where the service reads them.
   */
  takeKept(kept: readonly AddedPhoto[]): void {
    const back: Photo[] = [];
    // In the order in which a page lists them: by then, and those of one moment by name.
    const sorted = kept.toSorted(
      (one, other) =>
        one.addedAt.localeCompare(other.addedAt) || names.compare(one.name, other.name),
    );
    for (const { photo: key, name, imageUrl, choices, isReady, addedAt } of sorted) {
      const versions = this.versions.of(key);
      const members = this.#list.membersOf(versions);
      for (const member of members) member.source ??= { imageUrl };
      const isBack = members.length === 0 && isReady;
      const ready = { ...defaultChoices, ...choices };
      const first = isBack ? Photo.ready({ name, imageUrl }, ready, versions) : members[0];
      if (first !== undefined) first.addedAtMs = Date.parse(addedAt);
      if (isBack && first !== undefined) back.push(first);
    }
    if (back.length > 0) this.#list.photos = [...this.#list.photos, ...back];
  }

  takeChange(change: TaskChange): void {
    this.#readings.note(change);
    this.byTask.touch(change.taskId);
    const photo = this.byTask.get(change.taskId);
    if (change.removed) this.drop(photo === undefined ? [] : [photo]);
    else if (photo === undefined) this.#takeUnknown(change);
    else if (change.record === undefined) photo.note(change);
    else this.#list.takeRecord(photo, change.record, isEdited(change.record, photo));
    this.#settleArrival(change.taskId);
  }

  /** Takes a change of an unknown task, whose record is read where the event only tells a percentage. */
  #takeUnknown({ taskId, record }: TaskChange): void {
    if (record === undefined) void this.#refresh(taskId);
    else this.#list.include(this.byTask.set(taskId, this.#join(record)));
  }

  /** Finds or makes the photo of a new task. The version that a person looks at stays in view. */
  #join(record: TaskRecord): Photo {
    const versions = this.versions.of(record.photo);
    const members = this.#list.membersOf(versions);
    const waiting = members.find(({ phase, taskId }) => phase === 'ready' && taskId === undefined);
    if (versions.id === this.#list.chosen.focusId) versions.picked = shownOf(versions, members);
    if (waiting === undefined) return Photo.of(record, versions);
    // The photo was started in another window.
    this.#preparation.drop([waiting]);
    waiting.taskId = record.taskId;
    waiting.take(record);
    return waiting;
  }

  /** Makes the photo the row of the new task that was submitted for it. */
  async begin(photo: Photo, taskId: string): Promise<void> {
    photo.taskId = taskId;
    const early = this.byTask.get(taskId);
    this.own(photo, taskId);
    this.#list.photos = this.#list.photos.filter((other) => other !== early);
    await this.arrive(taskId);
  }

  /**
   * Assigns a task to its photo. The task's first events may have come before it was known whose it is, and
   * then they made another row, whose record the photo takes.
   */
  own(photo: Photo, taskId: string): void {
    const early = this.byTask.get(taskId);
    this.#readings.note({ taskId });
    this.byTask.set(taskId, photo);
    if (early?.record !== undefined) photo.take(early.record);
  }

  /**
   * Resolves when the row has its record, which an event brings. Where no event comes, as when the stream is
   * cut off, the record is read.
   */
  async arrive(taskId: string): Promise<void> {
    if (this.byTask.get(taskId)?.record !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => resolve(this.#refresh(taskId)), eventWithinMs);
    this.#arriving.set(taskId, resolve);
    await promise;
    clearTimeout(timer);
    this.#arriving.delete(taskId);
  }

  #settleArrival(taskId: string): void {
    if (this.byTask.get(taskId)?.record !== undefined) this.#arriving.get(taskId)?.(undefined);
  }

  /**
   * Reads the record again, by one request for a task at a time.
   *
   * @param isRemoved the task was removed, unless it was restored since
   */
  #refresh(taskId: string, isRemoved = false): Promise<void> {
    return this.byTask.read(taskId, async () => {
      // After a failure the next event or listing tells the record; the row of a removed task goes by its own
      // event.
      const record = await unlessRefused(this.#client.record(taskId));
      const photo = this.byTask.get(taskId);
      if (record === undefined) {
        if (isRemoved && photo !== undefined) this.drop([photo]);
        return;
      }
      if (photo !== undefined) photo.take(record);
      else this.#list.include(this.byTask.set(taskId, this.#join(record)));
    });
  }

  drop(photos: readonly Photo[]): void {
    if (photos.length === 0) return;
    this.#forget(photos);
    this.#preparation.drop(photos);
    this.#list.exclude(photos);
  }

  /** The next event of such a task makes a row anew. */
  #forget(photos: readonly Photo[]): void {
    for (const { taskId } of photos) if (taskId !== undefined) this.byTask.delete(taskId);
  }
}

const taskIdsOf = (rows: readonly { taskId: string | undefined }[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ taskId }) => taskId ?? []));

/** Whether this page knows a task's choices better, as a task that waits may just be edited here. */
const isEdited = ({ status }: TaskRecord, { phase, record }: Photo) =>
  status === 'PENDING' && phase === 'PENDING' && record !== undefined;

export class TaskIndex {
  readonly #photos = new Map<string, Photo>();
  /** Tasks that are being read; a stale one has changed since. */
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

  /** Lets a record that is being read be read once more, because an event may have overtaken it. */
  touch(taskId: string): boolean {
    const underWay = this.#reading.get(taskId);
    if (underWay !== undefined) underWay.isStale = true;
    return underWay !== undefined;
  }

  /**
   * Runs `read` once for a task at a time. When it is called again meanwhile, it runs once more, because the
   * first run may bring a record that is older than the change which called.
   */
  async read(taskId: string, read: () => Promise<void>): Promise<void> {
    if (this.touch(taskId)) return;
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
