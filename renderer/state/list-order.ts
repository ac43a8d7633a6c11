/** The order in which photos are listed, as the person chose it: rows stay where they are while they run. Pure. */
import type { ListOrder } from '../../electron/contract/page.ts';
import type { Phase } from './photo.svelte.ts';

/** What is asked of a photo. */
export interface Listed {
  readonly name: string;
  readonly phase: Phase;
  readonly isActive: boolean;
  readonly isEnded: boolean;
  /** Milliseconds since 1970: when it was dropped, or submitted. */
  readonly addedAtMs: number;
  readonly record?: { readonly finishedAt?: string } | undefined;
  /** By the camera's clock, as text that sorts; undefined where the photo does not tell it. */
  readonly capturedAt?: string | undefined;
}

/**
 * `photos` in the queue's own order: what runs first, first. 'added' leaves each row in its place; only among
 * those that wait, and among those not started, the queue's order counts, so that moving them does.
 */
export function inOrder<T extends Listed>(photos: readonly T[], order: ListOrder): T[] {
  if (order === 'queue') return byQueue(photos);
  if (order === 'name') return photos.toSorted(byName);
  if (order === 'captured') return photos.toSorted(byCapture);
  if (order === 'done') return photos.toSorted(byEnd);
  const movable = {
    PENDING: photos.filter(({ phase }) => phase === 'PENDING').values(),
    ready: photos.filter(({ phase }) => phase === 'ready').values(),
  };
  return photos
    .toSorted((a, b) => a.addedAtMs - b.addedAtMs)
    .map((photo) =>
      photo.phase === 'PENDING' || photo.phase === 'ready'
        ? (movable[photo.phase].next().value ?? photo)
        : photo,
    );
}

/** What runs and waits first, then what is not started; what has ended below, the latest first. */
function byQueue<T extends Listed>(photos: readonly T[]): T[] {
  const active = photos.filter(({ isActive }) => isActive);
  const running = active.filter(({ phase }) => phase === 'PROCESSING');
  const waiting = active.filter(({ phase }) => phase !== 'PROCESSING');
  const ready = photos.filter(({ phase }) => phase === 'ready');
  return [
    ...running,
    ...waiting,
    ...ready,
    ...photos.filter(({ isEnded }) => isEnded).toReversed(),
  ];
}

/** img_2 comes before img_10. */
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byName = (a: Listed, b: Listed) => names.compare(a.name, b.name) || a.addedAtMs - b.addedAtMs;

/** What does not tell when it was taken comes last. */
function byCapture(a: Listed, b: Listed): number {
  const [left, right] = [a.capturedAt, b.capturedAt];
  if (left === right) return byName(a, b);
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return left < right ? -1 : 1;
}

/** What has ended comes first, the earliest first. */
function byEnd(a: Listed, b: Listed): number {
  if (!a.isEnded || !b.isEnded)
    return Number(b.isEnded) - Number(a.isEnded) || a.addedAtMs - b.addedAtMs;
  return endOf(a) - endOf(b);
}

/** What was refused before it was a task has no time of its end. */
const endOf = ({ record, addedAtMs }: Listed) =>
  record?.finishedAt === undefined ? addedAtMs : Date.parse(record.finishedAt);
