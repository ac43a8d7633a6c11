/** Rows of the list: one for each photo, whatever its versions. Bookkeeping only, no state of the page. */
import { type Photo, Versions } from './photo.svelte.ts';

/** Photos by the key that the service knows them by. */
export class VersionIndex {
  readonly #all = new Map<string, Versions>();

  of(key: string): Versions {
    const known = this.#all.get(key) ?? new Versions(key);
    this.#all.set(key, known);
    return known;
  }
}

/** The one that the row shows: what was picked, else the latest. */
export function shownOf(versions: Versions, members: readonly Photo[]): Photo | undefined {
  return members.find((member) => member === versions.picked) ?? members.at(-1);
}

/** One row for each photo, at the place of the first of its versions that is listed. */
export function rowsOf(
  listed: readonly Photo[],
  membersOf: (versions: Versions) => readonly Photo[],
): Photo[] {
  const seen = new Set(listed.map(({ versions }) => versions));
  return [...seen].flatMap((versions) => shownOf(versions, membersOf(versions)) ?? []);
}

/** How many photos these are versions of. */
export function countPhotos(photos: readonly Photo[]): number {
  return new Set(photos.map(({ versions }) => versions)).size;
}

/** Of `gone` those of whose photo nothing is left in `rest`. */
export function withoutVersions(gone: readonly Photo[], rest: readonly Photo[]): Photo[] {
  const left = new Set(rest.map(({ versions }) => versions));
  return gone.filter(({ versions }) => !left.has(versions));
}
