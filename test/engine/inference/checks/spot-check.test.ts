/** A device that was right when it was checked, and begins to lie while a picture runs on it. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSessionCache,
  type Runner,
} from '../../../../electron/engine/inference/devices/best-device.ts';
import { openDeviceRegistry } from '../../../../electron/engine/plan/device-registry.ts';
import { openOutcomes } from '../../../../electron/engine/inference/measuring/outcomes.ts';
import { runMask } from '../../../../electron/engine/inference/run-mask.ts';
import { runRequest } from '../../../../electron/engine/inference/run-request.ts';
import {
  openSession,
  type Session,
} from '../../../../electron/engine/inference/sessions/session.ts';
import type { AnyNetworkFile, NetworkFile } from '../../../../electron/engine/protocol/messages.ts';
import { createRaster, openRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { photo } from '../../../support/images.ts';
import { blurNetwork, invertingNetwork, pooledNetwork } from '../../../support/networks-made.ts';
import { brightNetwork } from '../../../support/networks-masks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let dir: string;
beforeAll(() => {
  dir = temporaryFolder();
});

/** Changes the right answer of the run with this number, counted from 1. */
type Lie = (answer: Float32Array, run: number, before: Float32Array) => Float32Array;

const honest: Lie = (answer) => answer;
const brighter: Lie = (answer) => answer.map((value) => value + 40 / 255);
const garbage: Lie = (answer) => answer.map((_, i) => ((i * 7919) % 256) / 255);
const from = (first: number, lie: Lie): Lie => {
  return (answer, run, before) => (run < first ? answer : lie(answer, run, before));
};
const once = (at: number, lie: Lie): Lie => {
  return (answer, run, before) => (run === at ? lie(answer, run, before) : answer);
};
/** The change is too small to be seen against the source. */
const faintlyBrighter: Lie = (answer) => answer.map((value) => value + 6 / 255);
const shifted: Lie = (answer) => answer.map((_, i) => answer[i + 6] ?? 0);
const theTileBefore: Lie = (answer, _run, before) => (before.length > 0 ? before : answer);

/** The CPU behind another name, whose answers a lie changes. Its runs are counted. */
async function lyingSession(network: AnyNetworkFile, lie: Lie): Promise<Session> {
  const session = await openSession(network, 'fp32', 'cpu');
  let runs = 0;
  let before = new Float32Array(0);
  return {
    ...session,
    provider: 'webgpu',
    async run(...asked) {
      const right = Float32Array.from(await session.run(...asked));
      const told = lie(right, (runs += 1), before);
      before = right;
      return told;
    },
    async runFor(...asked) {
      const [output, ...features] = await session.runFor(...asked);
      const data = lie(Float32Array.from(output.data), (runs += 1), before);
      return [{ ...output, data }, ...features];
    },
  };
}

function runnerWith(network: AnyNetworkFile, lie: Lie, batch = 1) {
  const outcomes = openOutcomes(temporaryFolder());
  const keeper = createSessionCache();
  const choice = { precision: 'fp32', tilePx: 96, megapixelsPerSecond: 1 } as const;
  const runner: Runner = {
    outcomes,
    registry: openDeviceRegistry(temporaryFolder(), ['webgpu', 'cpu'], () => undefined),
    probe: () => Promise.reject(new Error('Nothing is probed here.')),
    sessions: {
      ...keeper,
      get: (key, open) =>
        keeper.get(key, key.includes('webgpu') ? () => lyingSession(network, lie) : open),
    },
    emit: () => undefined,
    cachedChoices: new Map(),
    choose: () =>
      Promise.resolve({
        choices: [
          { ...choice, provider: 'webgpu', batch },
          { ...choice, provider: 'cpu' },
        ],
        rejected: [],
      }),
    preempt: () => Promise.resolve(0),
  };
  return runner;
}

const picture = photo(300, 200);

async function enlarge(network: NetworkFile, lie: Lie, batch = 1) {
  const folder = temporaryFolder();
  const { width, height, data } = picture;
  const inputPath = join(folder, 'in.v');
  const outputPath = join(folder, 'out.v');
  const input = createRaster(inputPath, { width, height, bands: 3, bits: 8 });
  input.writeRect({ x: 0, y: 0, width, height }, data, 0, width * 3);
  input.close();
  const runner = runnerWith(network, lie, batch);
  const stopFlag = new SharedArrayBuffer(4);
  const request = { passId: 1, inputPath, outputPath, network, bits: 8 as const, stopFlag };
  const done = await runRequest(runner, { ...request, device: 'auto' });
  const output = openRaster(outputPath);
  const made = new Uint8Array(output.shape.width * output.shape.height * 3);
  const whole = { x: 0, y: 0, width: output.shape.width, height: output.shape.height };
  output.readRect(whole, made, 0, whole.width * 3);
  output.close();
  await runner.sessions.clear();
  return { ...done, made, outcome: runner.outcomes.get(network, 'fp32', 'webgpu') };
}

const networks: [string, (folder: string) => NetworkFile][] = [
  ['an exact network', (folder) => blurNetwork(folder)],
  ['a network whose tiles are blended', (folder) => pooledNetwork(folder)],
];

describe.each(networks)('a device that runs %s', (_what, made) => {
  it('keeps the picture while it is right', async () => {
    const { device, notes, made: found } = await enlarge(made(dir), honest);
    expect([device.provider, notes]).toEqual(['webgpu', []]);
    expect(found.some((value) => value > 0)).toBe(true);
  });

  it.each<[string, Lie]>([
    ['makes all brighter from the fourth tile on', from(4, brighter)],
    ['makes all a little brighter from the fourth tile on', from(4, faintlyBrighter)],
    ['shifts the picture from the fourth tile on', from(4, shifted)],
    ['gives garbage for one tile only', once(5, garbage)],
    ['gives garbage from the fourth tile on', from(4, garbage)],
  ])('is left for the CPU in mid-run when it %s', async (_lie, lie) => {
    const network = made(dir);
    const { device, notes, made: found, outcome } = await enlarge(network, lie);
    expect(device.provider).toBe('cpu');
    expect(notes.join()).toMatch(/^Run again on the CPU, because .* in fp32 failed: It gave/);
    expect(outcome).toMatchObject({ ok: false });
    const right = await enlarge(
      network,
      from(1, () => new Float32Array(1)),
    );
    expect(Buffer.compare(found, right.made)).toBe(0);
  });
});

describe('a device that runs several tiles in one call', () => {
  const ofMany = () => blurNetwork(dir, 4, 'n');
  /** The answers to several tiles in one call are wrong from the second call on. */
  const unlessSingle: Lie = (answer, run) =>
    run > 1 && answer.length > 3 * (2 * 96) ** 2 ? garbage(answer, run, answer) : answer;

  it('keeps the picture while it is right, and makes the same', async () => {
    const { device, notes, made: found } = await enlarge(ofMany(), honest, 4);
    expect([device.provider, notes]).toEqual(['webgpu', []]);
    const single = await enlarge(ofMany(), honest);
    expect(Buffer.compare(found, single.made)).toBe(0);
  });

  it('is given them one by one where several come out wrong', async () => {
    const { device, notes, outcome } = await enlarge(ofMany(), unlessSingle, 4);
    expect(device.provider).toBe('webgpu');
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /^Tiles were run one instead of 4 at a time, because WebGPU failed: It gave/,
    );
    expect(outcome).toBeUndefined();
  });

  it('is left for the CPU where single ones are wrong too', async () => {
    const { device, notes } = await enlarge(ofMany(), from(2, garbage), 4);
    expect(device.provider).toBe('cpu');
    expect(notes).toHaveLength(2);
    expect(notes[1]).toMatch(/^Run again on the CPU, because WebGPU in fp32 failed: It gave/);
  });

  it('is left for the CPU where it gives too few values', async () => {
    const { device } = await enlarge(ofMany(), (answer) => answer.subarray(0, -5), 4);
    expect(device.provider).toBe('cpu');
  });
});

it('sees a tile that is the one before', async () => {
  const { device, notes } = await enlarge(blurNetwork(dir), from(6, theTileBefore));
  expect(device.provider).toBe('cpu');
  expect(notes).toHaveLength(1);
});

it('leaves a network its device that changes pictures on purpose', async () => {
  const { device, notes } = await enlarge(invertingNetwork(dir), honest);
  expect([device.provider, notes]).toEqual(['webgpu', []]);
});

it('asks the CPU where a device sees nothing at all in a photo', async () => {
  const network = brightNetwork(dir);
  const { width, height } = { width: 32, height: 32 };
  const tensor = Float32Array.from({ length: 3 * width * height }, (_, i) => (i % 97) / 97);
  const runner = runnerWith(network, (answer) => answer.fill(0));
  const stopFlag = new SharedArrayBuffer(4);
  const request = { passId: 1, network, tensor, width, height, stopFlag };
  const { device, notes, mask } = await runMask(runner, { ...request, device: 'auto' });
  expect(device.provider).toBe('cpu');
  expect(notes.join()).toContain('one value for the whole picture');
  expect(new Set(mask.data).size).toBeGreaterThan(1);
  await runner.sessions.clear();
});
