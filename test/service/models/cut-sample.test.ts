/** How long a cut-out takes, measured before the first one: who gives way to whom, and what is kept. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { EngineDied, type EngineHost } from '../../../electron/engine/host/host.ts';
import type {
  Job,
  JobReport,
  SpeedMeasurement,
} from '../../../electron/engine/protocol/messages.ts';
import { cutSample } from '../../../electron/service/models/cut-sample.ts';
import { openCatalogue } from '../../../electron/service/models/catalogue.ts';
import { sampleSubject } from '../../../electron/service/models/sample-subject.ts';
import { openCutouts } from '../../support/cutouts.ts';
import { createTestEngine } from '../../support/engine.ts';
import { modelsDir } from '../../support/networks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const speed: SpeedMeasurement = {
  modelId: 'cutout',
  scale: 1,
  provider: 'cpu',
  precision: 'int8',
  megapixelsPerSecond: 2,
};
const report = {
  ran: [{ modelId: 'cutout', scale: 1 }],
  device: { name: 'CPU', provider: 'cpu', precision: 'int8' },
} as unknown as JobReport;

function open(run: (job: Job, signal: AbortSignal) => Promise<JobReport>) {
  const scratchDir = temporaryFolder();
  let tellOfWork: () => void = () => undefined;
  const speeds: SpeedMeasurement[] = [];
  const state = { isBusy: false, ran: 0, tellOfWork: () => tellOfWork() };
  const closing = new AbortController();
  const engine: Pick<EngineHost, 'run' | 'speeds'> = {
    run: (job, { signal }) => {
      state.ran += 1;
      return run(job, signal);
    },
    speeds: () => speeds,
  };
  const cut = () =>
    cutSample(
      {
        models: openCatalogue(modelsDir),
        engine,
        scratchDir,
        settings: () => ({
          defaultRemover: 'cutout',
          device: 'auto',
          maxSourcePixels: 1e8,
          maxResultPixels: 1e9,
        }),
        isBusy: () => state.isBusy,
        onWork: (listener) => {
          tellOfWork = listener;
          return () => undefined;
        },
      },
      closing.signal,
    );
  return { cut, state, closing, speeds, scratchDir };
}

describe('a sample that is cut out', () => {
  const { engine, network } = openCutouts(createTestEngine());

  it('tells the speed once, and leaves nothing behind', async () => {
    let found: { isThere: boolean; network: unknown } | undefined;
    const { cut, state, speeds, scratchDir } = open(async (job) => {
      const isThere = (await readFile(job.sourcePath)).length > 3000 * 2000 * 3;
      found = { isThere, network: job.operation === 'remove-bg' && job.network.modelId };
      speeds.push(speed);
      return report;
    });
    expect(await cut()).toBe(true);
    expect(found).toEqual({ isThere: true, network: 'cutout' });
    expect(existsSync(path.join(scratchDir, 'sample'))).toBe(false);
    expect(await cut()).toBe(true);
    expect(state.ran).toBe(1);
  });

  it('waits while there are photos, and is given up when one comes', async () => {
    const { cut, state } = open(
      (_job, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () =>
            reject(new EnlargerError('CANCELLED', 'It was cancelled.')),
          );
          state.tellOfWork();
        }),
    );
    state.isBusy = true;
    expect(await cut()).toBe(false);
    expect(state.ran).toBe(0);
    state.isBusy = false;
    expect(await cut()).toBe(false);
    expect(state.ran).toBe(1);
  });

  it('is tried again after the engine ended, and not after it was refused', async () => {
    const died = open(() => Promise.reject(new EngineDied('exit', false, 'It ended.')));
    expect(await died.cut()).toBe(false);
    const refused = open(() => Promise.reject(new EnlargerError('NO_SUBJECT', 'There is none.')));
    await expect(refused.cut()).rejects.toThrow('There is none.');
  });

  it('tells what the engine measured of the whole way', async () => {
    const isCut = await cutSample(
      {
        models: { maskNetwork: () => network, openMaskNetwork: () => Promise.resolve(network) },
        engine: engine.host,
        scratchDir: engine.dir,
        size: { width: 1200, height: 850 },
        settings: () => ({
          defaultRemover: network.modelId,
          device: 'cpu',
          maxSourcePixels: 1e8,
          maxResultPixels: 1e9,
        }),
        isBusy: () => false,
        onWork: () => () => undefined,
      },
      new AbortController().signal,
    );
    expect(isCut).toBe(true);
    const find = () => engine.host.speeds().find(({ modelId }) => modelId === network.modelId);
    await expect.poll(find).toBeDefined();
    const found = find();
    expect(found).toMatchObject({ modelId: network.modelId, scale: 1, provider: 'cpu' });
    expect(found?.megapixelsPerSecond).toBeGreaterThan(0);
  }, 120_000);

  it('is a picture that can be read', async () => {
    const { width, height, channels } = await sharp(sampleSubject(300, 200)).metadata();
    expect({ width, height, channels }).toEqual({ width: 300, height: 200, channels: 3 });
    const { data } = await sharp(sampleSubject(300, 200))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const red = (x: number, y: number) => data[(y * 300 + x) * 3]!;
    expect(red(150, 160)).toBeGreaterThan(150);
    expect(red(10, 20)).toBeLessThan(90);
  });
});
