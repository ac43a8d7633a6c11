/** Whole passes that two threads share; the network gives back what it gets. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createColumnsThread,
  type ColumnsThread,
} from '../../../electron/engine/inference/columns-thread.ts';
import type { Runner } from '../../../electron/engine/inference/devices/best-device.ts';
import { openOutcomes } from '../../../electron/engine/inference/measuring/outcomes.ts';
import { streamedSize } from '../../../electron/engine/inference/measuring/tile-size.ts';
import type { PassRequest } from '../../../electron/engine/inference/protocol.ts';
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
const shape = { width: 3500, height: 300, bands: 3, bits: 8 } as const;
const { data } = photo(shape.width, shape.height);
const [inputPath, outputPath] = [join(folder, 'in.v'), join(folder, 'out.v')];
const two = { threads: 2, hasLowestPriority: false, savesMemory: false };

beforeAll(() => {
  const input = createRaster(inputPath, shape);
  input.writeRect({ x: 0, y: 0, ...shape }, data, 0, shape.width * 3);
  input.close();
});

const threads: Worker[] = [];
afterAll(() => Promise.all(threads.map((thread) => thread.terminate())));

/** Strips that the other thread has begun. */
const strips = new Int32Array(new SharedArrayBuffer(4));

/** The other thread. @param onStrip what it does with each strip */
function createOther(onStrip = '') {
  const url = new URL('../../../electron/engine/inference/shared-columns.ts', import.meta.url);
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const next = async (strip) => {
      Atomics.add(workerData.strips, 0, 1);
      ${onStrip}
      return strip;
    };
    const session = { openStream: async () => ({ lagPx: 0, next }) };
    const runner = { sessions: { get: async () => session } };
    parentPort.on('message', async ({ id, request }) => {
      const { runSharedColumns } = await import(${JSON.stringify(url.href)});
      try {
        await runSharedColumns(runner, request, (event) => parentPort.postMessage({ id, event }));
        parentPort.postMessage({ id, response: null });
      } catch ({ code, message }) {
        parentPort.postMessage({ id, failure: { code, message } });
      }
    });`;
  return createColumnsThread(() => {
    const thread = new Worker(code, { eval: true, workerData: { strips } });
    threads.push(thread);
    return thread;
  });
}

interface Hooks {
  preempt?: Runner['preempt'];
  onOpen?: (threads: number | undefined) => void;
  request?: Partial<PassRequest>;
}

const nextTurn = () => new Promise<number>((resolve) => setImmediate(resolve, 0));

/** Runs a picture of four columns, and returns what became of it. */
async function run(columnsBeside: ColumnsThread, { preempt = nextTurn, ...hooks }: Hooks = {}) {
  const stream = { lagPx: 0, next: (strip: Float32Array) => Promise.resolve(strip) };
  const session = {
    provider: 'cpu',
    openStream(_width: number, _condition: unknown, threads?: number) {
      hooks.onOpen?.(threads);
      return Promise.resolve(stream);
    },
    run: (tensor: Float32Array) => Promise.resolve(tensor),
  } as unknown as Session;
  const tilePx = streamedSize(network) ?? 0;
  const choice = { tilePx, threads: 2, megapixelsPerSecond: 1 } as const;
  const runner: Runner = {
    sessions: { get: () => Promise.resolve(session), clear: () => Promise.resolve() },
    ...{ cachedChoices: new Map(), outcomes: openOutcomes(undefined) },
    registry: openDeviceRegistry(undefined, ['cpu'], () => undefined, []),
    probe: () => Promise.reject(new Error('Not expected')),
    emit: () => undefined,
    choose: () =>
      Promise.resolve({
        choices: [{ provider: 'cpu', precision: 'int8', ...choice }],
        rejected: [],
      }),
    ...{ preempt, columnsBeside },
  };
  const { tiles } = await runRequest(runner, {
    ...{ inputPath, outputPath, network, bits: 8, device: 'cpu', budget: two },
    stopFlag: new SharedArrayBuffer(4),
    ...hooks.request,
  });
  return withRaster(hooks.request?.outputPath ?? outputPath, (output) =>
    Promise.resolve({ tiles, picture: samplesIn(output, { x: 0, y: 0, ...shape }) }),
  );
}

/** The thread, and when it has got to its first strip, at which it waits while it is paused. */
function watched(thread: ColumnsThread) {
  const begun = Promise.withResolvers<undefined>();
  const run: ColumnsThread['run'] = (request, onStrip) =>
    thread.run(request, (event) => {
      begun.resolve(undefined);
      onStrip(event);
    });
  const columnsBeside: ColumnsThread = {
    get hasFailed() {
      return thread.hasFailed;
    },
    prepare: (request) => thread.prepare(request),
    run,
  };
  return { columnsBeside, begun: begun.promise };
}

it('waits on both threads while a preview runs', async () => {
  const { columnsBeside, begun } = watched(createOther());
  Atomics.store(strips, 0, 0);
  let hasPreviewed = false;
  const { tiles, picture } = await run(columnsBeside, {
    async preempt(onBegin) {
      if (hasPreviewed) return nextTurn();
      hasPreviewed = true;
      onBegin?.();
      await begun;
      const preview = await run(columnsBeside, {
        request: { outputPath: join(folder, 'preview.v'), preempts: true },
      });
      expect(preview.picture).toEqual(data);
      expect(Atomics.load(strips, 0)).toBe(0);
      return 1;
    },
  });
  expect(Atomics.load(strips, 0)).toBeGreaterThan(0);
  expect(tiles).toBe(4);
  expect(picture).toEqual(data);
});

it('ends on both threads when it is cancelled during a preview, and shares the next picture', async () => {
  const { columnsBeside, begun } = watched(createOther());
  const stopFlag = new SharedArrayBuffer(4);
  Atomics.store(strips, 0, 0);
  const cancelled = run(columnsBeside, {
    async preempt(onBegin) {
      onBegin?.();
      await begun;
      Atomics.store(new Int32Array(stopFlag), 0, 1);
      return 1;
    },
    request: { stopFlag },
  });
  await expect(cancelled).rejects.toThrow('cancelled');
  expect(Atomics.load(strips, 0)).toBe(0);
  const next = watched(columnsBeside);
  const { picture } = await run(next.columnsBeside, {
    async preempt() {
      await next.begun;
      return 0;
    },
  });
  expect(Atomics.load(strips, 0)).toBeGreaterThan(0);
  expect(picture).toEqual(data);
});

it.each([
  ['processors', { ...two, threads: 1 }],
  ['memory', { ...two, savesMemory: true }],
])('runs on one thread what is to leave %s for others', async (_what, budget) => {
  const other: ColumnsThread = {
    hasFailed: false,
    prepare: () => undefined,
    run: () => Promise.reject(new Error('Not expected')),
  };
  const { picture } = await run(other, { request: { budget } });
  expect(picture).toEqual(data);
});

it('leaves the rest to one thread when the other one ends', async () => {
  const { columnsBeside, begun } = watched(createOther('process.exit(1);'));
  const streams: (number | undefined)[] = [];
  const { tiles, picture } = await run(columnsBeside, {
    async preempt() {
      await begun;
      return nextTurn();
    },
    onOpen: (threads) => void streams.push(threads),
  });
  expect(columnsBeside.hasFailed).toBe(true);
  expect(picture).toEqual(data);
  expect(tiles).toBe(4);
  expect(streams.slice(-4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(streams.slice(0, -4)).not.toContain(undefined);
});
