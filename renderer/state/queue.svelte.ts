/**
 * The photos of the page in the order of the list: what runs and waits first, in the order in which
 * it will run; what has ended below, the latest first.
 */
import type { UpscaleBody } from '../../electron/contract/task.ts';
import type { TaskChange, TaskRecord } from '../../electron/contract/task.ts';
import { ApiError, type Client } from '../api/client.ts';
import { Photo, type Problem } from './photo.svelte.ts';
import { byRunOrder, placesOf } from './run-order.ts';
import { TaskIndex } from './task-index.ts';

export type Filter = 'all' | 'active' | 'finished' | 'failed';
export type Choices = Omit<UpscaleBody, 'imageUrl'>;

/** Uploads at a time. */
const uploadLanes = 2;

export class Queue {
  photos = $state.raw<Photo[]>([]);
  filter = $state<Filter>('all');
  selectedId = $state<string>();
  isPaused = $state(false);
  isConnected = $state(false);
  /** The last thing that a click did not achieve. */
  problem = $state.raw<Problem>();
  readonly #client: Client;
  readonly #byTask = new TaskIndex();

  readonly ready = $derived(this.photos.filter((photo) => photo.phase === 'ready'));
  readonly active = $derived(this.photos.filter((photo) => photo.isActive));
  readonly finished = $derived(this.photos.filter((photo) => photo.phase === 'FINISHED'));
  readonly failed = $derived(this.photos.filter((photo) => photo.phase === 'FAILED'));
  readonly places = $derived(placesOf(this.active));
  readonly shown = $derived(this.#arrange());
  readonly selected = $derived(this.photos.find((photo) => photo.id === this.selectedId));

  constructor(client: Client) {
    this.#client = client;
  }

  #arrange(): Photo[] {
    if (this.filter === 'finished') return this.finished.toReversed();
    if (this.filter === 'failed') return this.failed.toReversed();
    const running = this.active.filter((photo) => photo.phase === 'PROCESSING');
    const waiting = this.active.filter((photo) => photo.phase !== 'PROCESSING');
    const open = [...running, ...waiting, ...this.ready];
    if (this.filter === 'active') return open;
    return [...open, ...this.photos.filter((photo) => photo.isEnded).toReversed()];
  }

  add(files: File[]): void {
    const added = files.map((file) => new Photo(file.name, file));
    this.photos = [...this.photos, ...added];
    this.filter = this.filter === 'active' ? 'active' : 'all';
    const [first] = added;
    if (first !== undefined) this.selectedId = first.id;
  }

  /** Submits every photo that is ready. Uploads run side by side; the queue keeps the list's order. */
  async start(choices: Choices): Promise<void> {
    const batch = this.ready;
    for (const photo of batch) photo.phase = 'uploading';
    const waiting = batch.values();
    const lane = async () => {
      for (const photo of waiting) await this.#submit(photo, choices);
    };
    await Promise.all(Array.from({ length: uploadLanes }, lane));
  }

  async #submit(photo: Photo, choices: Choices): Promise<void> {
    if (photo.file === undefined) return;
    try {
      const imageUrl = await this.#client.upload(photo.file);
      const taskId = await this.#client.upscale({ ...choices, imageUrl });
      photo.taskId = taskId;
      // Its first events may have come before its number: they made a row of their own.
      const early = this.#byTask.get(taskId);
      this.#byTask.set(taskId, photo);
      if (early !== undefined) this.photos = this.photos.filter((other) => other !== early);
      await this.#refresh(taskId);
    } catch (error) {
      photo.phase = 'FAILED';
      photo.problem = problemOf(error);
    }
  }

  /** Lists all tasks anew and keeps the rows that this page added. */
  async load(): Promise<void> {
    const records: TaskRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.tasks(cursor);
      records.push(...page.tasks);
      cursor = page.nextCursor;
      this.isPaused = page.paused;
    } while (cursor !== undefined && records.length < 20_000);
    this.#takeAll(records);
  }

  #takeAll(records: TaskRecord[]): void {
    const known = records.toSorted(byRunOrder).map((record) => {
      const photo = this.#byTask.get(record.taskId);
      photo?.take(record);
      return photo ?? this.#byTask.set(record.taskId, Photo.of(record));
    });
    this.photos = [...known, ...this.photos.filter(({ taskId }) => taskId === undefined)];
  }

  takeChange(change: TaskChange): void {
    const photo = this.#byTask.get(change.taskId);
    if (change.removed) this.#drop(photo);
    else if (photo === undefined) void this.#refresh(change.taskId);
    else {
      const isNewStatus = photo.phase !== change.status;
      photo.note(change);
      if (isNewStatus) void this.#refresh(change.taskId);
    }
  }

  /** Reads the record again; one request for a task at a time. */
  #refresh(taskId: string): Promise<void> {
    return this.#byTask.read(taskId, async () => {
      try {
        const record = await this.#client.task(taskId);
        const photo = this.#byTask.get(taskId);
        if (photo !== undefined) photo.take(record);
        else this.photos = [...this.photos, this.#byTask.set(taskId, Photo.of(record))];
      } catch (error) {
        // The next event or the next listing tells; a row that is gone is dropped by its own event.
        if (!(error instanceof ApiError)) throw error;
      }
    });
  }

  #drop(photo: Photo | undefined): void {
    if (photo === undefined) return;
    if (photo.taskId !== undefined) this.#byTask.delete(photo.taskId);
    if (this.selectedId === photo.id) this.select(this.#neighbour(photo));
    this.photos = this.photos.filter((other) => other !== photo);
  }

  #neighbour(photo: Photo): Photo | undefined {
    const at = this.shown.indexOf(photo);
    return this.shown[at + 1] ?? this.shown[at - 1];
  }

  select(photo: Photo | undefined): void {
    this.selectedId = photo?.id;
  }

  cancel(photo: Photo): Promise<void> {
    return this.#act(photo, (taskId) => this.#client.cancel(taskId));
  }

  /** A photo that never reached the service is ready again. */
  async retry(photo: Photo): Promise<void> {
    if (photo.taskId !== undefined) return this.#act(photo, (id) => this.#client.retry(id));
    photo.problem = undefined;
    photo.phase = 'ready';
  }

  async remove(photo: Photo): Promise<void> {
    const { taskId } = photo;
    if (taskId === undefined || (await this.#try(this.#client.remove(taskId)))) this.#drop(photo);
  }

  async moveFirst(photo: Photo): Promise<void> {
    await this.#act(photo, (taskId) => this.#client.move(taskId, { place: 'first' }));
    this.photos = [photo, ...this.photos.filter((other) => other !== photo)];
  }

  async retryFailed(): Promise<void> {
    for (const photo of this.failed) await this.retry(photo);
  }

  async clearFinished(): Promise<void> {
    for (const photo of this.finished) await this.remove(photo);
  }

  async setPaused(isPaused: boolean): Promise<void> {
    await this.#try(isPaused ? this.#client.pause() : this.#client.resume());
    this.isPaused = isPaused;
  }

  async #act(photo: Photo, action: (taskId: string) => Promise<unknown>): Promise<void> {
    if (photo.taskId === undefined) return;
    if (await this.#try(action(photo.taskId))) await this.#refresh(photo.taskId);
  }

  async #try(action: Promise<unknown>): Promise<boolean> {
    try {
      await action;
      return true;
    } catch (error) {
      this.problem = problemOf(error);
      return false;
    }
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}
