/** What the siege's child is made of: models that only have a name, and an engine that writes two small files. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import type { EngineHost } from '../../electron/engine/host/host.ts';
import { createScriptedEngine } from '../service/tasks/scripted-engine.ts';
import { plainContract } from '../support/networks.ts';

const weights = 'weights';

/** Writes them; answers their folder. */
export function siegeModels(dataDir: string): string {
  const folder = path.join(dataDir, 'siege-models');
  mkdirSync(folder, { recursive: true });
  mkdirSync(path.join(dataDir, 'saved'), { recursive: true });
  writeFileSync(path.join(folder, 'weights.onnx'), weights);
  const variants = [
    {
      precision: 'fp32',
      file: 'weights.onnx',
      sha256: createHash('sha256').update(weights).digest('hex'),
      sizeBytes: weights.length,
    },
  ];
  const network = {
    ...plainContract,
    ...{ scale: 2, marginPx: 2, variants },
  };
  const model = {
    ...{ id: 'faithful', name: 'Test', task: 'upscale', description: 'For tests.' },
    ...{ licence: 'MIT', author: 'Tests', networks: [network] },
  };
  writeFileSync(path.join(folder, 'catalogue.json'), JSON.stringify({ models: [model] }));
  return folder;
}

export function createScriptedHost(): EngineHost {
  const engine = createScriptedEngine(() => ({ do: 'finish', afterMs: 2 }));
  const picture = { format: 'jpeg', width: 100, height: 50, bitDepth: 8, channels: 3, pages: 1 };
  return {
    run: (job, watch) => engine.run(job, watch),
    inspect: async () => {
      await wait(1);
      return { ...picture, sizeBytes: 1000 };
    },
    work: () => Promise.reject(new EnlargerError('UNREADABLE_IMAGE', 'There is no picture.')),
    devices: () => Promise.resolve({ devices: [] }),
    speeds: () => [],
    measure: () => Promise.resolve(undefined),
    warmUp: () => undefined,
    close: () => Promise.resolve(),
  };
}
