/** Where a photo's time goes in the pool, by the clock: its steps one after the other. */
import type { EngineHost } from '../../electron/engine/host.ts';
import type { Parcels } from '../../electron/service/pool/bytes/parcels.ts';

export const ownStep = 'in the engine';

export interface Steps {
  /** Of a helper. */
  engine(engine: Pick<EngineHost, 'run'>): Pick<EngineHost, 'run'>;
  /** Of a submitter, which looks at source and result. */
  looks(engine: Pick<EngineHost, 'inspect' | 'work'>): Pick<EngineHost, 'inspect' | 'work'>;
  parcels(parcels: Parcels, names: { sent: string; received: string }): Parcels;
  /** Seconds of each since it was asked before. */
  take(): Record<string, number>;
}

export function createSteps(): Steps {
  let seconds: Record<string, number> = {};
  const timedAs = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      seconds[step] = (seconds[step] ?? 0) + (performance.now() - start) / 1000;
    }
  };
  return {
    engine: (engine) => ({
      run: (job, watch) => timedAs(ownStep, () => engine.run(job, watch)),
    }),
    looks: (engine) => ({
      inspect: (path, limits) => timedAs('source looked at', () => engine.inspect(path, limits)),
      work: (kind, asked, limitMs) =>
        timedAs('result checked', () => engine.work(kind, asked, limitMs)),
    }),
    parcels: (parcels, { sent, received }) => ({
      ...parcels,
      send: (from, name, signal) => timedAs(sent, () => parcels.send(from, name, signal)),
      receive: (parcel, to, signal) => timedAs(received, () => parcels.receive(parcel, to, signal)),
    }),
    take() {
      const taken = seconds;
      seconds = {};
      return taken;
    },
  };
}
