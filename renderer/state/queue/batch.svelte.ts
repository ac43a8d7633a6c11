/** Follows a batch from the first photo that is started to the end of the last one. */
import { withoutRows } from './list-order.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import type { PhotoList } from './photo-list.svelte.ts';

interface BatchEnd {
  done: readonly Photo[];
  failed: readonly Photo[];
  durationSeconds: number;
}

export class Batch {
  readonly #list: Pick<PhotoList, 'active' | 'finished' | 'failed'>;
  /** How the last batch ended, until it is dismissed or another one begins. */
  end = $state.raw<BatchEnd>();
  /** Photos that had ended before the batch began. */
  #before = $state.raw<readonly Photo[]>([]);
  #begunMs = 0;
  #isRunning = false;

  /** Photos of the running batch that have ended. */
  readonly endedCount = $derived.by(() => this.#own(this.#ended).length);
  readonly #ended = $derived.by(() => [...this.#list.finished, ...this.#list.failed]);

  constructor(list: Pick<PhotoList, 'active' | 'finished' | 'failed'>) {
    this.#list = list;
  }

  /** Must be called at each change of the list. */
  follow(): void {
    const isRunning = this.#list.active.length > 0;
    if (isRunning && !this.#isRunning) this.#begin();
    else if (!isRunning && this.#isRunning) this.#finish();
    this.#isRunning = isRunning;
  }

  #begin(): void {
    this.end = undefined;
    this.#before = this.#ended;
    this.#begunMs = performance.now();
  }

  #finish(): void {
    const done = this.#own(this.#list.finished);
    const failed = this.#own(this.#list.failed);
    const durationSeconds = (performance.now() - this.#begunMs) / 1000;
    // A single photo is seen on the stage, which says enough.
    if (done.length + failed.length > 1) this.end = { done, failed, durationSeconds };
  }

  #own(photos: readonly Photo[]): Photo[] {
    return withoutRows(photos, this.#before);
  }
}
