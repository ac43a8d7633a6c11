/** Measured speed of each network on each device of this machine, in input megapixels a second. */
import type { SpeedMeasurement } from '../../engine/protocol.ts';
import { storing, type Connection } from './connection.ts';

export type Speed = Omit<SpeedMeasurement, 'provider'> & { provider: string };

export interface SpeedTable {
  /** Takes the place of what is known: the engine said it, who mixes what it measures. */
  set(speed: Speed, nowAt: number): void;
  /** Latest measured first. */
  list(): Speed[];
  /** Of the provider and precision that ran this network last. */
  latest(modelId: string, scale: number): Speed | undefined;
}

const columns =
  'model_id AS modelId, scale, provider, precision, megapixels_per_second AS megapixelsPerSecond FROM speeds';

export function createSpeedTable(db: Connection): SpeedTable {
  const set = db.prepare<[object]>(
    `INSERT OR REPLACE INTO speeds VALUES (@modelId, @scale, @provider, @precision, @megapixelsPerSecond, @nowAt)`,
  );
  const all = db.prepare<[], Speed>(`SELECT ${columns} ORDER BY measured_at DESC`);
  const latest = db.prepare<[string, number], Speed>(
    `SELECT ${columns} WHERE model_id = ? AND scale = ? ORDER BY measured_at DESC LIMIT 1`,
  );
  return {
    set: ({ modelId, scale, provider, precision, megapixelsPerSecond }, nowAt) =>
      void storing(() =>
        set.run({ modelId, scale, provider, precision, megapixelsPerSecond, nowAt }),
      ),
    list: () => all.all(),
    latest: (modelId, scale) => latest.get(modelId, scale),
  };
}
