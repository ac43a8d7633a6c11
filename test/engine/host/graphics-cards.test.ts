import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  amdMemory,
  graphicsCards,
  memoryInRegistry,
  nvidiaCards,
  windowsCards,
} from '../../../electron/engine/host/graphics-cards.ts';
import { providerOn } from '../../../electron/engine/inference/devices/providers.ts';
import { openOutcomes } from '../../../electron/engine/inference/measuring/outcomes.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const key =
  'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}';
const printed = [
  '',
  key,
  '    Class    REG_SZ    Display',
  '',
  `${key}\\0000`,
  '    DriverDesc    REG_SZ    Intel(R) UHD Graphics 770',
  '    DriverVersion    REG_SZ    31.0.101.4502',
  '',
  `${key}\\0000\\Settings`,
  '    DriverDesc    REG_SZ    of no adapter',
  '',
  `${key}\\0001`,
  '    DriverVersion    REG_SZ    32.0.15.6614',
  '    DriverDesc    REG_SZ    NVIDIA GeForce RTX 4070',
  '',
  `${key}\\0002`,
  '    DriverDesc    REG_SZ    Microsoft Basic Display Adapter',
  '    DriverVersion    REG_SZ    10.0.22621.1',
  '',
].join('\r\n');

it('reads the cards of Windows from its registry', () => {
  expect(windowsCards(printed)).toEqual([
    { name: 'Intel(R) UHD Graphics 770', driver: '31.0.101.4502' },
    { name: 'NVIDIA GeForce RTX 4070', driver: '32.0.15.6614' },
  ]);
  expect(windowsCards('')).toEqual([]);
});

it('reads the memory of cards', () => {
  const own = 'HardwareInformation.qwMemorySize    REG_QWORD    0x2fc000000';
  expect(memoryInRegistry(`${printed}${key}\\0001\r\n    ${own}\r\n`)).toEqual([12_818]);
  expect(memoryInRegistry(printed)).toEqual([]);
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'card1/device'), { recursive: true });
  writeFileSync(join(folder, 'card1/device/mem_info_vram_total'), '8573157376\n');
  expect(amdMemory(folder)).toEqual([8573]);
  expect(amdMemory(join(folder, 'none'))).toEqual([]);
});

it("reads NVIDIA's cards of Linux, and finds none where its driver is not", () => {
  const folder = temporaryFolder();
  expect(nvidiaCards(folder)).toEqual([]);
  const version = 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 2024\n';
  writeFileSync(join(folder, 'version'), version);
  for (const [place, model] of [
    ['0000:41:00.0', 'NVIDIA RTX A2000'],
    ['0000:01:00.0', 'NVIDIA GeForce RTX 3060'],
  ] as const) {
    mkdirSync(join(folder, 'gpus', place), { recursive: true });
    writeFileSync(join(folder, 'gpus', place, 'information'), `Model: \t\t ${model}\nIRQ: 77\n`);
  }
  expect(nvidiaCards(folder)).toEqual([
    { name: 'NVIDIA GeForce RTX 3060', driver: '550.54.14' },
    { name: 'NVIDIA RTX A2000', driver: '550.54.14' },
  ]);
});

it('lists those of this machine without throwing, whatever it is', () => {
  for (const platform of [process.platform, 'darwin', 'win32'] as const)
    expect(Array.isArray(graphicsCards(platform))).toBe(true);
});

it('measures anew with a new driver, and remembers what the old one gave', () => {
  const folder = temporaryFolder();
  const network = nearestNetwork(join(folder, 'networks'));
  const outcome = { ok: true, tilePx: 512, megapixelsPerSecond: 3 } as const;
  const withDriver = (driver: string) =>
    openOutcomes(folder, Date.now, [{ name: 'NVIDIA GeForce RTX 3060', driver }]);
  withDriver('550.54.14').set(network, 'fp32', 'cuda', outcome);
  expect(withDriver('560.35.03').get(network, 'fp32', 'cuda')).toBeUndefined();
  expect(withDriver('550.54.14').get(network, 'fp32', 'cuda')).toMatchObject(outcome);
});

it('asks for the chosen card by its number where a provider takes one', () => {
  expect(providerOn('cuda', 1)).toEqual({ name: 'cuda', deviceId: 1 });
  expect(providerOn('dml', 2)).toEqual({ name: 'dml', deviceId: 2 });
  expect([providerOn('cuda', 0), providerOn('webgpu', 1), providerOn('cpu', 1)]).toEqual([
    'cuda',
    'webgpu',
    'cpu',
  ]);
});
