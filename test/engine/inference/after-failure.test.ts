import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isOutOfMemory, smallerTile } from '../../../electron/engine/inference/after-failure.ts';
import {
  createSessionKeeper,
  onBestDevice,
  type Runner,
} from '../../../electron/engine/inference/best-device.ts';
import type { Choice } from '../../../electron/engine/inference/choose-device.ts';
import { openKnowledge } from '../../../electron/engine/inference/knowledge.ts';
import { openOutcomes } from '../../../electron/engine/inference/outcomes.ts';
import { EnlargerError } from '../../../electron/contract/errors.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    expect(smallerTile(new Error('device lost'), nearestNetwork(dir), 512)).toBeUndefined();
  });

  it('gets half the tile, as a multiple, as long as that is still a tile', () => {
    const network = { ...nearestNetwork(dir), multiple: 8, marginPx: 16 };
    expect(smallerTile(noMemory(), network, 500)).toBe(256);
    expect(smallerTile(noMemory(), network, 64)).toBe(56);
    expect(smallerTile(noMemory(), network, 56)).toBeUndefined();
    expect(smallerTile(noMemory(), { ...network, fixedPx: 256 }, 256)).toBeUndefined();
  });
});

describe('the device that a run is given', () => {
  function runnerWith(choices: Choice[], left: string[] = []): Runner {
    return {
      outcomes: openOutcomes(join(dir, 'cache')),
      knowledge: openKnowledge(join(dir, 'cache'), ['webgpu', 'cpu'], () => undefined),
      probe: () => Promise.reject(new Error('Nothing is probed here.')),
      sessions: createSessionKeeper(),
      tell: () => undefined,
      chosen: new Map(),
      choose: () => Promise.resolve({ choices, left }),
      cutIn: () => Promise.resolve(0),
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
    await runner.sessions.drop();
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
    await runner.sessions.drop();
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
    await runner.sessions.drop();
  });

  it('ends with what was thrown when even the smallest tile is too large, or the task was stopped', async () => {
    const runner = runnerWith([onCpu]);
    const wanted = { network: nearestNetwork(dir), device: 'auto' as const };
    await expect(onBestDevice(runner, wanted, () => Promise.reject(noMemory()))).rejects.toThrow(
      /Failed to allocate/,
    );
    const stopped = new EnlargerError('CANCELLED', 'The task was cancelled: out of memory.');
    await expect(onBestDevice(runner, wanted, () => Promise.reject(stopped))).rejects.toBe(stopped);
    await runner.sessions.drop();
  });
});
