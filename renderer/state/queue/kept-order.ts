/**
 * The order in which photos are listed: remembered in this tab, so that a reload keeps it, and told to the other tabs of
 * this browser when rows are moved.
 */
import type { Photo } from '../photo/photo.svelte.ts';
import { readNoted, writeNoted } from './noted.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.order';

type ListedPhotos = Pick<PhotoList, 'photos' | 'versionsOf'>;

/** `addedAtMs` by the keys of photos, in the order of the list. */
type TimesAdded = ReadonlyMap<string, number>;
const isTime = (value: unknown): value is number => typeof value === 'number';

function timesOf(photos: readonly Photo[]): TimesAdded {
  const times = new Map<string, number>();
  for (const { versions, addedAtMs } of photos)
    times.set(versions.key, Math.min(addedAtMs, times.get(versions.key) ?? Infinity));
  return times;
}

/** Notes the place of each photo; must be called when the page is left. */
export function keepOrder({ photos }: ListedPhotos): void {
  writeNoted(storageName, timesOf(photos));
}

/** Puts photos at their noted places, once: what is moved from then on counts. */
export function restoreOrder(list: ListedPhotos): void {
  const kept = readNoted(storageName, isTime);
  if (kept.size === 0) return;
  sessionStorage.removeItem(storageName);
  takeTimes(list, kept);
}

/** Follows the other tabs. @returns a function that tells them where photos were moved to */
export function shareOrder(list: ListedPhotos): (moved: readonly Photo[]) => void {
  const others = new BroadcastChannel(storageName);
  others.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof Map && [...data.values()].every(isTime))
      takeTimes(list, data as TimesAdded);
  };
  return (moved) => others.postMessage(timesOf(moved));
}

function takeTimes(list: ListedPhotos, times: TimesAdded): void {
  for (const photo of list.photos) {
    const addedAtMs = times.get(photo.versions.key);
    // A later version has no place of its own in the list.
    if (addedAtMs !== undefined && list.versionsOf(photo)[0] === photo) photo.addedAtMs = addedAtMs;
  }
  // What is not started is listed in the queue's order as it would run.
  const order = new Map([...times.keys()].map((key, at) => [key, at]));
  const placeOf = ({ versions }: Photo) => order.get(versions.key) ?? order.size;
  const isReady = ({ phase }: Photo) => phase === 'ready';
  list.photos = [
    ...list.photos.filter((photo) => !isReady(photo)),
    ...list.photos.filter(isReady).toSorted((one, other) => placeOf(one) - placeOf(other)),
  ];
}
