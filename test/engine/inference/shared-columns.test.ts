import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

import { taskCancelled } from '../../../packages/contract/src/errors.ts';
import {
  defaultThreads,
  processorHere,
  threadCandidates,
} from '../../../electron/engine/inference/measuring/processor.ts';
import { streamedSize } from '../../../electron/engine/inference/measuring/tile-size.ts';
import type { Choice } from '../../../electron/engine/inference/devices/choose-device.ts';
import type {
  ColumnsRequest,
  PrepareRequest,
} from '../../../electron/engine/inference/protocol.ts';
import type { Session } from '../../../electron/engine/inference/sessions/session.ts';
import {
  isShared,
  prepareShared,
  runSharedColumns,
  shareColumns,
} from '../../../electron/engine/inference/shared-columns.ts';
import type { ResourceBudgetInput } from '../../../electron/engine/protocol/resource-budget.ts';
import { budgetFor } from '../../../electron/engine/plan/resource-budget.ts';
import { createRaster, samplesIn } from '../../../electron/engine/raster/raster-file.ts';
import type { ColumnPass } from '../../../electron/engine/tiles/run-columns.ts';
import { createTestEngine } from '../../support/engine.ts';
import { asSharp, photo } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { embeddedNetwork } from '../../support/networks.ts';
import { columnsOver, passOver, withSession } from '../../support/passes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const engine = createTestEngine();
afterAll(() => engine.close());

it('runs a large picture on two threads, where there are two', async () => {
  const sourcePath = join(engine.dir, 'wide.png');
  writeFileSync(sourcePath, await asSharp(photo(2100, 480)).png().toBuffer());
  const budget = { threads: 2, hasLowestPriority: false, savesMemory: false };
  const steps: number[] = [];
  const { report } = await engine.run(
    { sourcePath, passes: [embeddedNetwork(2)], format: 'png', budget },
    undefined,
    ({ step, percent }) => void (step === 'network' && steps.push(percent)),
  );
  expect(report.tiles.count).toBe(defaultThreads(processorHere()) > 1 ? 4 : 3);
  // A column that is missing would be black.
  expect(report.changed?.mean).toBeLessThan(8);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
});

it('ends on both threads when it is cancelled', async () => {
  const sourcePath = join(engine.dir, 'cancelled.png');
  writeFileSync(sourcePath, await asSharp(photo(2100, 480)).png().toBuffer());
  const controller = new AbortController();
  const cancelled = engine.run(
    { sourcePath, passes: [embeddedNetwork(2)], format: 'png' },
    controller.signal,
    ({ step, percent }) => {
      if (step === 'network' && percent > 0) controller.abort(taskCancelled());
    },
  );
  await expect(cancelled).rejects.toThrow('cancelled');
  const small = join(engine.dir, 'small.png');
  writeFileSync(small, await asSharp(photo(30, 20)).png().toBuffer());
  const { report } = await engine.run({ sourcePath: small, passes: [embeddedNetwork(2)] });
  expect(report.output.width).toBe(60);
});

it('makes the same picture as square tiles, in streams of one thread', async () => {
  const own = embeddedNetwork(2);
  await withSession(own, 'int8', async (session) => {
    const { openStream } = session;
    if (!openStream) throw new Error('Expected a network that runs in strips');
    const picture = photo(60, 700);
    const columns = await columnsOver(picture, own, (width) => openStream(width, undefined, 1), {
      lanes: 2,
    });
    const square = await passOver(picture, own, session, 192);
    expect(columns.tiles).toBe(2);
    expect(columns.picture).toEqual(square.picture);
  });
});

const two = { threads: 2, hasLowestPriority: false, savesMemory: false };

it('is for large pictures and two threads that need not save memory', () => {
  const size = { width: 1200, height: 900 };
  expect(isShared({ budget: two }, { threads: 2 }, size)).toBe(true);
  expect(isShared({ budget: { ...two, threads: 1 } }, { threads: 2 }, size)).toBe(false);
  expect(isShared({ budget: two }, { threads: 1 }, size)).toBe(false);
  expect(isShared({ budget: two }, { threads: 4 }, size)).toBe(true);
  expect(isShared({}, { threads: 4 }, size)).toBe(false);
  expect(isShared({ budget: { ...two, savesMemory: true } }, { threads: 2 }, size)).toBe(false);
  expect(isShared({ budget: two, preempts: true }, { threads: 2 }, size)).toBe(false);
  expect(isShared({ budget: two }, { threads: 2 }, { width: 1200, height: 800 })).toBe(false);
  expect(isShared({ budget: two }, { threads: 2 }, { width: 900, height: 1200 })).toBe(false);
});

it.each([4, 8, 16])(
  'leaves %i processors to one session, unless the job is to take two',
  (logical) => {
    const size = { width: 4000, height: 3000 };
    const choices = threadCandidates({ logical }).map((threads) => ({ threads }));
    const shared = (leave: ResourceBudgetInput['leave']) => {
      const around = { onBattery: false, personElsewhere: false };
      const budget = budgetFor({ leave, around }, logical);
      return choices
        .filter((choice) => isShared({ budget }, choice, size))
        .map((one) => one.threads);
    };
    // Two threads are the best where more of them gained nothing.
    const ofTwo = choices.filter(({ threads }) => threads === 2).map(({ threads }) => threads);
    expect(shared('auto')).toEqual(ofTwo);
    expect(shared('half')).toEqual(logical === 4 ? [2, 4] : ofTwo);
    expect(shared('most')).toEqual([]);
  },
);

/** A network of 1x that gives back what it got. */
const network = { ...nearestNetwork(temporaryFolder(), 1), marginPx: 2 };

it('loads the network on both threads for a picture that will be shared', () => {
  const prepared: unknown[] = [];
  const thread = {
    hasFailed: false,
    prepare: (request: unknown) => void prepared.push(request),
    run: () => Promise.reject(new Error('Not expected')),
  };
  const picture = { width: 1200, height: 900, channels: 3 };
  const request: PrepareRequest = { network, device: 'auto', picture, budget: two };
  const tilePx = streamedSize(network) ?? 0;
  const speed = { tilePx, threads: 2, megapixelsPerSecond: 1 };
  const choice: Choice = { provider: 'cpu', precision: 'int8', ...speed };
  const prepare = (one: Partial<PrepareRequest>, other: Partial<Choice> = {}) =>
    prepareShared({ columnsBeside: thread }, { ...request, ...one }, { ...choice, ...other });
  prepare({});
  expect(prepared).toEqual([{ network, precision: 'int8', budget: two }]);
  prepare({ picture: { ...picture, channels: 4 } });
  prepare({ picture: { ...picture, height: 300 } });
  prepare({ budget: { ...two, threads: 1 } });
  prepare({}, { threads: 1 });
  prepare({}, { precision: 'fp32' });
  prepare({}, { tilePx: 256 });
  thread.hasFailed = true;
  prepare({});
  expect(prepared).toHaveLength(1);
});

type OnStrip = (thread: 'own' | 'other', strip: number) => void | Promise<void>;

/** A pass over a picture of four columns, whose other thread is this one, too. */
async function share(onStrip: OnStrip, onShared: (done: number) => void = () => undefined) {
  const folder = temporaryFolder();
  const [inputPath, outputPath] = [join(folder, 'in.v'), join(folder, 'out.v')];
  const shape = { width: 3500, height: 60, bands: 3, bits: 8 } as const;
  const { data } = photo(shape.width, shape.height);
  const input = createRaster(inputPath, shape);
  input.writeRect({ x: 0, y: 0, ...shape }, data, 0, shape.width * 3);
  const output = createRaster(outputPath, shape);
  const openedBy = (thread: 'own' | 'other') => () => {
    let strips = 0;
    return Promise.resolve({
      lagPx: 0,
      async next(strip: Float32Array) {
        await onStrip(thread, (strips += 1));
        return strip;
      },
    });
  };
  const session = { openStream: openedBy('other') } as unknown as Session;
  const runner = {
    sessions: { get: () => Promise.resolve(session), clear: () => Promise.resolve() },
  };
  const request: Omit<ColumnsRequest, 'shared'> = {
    ...{ inputPath, outputPath, network, precision: 'int8' },
    stopFlag: new SharedArrayBuffer(4),
  };
  const shared = shareColumns(request, {
    run: (whole, onEvent) => runSharedColumns(runner, whole, onEvent),
  });
  const pass: ColumnPass = {
    ...{ input, output, network, openStream: openedBy('own') },
    beforeStrip(done) {
      onShared(done);
      return Promise.resolve();
    },
  };
  try {
    const report = await shared.run(pass);
    return { report, made: samplesIn(output, { x: 0, y: 0, ...shape }), data };
  } finally {
    input.close();
    output.close();
  }
}

it('runs each column once, on either thread, and counts those of both', async () => {
  const strips = { own: 0, other: 0 };
  const done: number[] = [];
  const { report, made, data } = await share(
    (thread) => void (strips[thread] += 1),
    (share) => void done.push(share),
  );
  expect(made).toEqual(data);
  expect(report.tiles).toBe(4);
  expect(strips.own).toBeGreaterThan(0);
  expect(strips.other).toBeGreaterThan(0);
  expect(done).toEqual([...done].sort((a, b) => a - b));
});

it.each(['own', 'other'] as const)(
  'fails, and stops both, where the %s thread fails',
  async (bad) => {
    const after: string[] = [];
    let hasFailed = false;
    const failing = share((thread) => {
      if (hasFailed) after.push(thread);
      if (thread !== bad) return;
      hasFailed = true;
      throw new Error(`No ${bad}`);
    });
    await expect(failing).rejects.toThrow(`No ${bad}`);
    // The strip that had begun ends.
    expect(after.length).toBeLessThan(3);
  },
);
