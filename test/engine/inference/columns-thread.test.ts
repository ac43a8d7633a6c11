import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import {
  ColumnsThreadFailure,
  createColumnsThread,
} from '../../../electron/engine/inference/columns-thread.ts';
import { createSessionCache } from '../../../electron/engine/inference/devices/best-device.ts';
import { openOutcomes } from '../../../electron/engine/inference/measuring/outcomes.ts';
import { streamedSize } from '../../../electron/engine/inference/measuring/tile-size.ts';
import type { ColumnsRequest } from '../../../electron/engine/inference/protocol.ts';
import { runRequest } from '../../../electron/engine/inference/run-request.ts';
import type { Session } from '../../../electron/engine/inference/sessions/session.ts';
import { openDeviceRegistry } from '../../../electron/engine/plan/device-registry.ts';
import {
  createRaster,
  samplesIn,
  withRaster,
} from '../../../electron/engine/raster/raster-file.ts';
import { photo } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const network = nearestNetwork(folder, 1);

const request: ColumnsRequest = {
  ...{ inputPath: 'in.v', outputPath: 'out.v', network, precision: 'int8' },
  stopFlag: new SharedArrayBuffer(4),
  shared: new SharedArrayBuffer(12),
};

/** A thread that does this when it gets a request, and counts how often it was started. */
function createThread(onRequest: string) {
  const starts = { count: 0 };
  const thread = createColumnsThread(() => {
    starts.count += 1;
    const code = `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ id }) => { ${onRequest} });`;
    return new Worker(code, { eval: true });
  });
  return { thread, starts };
}

const failed = (code: string) =>
  `parentPort.postMessage({ id, failure: { code: '${code}', message: 'The ${code}.' } });`;

it.each([
  ['exits', 'process.exit(3);', 'it ended with code 3'],
  ['throws', `throw new Error('bad_alloc');`, 'bad_alloc'],
  ['cannot run the network', failed('INTERNAL'), 'The INTERNAL.'],
])('is not used again when it %s', async (_how, code, message) => {
  const { thread, starts } = createThread(code);
  const run = () => thread.run(request, () => undefined);
  await expect(run()).rejects.toThrow(ColumnsThreadFailure);
  await expect(run()).rejects.toThrow(message);
  expect(thread.hasFailed).toBe(true);
  expect(starts.count).toBe(1);
});

it('is used again after a pass that was cancelled', async () => {
  const { thread, starts } = createThread(failed('CANCELLED'));
  const run = () => thread.run(request, () => undefined);
  await expect(run()).rejects.toThrow('The CANCELLED.');
  await expect(run()).rejects.not.toThrow(ColumnsThreadFailure);
  expect(thread.hasFailed).toBe(false);
  expect(starts.count).toBe(1);
});

it('leaves a picture to the other thread when it ends in the middle of it', async () => {
  const shape = { width: 3500, height: 300, bands: 3, bits: 8 } as const;
  const [inputPath, outputPath] = [join(folder, 'in.v'), join(folder, 'out.v')];
  const { data } = photo(shape.width, shape.height);
  const input = createRaster(inputPath, shape);
  input.writeRect({ x: 0, y: 0, ...shape }, data, 0, shape.width * 3);
  input.close();
  const streams: (number | undefined)[] = [];
  const stream = { lagPx: 0, next: (strip: Float32Array) => Promise.resolve(strip) };
  const session = {
    provider: 'cpu',
    openStream(_width: number, _condition: unknown, threads: number | undefined) {
      streams.push(threads);
      return Promise.resolve(stream);
    },
    close: () => Promise.resolve(),
  } as unknown as Session;
  const sessions = createSessionCache();
  const tilePx = streamedSize(network) ?? 0;
  const choice = { provider: 'cpu', precision: 'int8', tilePx, threads: 2 } as const;
  // It takes the first column, which nobody else runs, and ends.
  const { thread } = createThread('process.exit(1);');
  const taking: typeof thread.run = (whole, onStrip) => {
    Atomics.add(new Int32Array(whole.shared), 0, 1);
    return thread.run(whole, onStrip);
  };
  const runner = {
    ...{ sessions, cachedChoices: new Map(), outcomes: openOutcomes(undefined) },
    registry: openDeviceRegistry(undefined, ['cpu'], () => undefined, []),
    probe: () => Promise.reject(new Error('Not expected')),
    emit: () => undefined,
    choose: () =>
      Promise.resolve({ choices: [{ ...choice, megapixelsPerSecond: 1 }], rejected: [] }),
    preempt: () => new Promise<number>((resolve) => setImmediate(resolve, 0)),
    columnsBeside: {
      get hasFailed() {
        return thread.hasFailed;
      },
      run: taking,
    },
  };
  const budget = { threads: 2, hasLowestPriority: false, savesMemory: false };
  const pass = { inputPath, outputPath, network, bits: 8, device: 'cpu', budget } as const;
  sessions.get = () => Promise.resolve(session);
  const result = await runRequest(runner, { ...pass, stopFlag: new SharedArrayBuffer(4) });
  expect(thread.hasFailed).toBe(true);
  expect(result.tiles).toBe(4);
  expect(streams.slice(-4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(streams.slice(0, -4)).not.toContain(undefined);
  await withRaster(outputPath, (output) => {
    expect(samplesIn(output, { x: 0, y: 0, ...shape })).toEqual(data);
    return Promise.resolve();
  });
});
