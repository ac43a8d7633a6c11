/** Holds which rows are chosen now; selection.ts decides how that changes. */
import type { Photo } from '../photo/photo.svelte.ts';
import {
  asBatch,
  extendTo,
  focusListed,
  focusOn,
  nothing,
  passOver,
  selectAll,
  selectOnly,
  toggle,
  without,
  type Selection,
} from './selection.ts';

const idsOf = (photos: readonly Photo[]) => photos.map(({ id }) => id);

export class Chosen {
  #selection = $state.raw<Selection>(nothing);

  get ids(): ReadonlySet<string> {
    return this.#selection.ids;
  }

  get focusId(): string | undefined {
    return this.#selection.focusId;
  }

  /** Whether the rows were chosen by being added, or were started together. */
  get isBatch(): boolean {
    return this.#selection.isBatch === true;
  }

  only(photo: Photo): void {
    this.#selection = selectOnly(photo.id);
  }

  all(photos: readonly Photo[], focusId?: string): void {
    this.#selection = selectAll(idsOf(photos), focusId);
  }

  /** Notes that these photos were added or started together, where they are among the chosen ones. */
  noteBatch(photos: readonly Photo[]): void {
    if (photos.some(({ id }) => this.ids.has(id))) this.#selection = asBatch(this.#selection);
  }

  none(): void {
    this.#selection = nothing;
  }

  toggle(photo: Photo): void {
    this.#selection = toggle(this.#selection, photo.id);
  }

  focus(photo: Photo): void {
    this.#selection = focusOn(this.#selection, photo.id);
  }

  passOver(withoutPicture: readonly Photo[]): void {
    this.#selection = passOver(this.#selection, idsOf(withoutPicture));
  }

  focusListed(shown: readonly Photo[]): void {
    this.#selection = focusListed(this.#selection, idsOf(shown));
  }

  extendTo(shown: readonly Photo[], photo: Photo): void {
    this.#selection = extendTo(this.#selection, idsOf(shown), photo.id);
  }

  forget(shown: readonly Photo[], gone: readonly Photo[]): void {
    this.#selection = without(this.#selection, idsOf(shown), idsOf(gone));
  }
}
