/** The last reading of the service's clock. */
import type { ClockMemory } from '../clock.ts';
import { storing, type Connection } from './connection.ts';

export function createClockTable(db: Connection): ClockMemory {
  const read = db.prepare<[], { serviceMs: number; wallMs: number }>(
    'SELECT service_ms AS serviceMs, wall_ms AS wallMs FROM clock',
  );
  const write = db.prepare<[number, number]>(
    `INSERT INTO clock VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET service_ms = excluded.service_ms, wall_ms = excluded.wall_ms`,
  );
  return {
    read: () => read.get(),
    write: ({ serviceMs, wallMs }) => void storing(() => write.run(serviceMs, wallMs)),
  };
}
