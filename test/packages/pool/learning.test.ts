import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelDescriptor } from '../../../packages/contract/src/models/model.ts';
import { createPool, type PoolOptions } from '../../../packages/pool/src/pool.ts';
import { quick } from '../../support/pool.ts';
import { openTestRedis, redisProgram } from '../../support/redis.ts';
import { testModel } from '../../support/service.ts';
import { defaultSettings } from '../../support/default-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';

/** Of two precisions: which is faster here is to be measured. */
function undecided(id: string): ModelDescriptor {
  const networks = testModel.networks.map((network) => ({
    ...network,
    variants: ['fp32', 'int8'].map((precision) => ({ ...network.variants[0], precision })),
  }));
  return { ...testModel, id, networks } as ModelDescriptor;
}

describe.skipIf(!redisProgram)(`a helper that learns what it can do${left}`, () => {
  test('measures one model at a time, and each once', async () => {
    const folder = temporaryFolder();
    await mkdir(path.join(folder, 'share'));
    const { address } = await openTestRedis(folder);
    const all = ['one', 'two', 'three'].map(undecided);
    const measured: string[] = [];
    let running = 0;
    let most = 0;
    const engine = {
      speeds: () => [],
      async measure({ modelId }: { modelId: string }) {
        measured.push(modelId);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 100));
        running -= 1;
        throw new Error('It cannot be measured.');
      },
    };
    const pool = createPool({
      settings: {
        get: () => ({
          ...defaultSettings,
          pool: {
            address,
            storage: path.join(folder, 'share'),
            key: '',
            submit: false,
            help: true,
          },
        }),
        onPatch: () => undefined,
      },
      id: 'a'.repeat(16),
      engine: engine as unknown as PoolOptions['engine'],
      models: {
        models: all,
        find: (id: string) => all.find((model) => model.id === id),
        scalesOf: () => [2],
        openPasses: (modelId: string) => Promise.resolve([{ modelId }]),
      } as unknown as PoolOptions['models'],
      isBusy: () => false,
      scratchDir: folder,
      log: () => undefined,
      onChange: () => undefined,
      times: { learnEveryMs: 20 },
    });
    onTestFinished(() => pool.close());
    pool.start();
    await expect.poll(() => measured, quick).toEqual(['one', 'two', 'three']);
    expect(most).toBe(1);
  });
});
