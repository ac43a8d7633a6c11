/** What is on or off and outlives restarts, such as the queue's pause. */
import { storing, type Connection } from './connection.ts';

export interface FlagTable {
  /** Off when it was never set. */
  get(name: 'paused'): boolean;
  set(name: 'paused', on: boolean): void;
}

export function createFlagTable(db: Connection): FlagTable {
  const find = db.prepare<[string], number>('SELECT value FROM flags WHERE name = ?').pluck();
  const write = db.prepare<[string, number]>(
    'INSERT INTO flags VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    get: (name) => find.get(name) === 1,
    set: (name, on) => void storing(() => write.run(name, on ? 1 : 0)),
  };
}
