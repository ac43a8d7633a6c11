/** A place right beside a waiting task's, making room where there is none left. */
import { storing, type Connection } from './connection.ts';
import type { TaskRow } from './task-row.ts';

/** Between two arrivals. Halved 24 times before room is made, and 2^29 arrivals fit a JavaScript number. */
export const placeGap = 2 ** 24;
/** The least that is left between two places after room was made. */
const leastGap = 2 ** 10;

export type Neighbour = Pick<TaskRow, 'seq' | 'priority' | 'place'>;

/**
 * Answers the place before or after the neighbour for the task that moves (its seq), within the neighbour's
 * priority. To be called in a transaction: it may write the places of some tasks behind.
 */
export function preparePlaceBeside(db: Connection) {
  const others = `SELECT seq, priority, place FROM tasks INDEXED BY tasks_waiting
    WHERE status = 'PENDING' AND priority = @priority AND seq <> @moving`;
  const previous = db.prepare<[object], Neighbour>(
    `${others} AND (place, seq) < (@place, @seq) ORDER BY place DESC, seq DESC LIMIT 1`,
  );
  const following = db.prepare<[object], Neighbour>(
    `${others} AND (place, seq) > (@place, @seq) ORDER BY place, seq LIMIT @limit`,
  );
  const write = db.prepare<[object]>(
    `UPDATE tasks SET place = @place WHERE seq = @seq AND status = 'PENDING'`,
  );

  /** Spreads those behind `base` over as many of their own gaps as it takes; answers the place right behind it. */
  const makeRoomBehind = (base: Neighbour, moving: number): number => {
    for (let count = 32; ; count *= 4) {
      const rows = following.all({ ...base, moving, limit: count + 1 });
      const beyond = rows.at(count);
      const gap = beyond ? Math.floor((beyond.place - base.place) / (count + 2)) : placeGap;
      if (gap < leastGap) continue;
      storing(() => {
        for (const [index, { seq }] of rows.slice(0, count).entries()) {
          write.run({ seq, place: base.place + (index + 2) * gap });
        }
      });
      return base.place + gap;
    }
  };

  return (at: Neighbour, moving: number, side: 'before' | 'after'): number => {
    const [low, high] =
      side === 'after'
        ? [at, following.all({ ...at, moving, limit: 1 }).at(0)]
        : [previous.get({ ...at, moving }), at];
    if (!high) return at.place + placeGap;
    if (!low) return at.place - placeGap;
    const between = Math.floor((low.place + high.place) / 2);
    return between > low.place ? between : makeRoomBehind(low, moving);
  };
}
