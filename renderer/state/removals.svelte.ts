/** Rows that were removed and may come back: the service keeps a removed task for a minute. */
import type { Photo } from './photo.svelte.ts';
import type { Removal } from './removal-order.ts';

const keptMs = 55_000;

export class Removals {
  /** The last one, while it may be undone. */
  last = $state.raw<Removal<Photo>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  note(removal: Removal<Photo>): void {
    this.last = removal;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.last = undefined), keptMs);
  }

  take(): Removal<Photo> | undefined {
    const removal = this.last;
    clearTimeout(this.#timer);
    this.last = undefined;
    return removal;
  }
}
