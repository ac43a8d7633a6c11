/** Rows that were removed and may come back: the service keeps each removed task for a minute. */
import type { Photo } from './photo.svelte.ts';
import type { Removal } from './removal-order.ts';

const keptMs = 55_000;

export class Removals {
  /** Each while it may be undone, the latest last. */
  all = $state.raw<readonly Removal<Photo>[]>([]);

  readonly last = $derived(this.all.at(-1));

  note(removal: Removal<Photo>): void {
    this.all = [...this.all, removal];
    setTimeout(() => this.forget(removal), keptMs);
  }

  forget(removal: Removal<Photo>): void {
    this.all = this.all.filter((other) => other !== removal);
  }

  /** The latest; so undone one after the other, each finds the list that it left. */
  take(): Removal<Photo> | undefined {
    const removal = this.last;
    if (removal !== undefined) this.forget(removal);
    return removal;
  }
}
