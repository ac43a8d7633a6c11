import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NetworkFile } from '../../../../electron/engine/protocol/messages.ts';
import { createTestEngine, type TestEngine } from '../../../support/engine.ts';
import { asSharp, photo } from '../../../support/images.ts';
import { blurNetwork, nearestNetwork } from '../../../support/networks-made.ts';

let engine: TestEngine;
beforeEach(() => {
  engine = createTestEngine();
});
afterEach(() => engine.close());

const stateOfCpu = async (of: TestEngine) => (await of.host.devices()).devices.at(-1)?.state;

describe('a network that is measured ahead', { timeout: 240_000 }, () => {
  it('has its device and speed before any picture ran, and for the next start too', async () => {
    const network = nearestNetwork(engine.dir);
    const first = await engine.host.measure(network, 'cpu');
    expect(first).toMatchObject({
      speed: { modelId: network.modelId, scale: 2, provider: 'cpu', precision: 'fp32' },
      isNew: true,
    });
    expect(first?.speed.megapixelsPerSecond).toBeGreaterThan(0);
    expect(await stateOfCpu(engine)).toBe('in-use');
    expect(engine.host.speeds()).toEqual([first?.speed]);
    const next = createTestEngine({ cacheDir: join(engine.dir, 'cache') });
    try {
      expect(next.host.speeds()).toEqual([first?.speed]);
      expect(await next.host.measure(network, 'cpu')).toEqual({ ...first, isNew: false });
      expect(await stateOfCpu(next)).toBe('in-use');
    } finally {
      await next.close();
    }
  });

  it('is measured again when its file is another one', async () => {
    const network = nearestNetwork(engine.dir);
    await engine.host.measure(network, 'cpu');
    const { variants } = blurNetwork(engine.dir);
    const other: NetworkFile = { ...network, marginPx: 4, variants };
    expect(await engine.host.measure(other, 'cpu')).toMatchObject({ isNew: true });
  });

  it('gives way to a picture at once, and is measured when it is asked for again', async () => {
    const sourcePath = join(engine.dir, 'source.png');
    writeFileSync(sourcePath, await asSharp(photo(60, 40)).png().toBuffer());
    const network = blurNetwork(engine.dir);
    const measured = engine.host.measure(network, 'cpu');
    await engine.host.devices();
    const ran = engine.run({ sourcePath, passes: [nearestNetwork(engine.dir)] });
    expect(await measured).toBeUndefined();
    expect((await ran).report.output).toMatchObject({ width: 120, height: 80 });
    expect(await engine.host.measure(network, 'cpu')).toMatchObject({ isNew: true });
  });

  it('is refused with a sentence when it cannot be measured', async () => {
    const broken = join(engine.dir, 'broken.onnx');
    writeFileSync(broken, 'no network');
    const network = nearestNetwork(engine.dir);
    const variants = network.variants.map((one) => ({
      ...one,
      sha256: 'f'.repeat(64),
      path: broken,
    }));
    await expect(engine.host.measure({ ...network, variants }, 'cpu')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/could not be measured: its process ended/) as string,
    });
  });

  it('begins a first photo with defaults, and is measured once nothing else runs', async () => {
    const sourcePath = await engine.saved(photo(64, 48));
    await engine.run({ sourcePath, passes: [nearestNetwork(engine.dir)] });
    const keptOutcomes = () => readFileSync(join(engine.dir, 'cache/devices.json'), 'utf8');
    expect(keptOutcomes()).toContain('"isProvisional": true');
    // Beside other tests the processors may be busy, and then threads are not decided.
    await vi.waitFor(() => expect(keptOutcomes()).toMatch(/"threads"|"isDoubtful"/), {
      timeout: 200_000,
    });
    expect(keptOutcomes()).not.toContain('isProvisional');
  });
});
