/** The order in which tasks ended, run and will run. */
import type { TaskRecord, TaskStatus } from '../../electron/contract/task.ts';
import type { Phase } from './photo.svelte.ts';

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
