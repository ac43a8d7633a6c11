/** Where a photo's time goes in the pool, by the clock: its steps one after the other. */
import type { EngineHost } from '../../electron/engine/host/host.ts';
import type { Transfers } from '../../packages/pool/src/bytes/transfers.ts';

export const ownStep = 'in the engine';

export interface Steps {
  /** Of a helper. */
  engine(engine: Pick<EngineHost, 'run'>): Pick<EngineHost, 'run'>;
  /** Of a submitter, which looks at source and result. */
  looks(engine: Pick<EngineHost, 'inspect' | 'work'>): Pick<EngineHost, 'inspect' | 'work'>;
  transfers(transfers: Transfers, names: { sent: string; received: string }): Transfers;
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
    transfers: (transfers, { sent, received }) => ({
      ...transfers,
      send: (from, name, signal) => timedAs(sent, () => transfers.send(from, name, signal)),
      receive: (file, to, signal) => timedAs(received, () => transfers.receive(file, to, signal)),
    }),
    take() {
      const taken = seconds;
      seconds = {};
      return taken;
    },
  };
}
