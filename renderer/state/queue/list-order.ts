/** In which order photos run and are listed, and how rows move, go, and come back. Pure. */
import type { ListOrder } from '../../../electron/contract/page.ts';
import type { Phase } from './photo.svelte.ts';
import type { TaskRecord, TaskStatus } from '../../../electron/contract/task.ts';

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

const ranks: Record<TaskStatus, number> = { FINISHED: 0, FAILED: 0, PROCESSING: 1, PENDING: 2 };

type Ordered = Pick<TaskRecord, 'status' | 'place' | 'finishedAt' | 'createdAt'>;

/** Ended ones by their end, then what runs, then what waits by its place. */
export function byRunOrder(left: Ordered, right: Ordered): number {
  const rank = ranks[left.status] - ranks[right.status];
  if (rank !== 0) return rank;
  if (left.place !== undefined && right.place !== undefined) return left.place - right.place;
  return (left.finishedAt ?? left.createdAt).localeCompare(right.finishedAt ?? right.createdAt);
}

/** The place from 1 of each photo that waits, by its id. */
export function placesOf(active: readonly { id: string; phase: Phase }[]): Map<string, number> {
  const waiting = active.filter(({ phase }) => phase === 'PENDING');
  return new Map(waiting.map(({ id }, index) => [id, index + 1]));
}

interface Movable {
  readonly id: string;
  readonly phase: string;
}

const movablePhases = ['ready', 'PENDING'];

export function canMove({ phase }: Movable): boolean {
  return movablePhases.includes(phase);
}

/** `moved` stand before `before`, in their order; at the end when it is undefined. */
export function movedBefore<Row>(
  rows: readonly Row[],
  moved: readonly Row[],
  before: Row | undefined,
): Row[] {
  const set = new Set(moved);
  const rest = rows.filter((row) => !set.has(row));
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return [...rest.slice(0, at), ...rows.filter((row) => set.has(row)), ...rest.slice(at)];
}

/** Where a block of rows goes by one step: before which row, or 'last'. Undefined: it is at its end. */
export function stepTarget<Row extends Movable>(
  rows: readonly Row[],
  moved: readonly Row[],
  step: -1 | 1,
): Row | 'last' | undefined {
  const phase = moved[0]?.phase;
  const peers = rows.filter((row) => row.phase === phase);
  const places = moved.map((row) => peers.indexOf(row));
  if (places.length === 0 || places.some((place) => place < 0)) return undefined;
  if (step < 0) return peers[Math.min(...places) - 1];
  const last = Math.max(...places);
  if (last === peers.length - 1) return undefined;
  return peers[last + 2] ?? 'last';
}

/** Rows that were taken out of the list. */
export interface Removed<Row> {
  photos: readonly Row[];
  /** The list as it was, for their places. */
  order: readonly Row[];
}

export function withoutRows<Row>(rows: readonly Row[], gone: readonly Row[]): Row[] {
  const set = new Set(gone);
  return rows.filter((row) => !set.has(row));
}

/** Without those of `gone` and without others that stand for the same tasks. */
export function withoutTasks<Row extends { taskId: string | undefined }>(
  rows: readonly Row[],
  gone: readonly Row[],
): Row[] {
  const tasks = new Set(gone.map(({ taskId }) => taskId));
  return rows.filter(({ taskId }) => taskId === undefined || !tasks.has(taskId));
}

/** The list with `back` at the places that they had in `order`, as far as their neighbours are there. */
export function broughtBack<Row>(
  rows: readonly Row[],
  { photos, order }: Removed<Row>,
  back: readonly Row[] = photos,
): Row[] {
  const places = new Map(order.map((photo, index) => [photo, index]));
  const present = new Set(rows);
  const missing = back.filter((photo) => !present.has(photo));
  const result = [...rows];
  for (const photo of missing) {
    const place = places.get(photo) ?? result.length;
    const at = result.findIndex((other) => (places.get(other) ?? -1) > place);
    result.splice(at < 0 ? result.length : at, 0, photo);
  }
  return result;
}
