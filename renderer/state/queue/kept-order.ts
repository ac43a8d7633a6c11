/** Remembers in this tab in which order photos are listed, so that a reload keeps it. */
import type { Photo } from '../photo/photo.svelte.ts';
import { readNoted, writeNoted } from './noted.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.order';

type ListedPhotos = Pick<PhotoList, 'photos' | 'versionsOf'>;

/** Notes the place of each photo; must be called when the page is left. */
export function keepOrder({ photos }: ListedPhotos): void {
  const kept = new Map<string, number>();
  for (const { versions, addedAtMs } of photos)
    kept.set(versions.key, Math.min(addedAtMs, kept.get(versions.key) ?? Infinity));
  writeNoted(storageName, kept);
}

/** Puts photos at their noted places, once: what is moved from then on counts. */
export function restoreOrder(list: ListedPhotos): void {
  const kept = readNoted(storageName, (value) => typeof value === 'number');
  if (kept.size === 0) return;
  sessionStorage.removeItem(storageName);
  for (const photo of list.photos) {
    const addedAtMs = kept.get(photo.versions.key);
    // A later version has no place of its own in the list.
    if (addedAtMs !== undefined && list.versionsOf(photo)[0] === photo) photo.addedAtMs = addedAtMs;
  }
  // What is not started is listed in the queue's order as it would run.
  const places = new Map([...kept.keys()].map((key, at) => [key, at]));
  const placeOf = ({ versions }: Photo) => places.get(versions.key) ?? places.size;
  const isReady = ({ phase }: Photo) => phase === 'ready';
  list.photos = [
    ...list.photos.filter((photo) => !isReady(photo)),
    ...list.photos.filter(isReady).toSorted((one, other) => placeOf(one) - placeOf(other)),
  ];
}
