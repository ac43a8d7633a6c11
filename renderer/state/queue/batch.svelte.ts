/** Follows a batch from the first photo that is started to the end of the last one. */
import type { Photo } from '../photo/photo.svelte.ts';
import { startOf } from './batch-start.ts';
import type { PhotoList } from './photo-list.svelte.ts';

interface BatchEnd {
  done: readonly Photo[];
  failed: readonly Photo[];
  cancelled: readonly Photo[];
  durationSeconds: number;
}

type BatchPhotos = Pick<
  PhotoList,
  'active' | 'ended' | 'current' | 'done' | 'failed' | 'cancelled'
>;

export class Batch {
  readonly #list: BatchPhotos;
  /** How the last batch ended, until it is dismissed or another one begins. */
  end = $state.raw<BatchEnd>();
  /** Versions that had ended before the batch began, and did not run again in it. */
  #before = $state.raw<Pick<WeakSet<Photo>, 'has'>>(new WeakSet());
  #begunMs = 0;
  #isRunning = false;

  /** Number of photos of the running batch that are done or have failed. */
  readonly endedCount = $derived.by(
    () => this.#own([...this.#list.done, ...this.#list.failed]).length,
  );

  constructor(list: BatchPhotos) {
    this.#list = list;
  }

  /** Must be called at each change of the list. */
  follow(): void {
    const { active } = this.#list;
    const isRunning = active.length > 0;
    if (isRunning && !this.#isRunning) this.#begin();
    else if (!isRunning && this.#isRunning) this.#finish();
    this.#isRunning = isRunning;
    if (active.some((photo) => this.#before.has(photo)))
      this.#before = new WeakSet(this.#list.ended.filter((photo) => this.#before.has(photo)));
  }

  #begin(): void {
    this.end = undefined;
    const { before, agoMs } = startOf(this.#list, Date.now());
    this.#before = new WeakSet(before);
    this.#begunMs = performance.now() - agoMs;
  }

  #finish(): void {
    const done = this.#own(this.#list.done);
    const failed = this.#own(this.#list.failed);
    const cancelled = this.#own(this.#list.cancelled);
    const ended = done.length + failed.length;
    const durationSeconds = (performance.now() - this.#begunMs) / 1000;
    // A single photo is seen on the stage, which says enough.
    if (ended > 0 && ended + cancelled.length > 1)
      this.end = { done, failed, cancelled, durationSeconds };
  }

  #own(photos: readonly Photo[]): Photo[] {
    return photos.filter((photo) => !this.#before.has(photo));
  }
}
