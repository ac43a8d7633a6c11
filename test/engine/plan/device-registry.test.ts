import { expect, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SpeedMeasurement } from '../../../electron/engine/protocol/messages.ts';
import {
  recordSpeed,
  openDeviceRegistry,
  openSpeeds,
  storeSpeed,
} from '../../../electron/engine/plan/device-registry.ts';
import { speedAmong } from '../../../electron/engine/plan/speeds.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const speed: SpeedMeasurement = {
  modelId: 'natural',
  scale: 2,
  provider: 'cpu',
  precision: 'int8',
  megapixelsPerSecond: 3,
};

it('one device is in use: the one that was said to be last', () => {
  const dir = temporaryFolder();
  const knowledge = openDeviceRegistry(dir, ['webgpu', 'cuda', 'cpu'], () => undefined);
  knowledge.setDevice('cuda', 'left', 'No driver.');
  knowledge.setDevice('webgpu', 'in-use');
  knowledge.setDevice('cpu', 'in-use');
  const states = knowledge.report().devices.map(({ provider, state }) => `${provider} ${state}`);
  expect(states).toEqual(['webgpu available', 'cuda left', 'cpu in-use']);
});

it('a speed is the median of the last few, and the network that was measured last comes last', () => {
  const dir = temporaryFolder();
  const told: number[][] = [];
  const knowledge = openDeviceRegistry(dir, ['cpu'], ({ speeds }) =>
    told.push(speeds.map((speed) => speed.megapixelsPerSecond)),
  );
  recordSpeed(knowledge, speed);
  recordSpeed(knowledge, { ...speed, provider: 'webgpu', megapixelsPerSecond: 9 });
  recordSpeed(knowledge, { ...speed, megapixelsPerSecond: 5 });
  expect(told).toEqual([[3], [3, 9], [9, 4]]);
  const known = openSpeeds(dir)
    .all()
    .map(([, one]) => one);
  expect(speedAmong(known)(speed)).toBe(4);
  expect(speedAmong(known)({ ...speed, modelId: 'restore' })).toBeUndefined();
});

it('one photo beside other programs does not change a speed, and a lasting change does', () => {
  const dir = temporaryFolder();
  const registry = openDeviceRegistry(dir, ['cpu'], () => undefined);
  const record = (megapixelsPerSecond: number) =>
    recordSpeed(registry, { ...speed, megapixelsPerSecond });
  for (const quiet of [3, 3.1, 2.9]) record(quiet);
  record(0.5);
  const again = openDeviceRegistry(dir, ['cpu'], () => undefined);
  expect(again.speedOf(speed)?.megapixelsPerSecond).toBeCloseTo(2.95);
  for (let i = 0; i < 4; i += 1) recordSpeed(again, { ...speed, megapixelsPerSecond: 1 });
  expect(again.speedOf(speed)?.megapixelsPerSecond).toBe(1);
});

it('a speed measured beside other programs estimates nothing, until a photo has run', () => {
  const registry = openDeviceRegistry(temporaryFolder(), ['cpu'], () => undefined);
  const estimated = () => speedAmong(registry.report().speeds)(speed);
  registry.setSpeed({ ...speed, megapixelsPerSecond: 0.05, isDoubtful: true });
  expect(estimated()).toBeUndefined();
  recordSpeed(registry, { ...speed, megapixelsPerSecond: 0.25 });
  expect(estimated()).toBe(0.25);
});

it('photos beside other programs estimate only until a calm one has run', () => {
  const registry = openDeviceRegistry(temporaryFolder(), ['cpu'], () => undefined);
  const estimated = () => speedAmong(registry.report().speeds)(speed);
  const record = (megapixelsPerSecond: number, isBusy?: true) =>
    recordSpeed(registry, { ...speed, megapixelsPerSecond, ...(isBusy && { isBusy }) });
  record(0.07, true);
  record(0.09, true);
  expect(estimated()).toBeCloseTo(0.08);
  record(0.6);
  expect(estimated()).toBe(0.6);
  record(0.07, true);
  record(0.62);
  expect(estimated()).toBeCloseTo(0.61);
});

it('a doubtful measurement leaves the speed of a photo, and a calm one replaces it', () => {
  const registry = openDeviceRegistry(temporaryFolder(), ['cpu'], () => undefined);
  const doubtful = { ...speed, megapixelsPerSecond: 0.1, isDoubtful: true } as const;
  expect(storeSpeed(registry, doubtful)).toEqual(doubtful);
  recordSpeed(registry, { ...speed, megapixelsPerSecond: 0.5 });
  expect(storeSpeed(registry, doubtful).megapixelsPerSecond).toBe(0.5);
  expect(registry.speedOf(speed)?.megapixelsPerSecond).toBe(0.5);
  expect(storeSpeed(registry, speed)).toEqual(speed);
});

it('what is no speed in the file is left out', () => {
  const dir = temporaryFolder();
  const file = {
    good: speed,
    bad: { ...speed, scale: '2' },
    odd: 7,
    none: null,
    noRecent: { ...speed, recent: ['3'] },
  };
  writeFileSync(path.join(dir, 'speeds.json'), JSON.stringify(file));
  expect(openSpeeds(dir).all()).toEqual([['good', speed]]);
});

it('knowledge without a folder lasts as long as its process, and shares nothing with another', () => {
  const knowledge = openDeviceRegistry(undefined, ['cpu'], () => undefined);
  recordSpeed(knowledge, speed);
  expect(knowledge.speedOf(speed)).toEqual({ ...speed, recent: [3] });
  expect(openSpeeds(undefined).all()).toEqual([]);
});
