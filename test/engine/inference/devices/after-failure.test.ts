import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  isOutOfMemory,
  smallerBatch,
} from '../../../../electron/engine/inference/devices/after-failure.ts';
import {
  createSessionCache,
  onBestDevice,
  type Runner,
} from '../../../../electron/engine/inference/devices/best-device.ts';
import type { Choice } from '../../../../electron/engine/inference/devices/choose-device.ts';
import { openDeviceRegistry } from '../../../../electron/engine/plan/device-registry.ts';
import { openOutcomes } from '../../../../electron/engine/inference/measuring/outcomes.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
});

const noMemory = () =>
  new Error('BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer');

describe('a run that lacked memory', () => {
  it.each([
    'CUDA error 2: out of memory',
    'std::bad_alloc',
    'HRESULT 8007000E',
    'CUDNN_STATUS_ALLOC_FAILED',
    'VK_ERROR_OUT_OF_DEVICE_MEMORY',
  ])('is known by what the driver says: %s', (message) => {
    expect(isOutOfMemory(new Error(message))).toBe(true);
  });

  it('is not one that failed for another reason', () => {
    expect(isOutOfMemory(new Error('the device was lost'))).toBe(false);
    const portion = { tilePx: 512 };
    expect(smallerBatch(new Error('device lost'), nearestNetwork(dir), portion)).toBeUndefined();
  });

  it('gets half the tile, as a multiple, as long as that is still a tile', () => {
    const network = { ...nearestNetwork(dir), multiple: 8, marginPx: 16 };
    const smaller = (tilePx: number) => smallerBatch(noMemory(), network, { tilePx })?.tilePx;
    expect([500, 64, 56].map(smaller)).toEqual([256, 56, undefined]);
    const fixed = { ...network, fixedPx: 256 };
    expect(smallerBatch(noMemory(), fixed, { tilePx: 256 })).toBeUndefined();
  });

  it('gets half the batch before it gets half the tile, of a network of one size too', () => {
    const network = { ...nearestNetwork(dir), fixedPx: 256 };
    const smaller = (batch: number) =>
      smallerBatch(noMemory(), network, { tilePx: 256, batch })?.batch;
    expect([4, 2, 1].map(smaller)).toEqual([2, 1, undefined]);
  });

  it('is run tile by tile where several at once failed for another reason', () => {
    const portion = { tilePx: 512, batch: 4 };
    const next = smallerBatch(new Error('the device was lost'), nearestNetwork(dir), portion);
    expect(next).toEqual({ tilePx: 512, batch: 1 });
  });
});

describe('the device that a run is given', () => {
  function runnerWith(choices: Choice[], rejected: string[] = []): Runner {
    return {
      outcomes: openOutcomes(join(dir, 'cache')),
      registry: openDeviceRegistry(join(dir, 'cache'), ['webgpu', 'cpu'], () => undefined),
      probe: () => Promise.reject(new Error('Nothing is probed here.')),
      sessions: createSessionCache(),
      emit: () => undefined,
      cachedChoices: new Map(),
      choose: () => Promise.resolve({ choices, rejected }),
      preempt: () => Promise.resolve(0),
    };
  }
  const onCpu: Choice = {
    provider: 'cpu',
    precision: 'fp32',
    tilePx: 512,
    megapixelsPerSecond: 1,
  };

  it('is left without a word on the photo, unless it was asked for by its name', async () => {
    const said = 'WebGPU was left for the CPU. It is slower here.';
    const runner = runnerWith([onCpu], [said]);
    const network = nearestNetwork(dir);
    const notesOn = async (device: 'auto' | 'webgpu') =>
      (await onBestDevice(runner, { network, device }, () => Promise.resolve('done'))).notes;
    expect(await notesOn('auto')).toEqual([]);
    expect(await notesOn('webgpu')).toEqual([said]);
    await runner.sessions.clear();
  });

  it('goes on with half the tile, says so, and keeps it for the next run', async () => {
    const runner = runnerWith([onCpu]);
    const wanted = { network: nearestNetwork(dir), device: 'auto' as const };
    const tried: number[] = [];
    const run = (_session: unknown, { tilePx }: Choice) => {
      tried.push(tilePx);
      if (tilePx > 128) throw noMemory();
      return Promise.resolve('done');
    };
    const { result, notes } = await onBestDevice(runner, wanted, run);
    expect([result, tried]).toEqual(['done', [512, 256, 128]]);
    expect(notes).toHaveLength(2);
    expect(notes[1]).toContain('Tiles of 128 instead of 256 pixels');
    tried.length = 0;
    await onBestDevice(runner, wanted, run);
    expect(tried).toEqual([128]);
    await runner.sessions.clear();
  });

  it('goes on with half the batch first, says so, and keeps it for the next run', async () => {
    const runner = runnerWith([{ ...onCpu, batch: 4 }]);
    const wanted = { network: nearestNetwork(dir), device: 'auto' as const };
    const tried: unknown[] = [];
    const run = (_session: unknown, { tilePx, batch }: Choice) => {
      tried.push([tilePx, batch]);
      if (tilePx > 256) throw noMemory();
      return Promise.resolve('done');
    };
    const { notes } = await onBestDevice(runner, wanted, run);
    expect(tried).toEqual([4, 2, 1].map((batch) => [512, batch]).concat([[256, 1]]));
    expect(notes).toEqual([
      expect.stringMatching(/^Tiles were run 2 instead of 4 at a time, because the memory of /),
      expect.stringMatching(/^Tiles were run one instead of 2 at a time, because the memory of /),
      expect.stringMatching(/^Tiles of 256 instead of 512 pixels were used, because the memory/),
    ]);
    tried.length = 0;
    await onBestDevice(runner, wanted, run);
    expect(tried).toEqual([[256, 1]]);
    await runner.sessions.clear();
  });

  it('gets one tile at a time where little of the machine may be taken', async () => {
    const runner = runnerWith([{ ...onCpu, batch: 4 }]);
    const budget = { hasLowestPriority: true, savesMemory: true };
    const wanted = { network: nearestNetwork(dir), device: 'auto' as const, budget };
    const { result } = await onBestDevice(runner, wanted, (_, { batch }) => Promise.resolve(batch));
    expect(result).toBe(1);
    await runner.sessions.clear();
  });

  it('goes to the next one when it is lost, and stays away from it', async () => {
    const runner = runnerWith([{ ...onCpu, precision: 'int8' }, onCpu]);
    const network = nearestNetwork(dir);
    const variants = [...network.variants, { ...network.variants[0]!, precision: 'int8' as const }];
    const wanted = { network: { ...network, variants }, device: 'auto' as const };
    const tried: string[] = [];
    const run = (_session: unknown, { precision }: Choice) => {
      tried.push(precision);
      if (precision === 'int8') throw new Error('DXGI_ERROR_DEVICE_REMOVED (887A0005)');
      return Promise.resolve('done');
    };
    const { notes, device } = await onBestDevice(runner, wanted, run);
    expect(notes.join()).toMatch(
      /^Run again on the CPU, because .* in int8 failed: its driver stopped/,
    );
    expect(device.precision).toBe('fp32');
    await onBestDevice(runner, wanted, run);
    expect(tried).toEqual(['int8', 'fp32', 'fp32']);
    await runner.sessions.clear();
  });

  it('ends with what was thrown when even the smallest tile is too large, or the task was stopped', async () => {
    const runner = runnerWith([onCpu]);
    const wanted = { network: nearestNetwork(dir), device: 'auto' as const };
    await expect(onBestDevice(runner, wanted, () => Promise.reject(noMemory()))).rejects.toThrow(
      /Failed to allocate/,
    );
    const stopped = new EnlargerError('CANCELLED', 'The task was cancelled: out of memory.');
    await expect(onBestDevice(runner, wanted, () => Promise.reject(stopped))).rejects.toBe(stopped);
    await runner.sessions.clear();
  });
});
