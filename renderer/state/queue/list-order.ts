/** Decides in which order photos run and are listed, and how rows move, go, and come back. It is pure. */
import type { ListOrder } from '../../../packages/contract/src/settings/page.ts';
import type { Phase } from '../photo/photo.svelte.ts';
import type { TaskRecord, TaskStatus } from '../../../packages/contract/src/task.ts';

/** What decides a photo's place in the list. */
export interface ListEntry {
  readonly name: string;
  readonly phase: Phase;
  readonly isActive: boolean;
  readonly isEnded: boolean;
  /** The photo was dropped or submitted at this time, in milliseconds since 1970. */
  readonly addedAtMs: number;
  readonly record?: { readonly finishedAt?: string; readonly priority?: number } | undefined;
  /**
   * The photo was taken at this time by the camera's clock. The text sorts; it is undefined where the photo
   * does not tell it.
   */
  readonly capturedAt?: string | undefined;
}

/**
 * Orders photos for the list. `photos` are in the queue's own order, with the photo that runs first at the
 * beginning. The order 'added' leaves each row in its place, whatever the queue does.
 */
export function inOrder<T extends ListEntry>(photos: readonly T[], order: ListOrder): T[] {
  if (order === 'queue') return byQueue(photos);
  if (order === 'name') return photos.toSorted(byName);
  if (order === 'captured') return photos.toSorted(byCapture);
  if (order === 'done') return photos.toSorted(byEnd);
  return photos.toSorted(byAddition);
}

type AdditionTime = Pick<ListEntry, 'addedAtMs'>;
const byAddition = (a: AdditionTime, b: AdditionTime) => a.addedAtMs - b.addedAtMs;

/** Swaps the times at which photos were added, so that a row that was moved stays where it was put. */
export function addInOrder(photos: readonly { addedAtMs: number }[]): void {
  const times = photos.toSorted(byAddition).map(({ addedAtMs }) => addedAtMs);
  photos.forEach((photo, at) => (photo.addedAtMs = times[at] ?? photo.addedAtMs));
}

/** Lists what runs, then what waits, then what is not started, then what has ended, the latest first. */
function byQueue<T extends ListEntry>(photos: readonly T[]): T[] {
  const active = photos.filter(({ isActive }) => isActive);
  const running = active.filter(({ phase }) => phase === 'PROCESSING');
  const waiting = active.filter(({ phase }) => phase !== 'PROCESSING').toSorted(byPriority);
  const ready = photos.filter(({ phase }) => phase === 'ready');
  return [
    ...running,
    ...waiting,
    ...ready,
    ...photos
      .filter(({ isEnded }) => isEnded)
      .toSorted(byEnd)
      .toReversed(),
  ];
}

interface PriorityEntry {
  readonly record?: { readonly priority?: number } | undefined;
}

const priorityOf = ({ record }: PriorityEntry) => record?.priority ?? 0;
const byPriority = (one: PriorityEntry, other: PriorityEntry) =>
  priorityOf(other) - priorityOf(one);

/** Names are compared so that img_2 comes before img_10. */
export const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byName = (a: ListEntry, b: ListEntry) => names.compare(a.name, b.name) || byAddition(a, b);

/** Compares photos by when they were taken. Photos that do not tell it come last. */
function byCapture(a: ListEntry, b: ListEntry): number {
  const [left, right] = [a.capturedAt, b.capturedAt];
  if (left === right) return byName(a, b);
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  return left < right ? -1 : 1;
}

/** Compares photos by when they ended, the earliest first. Photos that have not ended come last. */
function byEnd(a: ListEntry, b: ListEntry): number {
  if (!a.isEnded || !b.isEnded) return Number(b.isEnded) - Number(a.isEnded) || byAddition(a, b);
  return endOf(a) - endOf(b);
}

/** Returns when a photo ended, or when it was added if it was refused before it was a task. */
const endOf = ({ record, addedAtMs }: ListEntry) =>
  record?.finishedAt === undefined ? addedAtMs : Date.parse(record.finishedAt);

const ranks: Record<TaskStatus, number> = { FINISHED: 0, FAILED: 0, PROCESSING: 1, PENDING: 2 };

type OrderKey = Pick<TaskRecord, 'status' | 'place' | 'finishedAt' | 'createdAt'>;

/** Compares tasks: ended ones come first, by their end, then running ones, then waiting ones by place. */
export function byRunOrder(left: OrderKey, right: OrderKey): number {
  const rank = ranks[left.status] - ranks[right.status];
  if (rank !== 0) return rank;
  if (left.place !== undefined && right.place !== undefined) return left.place - right.place;
  return (left.finishedAt ?? left.createdAt).localeCompare(right.finishedAt ?? right.createdAt);
}

interface WaitingEntry extends PriorityEntry {
  readonly id: string;
  readonly phase: Phase;
}

/** Returns the place, from 1, of each photo that waits, by the photo's id. What has a higher priority goes first. */
export function placesOf(active: readonly WaitingEntry[]): Map<string, number> {
  const waiting = active.filter(({ phase }) => phase === 'PENDING').toSorted(byPriority);
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

/** Puts the rows `moved` before the row `before`, in the list's order, or to the end when it is undefined. */
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

/** Returns before which row a block goes by one step, or 'last'; it is undefined for a block at an end. */
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
export interface RemovedRows<Row> {
  photos: readonly Row[];
  /** The list was like this before, which tells the places of these rows. */
  order: readonly Row[];
}

export function withoutRows<Row>(rows: readonly Row[], gone: readonly Row[]): Row[] {
  const set = new Set(gone);
  return rows.filter((row) => !set.has(row));
}

/**
 * Returns the rows that a listing of all tasks leaves to the page: those without a task, and those whose task came
 * or changed while it was listed. Another task of before that is not listed was removed.
 */
export function unlisted<Row extends { taskId: string | undefined }>(
  rows: readonly Row[],
  listed: ReadonlySet<string>,
  before: ReadonlySet<string>,
  changed: { has(taskId: string): boolean },
): Row[] {
  return rows.filter(({ taskId }) => {
    if (taskId === undefined) return true;
    return !listed.has(taskId) && (!before.has(taskId) || changed.has(taskId));
  });
}

/** Leaves out the rows of `gone`, and other rows that stand for the same tasks. */
export function withoutTasks<Row extends { taskId: string | undefined }>(
  rows: readonly Row[],
  gone: readonly Row[],
): Row[] {
  const tasks = new Set(gone.map(({ taskId }) => taskId));
  return rows.filter(({ taskId }) => taskId === undefined || !tasks.has(taskId));
}

/** Puts the rows `back` at the places that they had in `order`, as far as their neighbours are there. */
export function restoreRows<Row>(
  rows: readonly Row[],
  { photos, order }: RemovedRows<Row>,
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
