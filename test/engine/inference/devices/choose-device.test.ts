import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckOutcome } from '../../../../electron/engine/inference/checks/check.ts';
import {
  checkDevices,
  chooseProvisionally,
  chooseDevices,
  chooseKnown,
  isMeasured,
  type DeviceSelector,
} from '../../../../electron/engine/inference/devices/choose-device.ts';
import { openDeviceRegistry } from '../../../../electron/engine/plan/device-registry.ts';
import { openOutcomes } from '../../../../electron/engine/inference/measuring/outcomes.ts';
import { defaultTilePx } from '../../../../electron/engine/inference/measuring/tile-size.ts';
import { providersHere } from '../../../../electron/engine/inference/devices/providers.ts';
import {
  createSessionCache,
  type Runner,
} from '../../../../electron/engine/inference/devices/best-device.ts';
import { runRequest } from '../../../../electron/engine/inference/run-request.ts';
import type { NetworkFile } from '../../../../electron/engine/protocol/messages.ts';
import { createRaster, openRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { photo } from '../../../support/images.ts';
import { flatNetwork, nanNetwork, nearestNetwork } from '../../../support/networks-made.ts';
import { brightNetwork } from '../../../support/networks-masks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let dir: string;
let probed: number;

beforeEach(() => {
  dir = temporaryFolder();
  probed = 0;
});

/** @param otherLoad what other programs take of the processors, 0..1 */
function chooser(outcome: CheckOutcome, now = Date.now, otherLoad = 0): DeviceSelector {
  return {
    measureOtherLoad: () => () => otherLoad,
    outcomes: openOutcomes(join(dir, 'cache'), now),
    registry: openDeviceRegistry(join(dir, 'cache'), providersHere(), () => undefined),
    probe: () => {
      probed += 1;
      return Promise.resolve(outcome);
    },
  };
}

/** One network whose int8 file is another one's. */
function withInteger(single: NetworkFile, integer: NetworkFile): NetworkFile {
  const variant = { ...integer.variants[0]!, precision: 'int8' as const };
  return { ...single, variants: [...single.variants, variant] };
}

/** A network whose speed on the CPU is known: to measure it takes a second. */
function measuredNetwork(): NetworkFile {
  const network = nearestNetwork(dir);
  const outcome = { ok: true, tilePx: 512, megapixelsPerSecond: 1 } as const;
  openOutcomes(join(dir, 'cache')).set(network, 'fp32', 'cpu', outcome);
  return network;
}

const fast: CheckOutcome = { ok: true, tilePx: 512, megapixelsPerSecond: 1e9 };
const slow: CheckOutcome = { ok: true, tilePx: 512, megapixelsPerSecond: 1e-9 };
const broken: CheckOutcome = { ok: false, reason: 'It failed: no adapter' };
const others = providersHere().length - 1;

const stateOf = (of: DeviceSelector, provider: string) =>
  of.registry.report().devices.find((device) => device.provider === provider);

describe('chooseDevices', () => {
  it.skipIf(others === 0)(
    'takes a device that is faster than the CPU, with the CPU behind it',
    async () => {
      const { choices } = await chooseDevices(chooser(fast), measuredNetwork(), 'auto');
      expect(choices.map((choice) => choice.provider)).toEqual([providersHere()[0], 'cpu']);
    },
  );

  it.skipIf(others === 0)('leaves a device that is slower than the CPU, and says so', async () => {
    const own = chooser(slow);
    const { choices, rejected } = await chooseDevices(own, measuredNetwork(), 'auto');
    expect(rejected[0]).toContain('was left for the CPU');
    expect(choices.map((choice) => choice.provider)).toEqual(['cpu']);
    expect(stateOf(own, providersHere()[0]!)?.reason).toContain('slower here than the CPU');
  });

  it.skipIf(others === 0)('leaves a device that fails its check, with the reason', async () => {
    const own = chooser(broken);
    await chooseDevices(own, measuredNetwork(), 'auto');
    expect(stateOf(own, providersHere()[0]!)).toMatchObject({
      state: 'left',
      reason: 'It failed: no adapter',
    });
  });

  it.skipIf(others === 0)(
    'checks once; a bad outcome gets another chance after a day',
    async () => {
      const day = 24 * 60 * 60 * 1000;
      const network = measuredNetwork();
      await chooseDevices(chooser(broken), network, 'auto');
      await chooseDevices(chooser(broken), network, 'auto');
      expect(probed).toBe(others);
      await chooseDevices(
        chooser(broken, () => Date.now() + 1.5 * day),
        network,
        'auto',
      );
      expect(probed).toBe(2 * others);
    },
  );

  it('never asks another device when the CPU is wanted', async () => {
    await chooseDevices(chooser(fast), nearestNetwork(dir), 'cpu');
    expect(probed).toBe(0);
  });

  it('leaves an int8 variant whose numbers are not those of fp32', async () => {
    const network = withInteger(nearestNetwork(dir), flatNetwork(dir));
    const { choices } = await chooseDevices(chooser(broken), network, 'cpu');
    expect(choices.map((choice) => choice.precision)).toEqual(['fp32']);
  });
});

it.skipIf(others === 0)('checks a device again an hour after a check ran out of time', async () => {
  const hour = 60 * 60 * 1000;
  const network = measuredNetwork();
  const late: CheckOutcome = { ok: false, reason: 'It took long.', timedOut: true };
  await chooseDevices(chooser(late), network, 'auto');
  const at = (hours: number) => chooser(broken, () => Date.now() + hours * hour);
  await chooseDevices(at(0.9), network, 'auto');
  expect(probed).toBe(others);
  await chooseDevices(at(1.1), network, 'auto');
  expect(probed).toBe(2 * others);
});

describe('a choice that must not wait', () => {
  it('takes the CPU in fp32 of a network that was never measured', () => {
    const network = withInteger(nearestNetwork(dir), nearestNetwork(dir));
    const { choices } = chooseKnown(chooser(fast), network, 'auto');
    expect(choices).toMatchObject([{ provider: 'cpu', precision: 'fp32' }]);
    expect(probed).toBe(0);
  });

  it('takes what was measured before', async () => {
    const known = chooser(fast);
    const network = nearestNetwork(dir);
    const measured = await chooseDevices(known, network, 'cpu');
    expect(chooseKnown(known, network, 'cpu').choices).toMatchObject(measured.choices);
  });
});

describe('the first photo of a network', () => {
  it('begins on the CPU with defaults, and leaves the measuring to a later time', async () => {
    const own = chooser(fast);
    const network = nearestNetwork(dir);
    const chosen = await chooseProvisionally(own, network, 'auto');
    expect(chosen).toMatchObject({
      choices: [{ provider: 'cpu', precision: 'fp32', isProvisional: true }],
      isProvisional: true,
    });
    expect(probed).toBe(0);
    expect(isMeasured(own, network, 'auto')).toBe(false);
  });

  it('is computed in integers where their numbers are right, and else is not', async () => {
    const wrong = withInteger(nearestNetwork(dir), flatNetwork(dir));
    const { choices } = await chooseProvisionally(chooser(broken), wrong, 'cpu');
    expect(choices.map((choice) => choice.precision)).toEqual(['fp32']);
  });

  it('is computed in integers although they were no faster in a quick check', async () => {
    const alike = withInteger(nearestNetwork(dir), nearestNetwork(dir));
    const { choices } = await chooseProvisionally(chooser(broken), alike, 'cpu');
    expect(choices.map((choice) => choice.precision)).toEqual(['int8', 'fp32']);
  });

  it('is followed by a measurement, whose threads and tile are taken from then on', async () => {
    const own = chooser(broken);
    const network = nearestNetwork(dir);
    await chooseProvisionally(own, network, 'cpu');
    const [measured] = (await chooseDevices(own, network, 'cpu')).choices;
    expect(measured?.threads).toBeGreaterThanOrEqual(1);
    expect(isMeasured(own, network, 'cpu')).toBe(true);
    const later = await chooseProvisionally(own, network, 'cpu');
    expect(later.choices[0]).toMatchObject(measured!);
    expect(later.isProvisional).toBeUndefined();
  });

  it('is measured again after an hour where other programs took the processors', async () => {
    const now = { ms: Date.now() };
    const busy = chooser(broken, () => now.ms, 0.5);
    const network = nearestNetwork(dir);
    await chooseProvisionally(busy, network, 'cpu');
    const [measured] = (await chooseDevices(busy, network, 'cpu')).choices;
    expect(measured).toMatchObject({ isDoubtful: true, tilePx: defaultTilePx(network, 'fp32') });
    expect(measured?.threads).toBeUndefined();
    expect(isMeasured(busy, network, 'cpu')).toBe(true);
    now.ms += 61 * 60_000;
    expect(isMeasured(busy, network, 'cpu')).toBe(false);
    const quiet = { ...busy, measureOtherLoad: () => () => 0.1 };
    const [again] = (await chooseDevices(quiet, network, 'cpu')).choices;
    expect(again?.threads).toBeGreaterThanOrEqual(1);
    now.ms += 20 * 24 * 60 * 60_000;
    expect(isMeasured(quiet, network, 'cpu')).toBe(true);
  });

  it.each([
    ['threads', [0.4, 0]],
    ['tiles', [0, 0.4]],
  ])('is doubted where others took the processors while %s were measured', async (_, loads) => {
    const busy = chooser(broken);
    busy.measureOtherLoad = () => {
      const load = loads.shift() ?? 0;
      return () => load;
    };
    const [measured] = (await chooseDevices(busy, nearestNetwork(dir), 'cpu')).choices;
    expect(measured).toMatchObject({ isDoubtful: true });
    expect(measured?.threads).toBeUndefined();
  });

  it('is as quick with a mask network, whose threads are measured later, too', async () => {
    const own = chooser(fast);
    const network = brightNetwork(dir);
    const first = await chooseProvisionally(own, network, 'auto');
    expect(first).toMatchObject({ choices: [{ provider: 'cpu', isProvisional: true }] });
    expect(first.choices[0]?.threads).toBeUndefined();
    expect(probed).toBe(0);
    await chooseDevices(own, network, 'cpu');
    const later = await chooseProvisionally(own, network, 'cpu');
    expect(later.isProvisional).toBeUndefined();
    expect(later.choices[0]?.threads).toBeGreaterThanOrEqual(1);
  });

  it.skipIf(others === 0)(
    'is followed by one that leaves the check of other devices to a time beside it',
    async () => {
      const own = chooser(fast);
      const network = nearestNetwork(dir);
      const first = await chooseProvisionally(own, network, 'auto');
      expect(first.unchecked).toBeUndefined();
      const second = await chooseProvisionally(own, network, 'auto');
      expect(second.unchecked).toEqual(providersHere().slice(0, -1));
      expect(second.choices.map(({ provider }) => provider)).toEqual(['cpu']);
      expect(probed).toBe(0);
      expect(await checkDevices(own, network, second.unchecked ?? [])).toBe(true);
      const third = await chooseProvisionally(own, network, 'auto');
      expect(third.unchecked).toEqual([]);
      expect(third.choices.map(({ provider }) => provider)).toEqual([providersHere()[0], 'cpu']);
    },
  );

  it('checks a device first that a person named', async () => {
    const named = providersHere()[0]!;
    await chooseProvisionally(chooser(fast), measuredNetwork(), named);
    expect(probed).toBe(named === 'cpu' ? 0 : 1);
  });
});

describe('a run that fails on its device', () => {
  it('is done again on the next choice and says so in a note', async () => {
    const network = withInteger(nearestNetwork(dir), nanNetwork(dir));
    const { width, height, data } = photo(40, 30);
    const shape = { width, height, bands: 3, bits: 8 as const };
    const inputPath = join(dir, 'in.v');
    const input = createRaster(inputPath, shape);
    input.writeRect({ x: 0, y: 0, width, height }, data, 0, width * 3);
    input.close();
    const runner: Runner = {
      ...chooser(broken),
      sessions: createSessionCache(),
      emit: () => undefined,
      cachedChoices: new Map(),
      choose: chooseDevices,
      preempt: () => Promise.resolve(0),
    };
    const cpu = { provider: 'cpu', tilePx: 64, megapixelsPerSecond: 1 } as const;
    const key = `${network.variants.map((variant) => variant.sha256).join()} auto`;
    const choices = (['int8', 'fp32'] as const).map((precision) => ({ ...cpu, precision }));
    runner.cachedChoices.set(key, { choices, rejected: [] });
    const outputPath = join(dir, 'out.v');
    const stopFlag = new SharedArrayBuffer(4);
    const request = { passId: 1, inputPath, outputPath, network, bits: 8 as const, stopFlag };
    const done = await runRequest(runner, { ...request, device: 'auto' });
    expect(done.device.precision).toBe('fp32');
    expect(done.notes.join()).toContain('not numbers');
    expect(runner.cachedChoices.get(key)?.choices.map((choice) => choice.precision)).toEqual([
      'fp32',
    ]);
    openRaster(outputPath).close();
    await runner.sessions.clear();
  });
});
