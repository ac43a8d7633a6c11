import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { EngineDied } from '../../../electron/engine/host/host.ts';
import type { SpeedResult } from '../../../electron/engine/protocol/messages.ts';
import { openCatalogue } from '../../../electron/service/models/catalogue.ts';
import { startFirstMeasure } from '../../../electron/service/models/first-measure.ts';
import { modelsDir } from '../../support/networks.ts';

const speed = {
  modelId: 'faithful',
  scale: 2,
  provider: 'cpu',
  precision: 'int8',
  megapixelsPerSecond: 3,
} as const;

/** One answer of the engine for each time it is asked. */
function start(responses: (SpeedResult | Error | undefined)[]) {
  const state = { told: 0 };
  const asked: string[] = [];
  const logged: string[] = [];
  const settings: Pick<Settings, 'defaultUpscaler' | 'device'> = {
    defaultUpscaler: 'faithful',
    device: 'auto',
  };
  const measure = startFirstMeasure({
    models: openCatalogue(modelsDir),
    engine: {
      measure: ({ modelId, scale }, device) => {
        const response = responses[asked.length];
        asked.push(`${modelId} ${scale} ${device}`);
        return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
      },
    },
    settings: () => settings,
    onMeasured: () => (state.told += 1),
    log: (_level, message, fields) => logged.push(`${message} ${String(fields?.reason)}`),
    delayMs: 0,
    retryMs: 1,
  });
  onTestFinished(() => measure.close());
  return { state, asked, logged, measure, settings };
}

describe('the first measure', () => {
  it('asks again when it gave way or the engine ended, and tells when it was measured', async () => {
    const died = new EngineDied('exit', false, 'It ended.');
    const { state, asked } = start([undefined, died, { speed, isNew: true }]);
    await expect.poll(() => state.told, { timeout: 10_000 }).toBe(1);
    expect(asked.slice(0, 3)).toEqual(Array(3).fill('faithful 2 auto'));
  });

  it('goes on to the other networks of the model, so that every scale has seconds', async () => {
    const larger = { ...speed, scale: 4 } as const;
    const { state, asked } = start([
      { speed, isNew: true },
      { speed: larger, isNew: false },
    ]);
    await expect.poll(() => state.told, { timeout: 10_000 }).toBe(2);
    expect(asked).toEqual(['faithful 2 auto', 'faithful 4 auto']);
  });

  it('measures once more when it is asked to, by the settings of then', async () => {
    const gpu = { ...speed, provider: 'webgpu', precision: 'fp32' } as const;
    const { asked, measure, settings } = start([
      { speed, isNew: true },
      { speed: { ...speed, scale: 4 }, isNew: true },
      { speed: gpu, isNew: true },
    ]);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(2);
    settings.device = 'webgpu';
    measure.again();
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(asked[2]).toBe('faithful 2 webgpu');
  });

  it('says why when it cannot be, and does not ask again', async () => {
    const { asked, logged } = start([new EnlargerError('MODEL_UNAVAILABLE', 'It is broken.')]);
    await expect.poll(() => logged, { timeout: 10_000 }).toHaveLength(1);
    expect(logged[0]).toContain('It is broken.');
    expect(asked).toHaveLength(1);
  });

  it('asks nothing any more once it is closed', async () => {
    const { asked, measure, logged } = start([]);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(0);
    measure.close();
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked.length - before).toBeLessThan(2);
    expect(logged).toEqual([]);
  });
});
