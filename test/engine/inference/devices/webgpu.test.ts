/** WebGPU through the software Vulkan that Debian's chromium package brings; no graphics card is needed. */
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { probe } from '../../../../electron/engine/inference/checks/probe.ts';
import { openOutcomes } from '../../../../electron/engine/inference/measuring/outcomes.ts';
import { providersHere } from '../../../../electron/engine/inference/devices/providers.ts';
import type { NetworkFile } from '../../../../electron/engine/protocol/messages.ts';
import { createTestEngine, type TestEngine } from '../../../support/engine.ts';
import { asSharp, photo, readPixels } from '../../../support/images.ts';
import { blurNetwork, nearestNetwork } from '../../../support/networks-made.ts';
import { differenceOf } from '../../../support/pixels.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { patient } from '../../../support/machine-pace.ts';
import { engineProgram } from '../../../support/programs.ts';

const chromium = '/usr/lib/chromium';
const driver = join(chromium, 'vk_swiftshader_icd.json');
const missing = !existsSync(driver)
  ? `Debian's chromium package, whose software Vulkan this needs, is not installed (${driver})`
  : !providersHere().includes('webgpu')
    ? 'onnxruntime brings no WebGPU provider on this platform'
    : undefined;

/** The CPU draws here, so a check takes long, where a real device needs a second. */
const timeout = patient(180_000);

/**
 * Checks WebGPU as the engine does and stores the outcome for it, which must not have started. On a busy
 * machine the check takes longer than the engine's limit for devices that hang.
 */
async function storeCheck({ dir }: TestEngine, network: NetworkFile): Promise<void> {
  const request = { network, precision: 'fp32', provider: 'webgpu' } as const;
  const outcome = await probe(engineProgram, request, timeout);
  openOutcomes(join(dir, 'cache')).set(network, 'fp32', 'webgpu', outcome);
}

describe('WebGPU', { timeout }, () => {
  let engine: TestEngine;
  let folder: string;
  let sourcePath: string;
  let blur: NetworkFile;

  beforeAll(async () => {
    folder = temporaryFolder();
    if (existsSync(join(chromium, 'libvulkan.so.1'))) {
      symlinkSync(join(chromium, 'libvulkan.so.1'), join(folder, 'libvulkan.so.1'));
    }
    vi.stubEnv('VK_DRIVER_FILES', driver);
    vi.stubEnv('XDG_RUNTIME_DIR', folder);
    vi.stubEnv('LD_LIBRARY_PATH', folder);
    engine = createTestEngine();
    sourcePath = join(engine.dir, 'source');
    writeFileSync(sourcePath, await asSharp(photo(48, 32)).png().toBuffer());
    blur = blurNetwork(engine.dir);
    if (missing === undefined) await storeCheck(engine, blur);
  }, timeout);
  afterAll(async () => {
    await engine.close();
    vi.unstubAllEnvs();
  });

  it('gives the numbers of the CPU when it is asked for', async (ctx) => {
    if (missing) return ctx.skip(missing);
    const passes = [blur];
    const onGpu = await engine.run({ sourcePath, passes, device: 'webgpu' });
    expect(onGpu.report.notes).toEqual([]);
    expect(onGpu.report.device).toMatchObject({ provider: 'webgpu', precision: 'fp32' });
    const onCpu = await engine.run({ sourcePath, passes, device: 'cpu' });
    const [a, b] = [await readPixels(onGpu.outputPath), await readPixels(onCpu.outputPath)];
    expect(differenceOf(a, b).most).toBeLessThanOrEqual(1);
    const { devices } = await engine.host.devices();
    expect(devices.find((device) => device.provider === 'webgpu')?.name).toBe('WebGPU');
  });

  it('is left for the CPU where it is slower, and the reason can be read', async (ctx) => {
    if (missing) return ctx.skip(missing);
    const passes = [blur];
    // The CPU is measured for a device that is asked for. Where none is, that waits until the machine is idle.
    const named = await engine.run({ sourcePath, passes, device: 'webgpu' });
    expect(named.report.device?.provider).toBe('webgpu');
    const { report } = await engine.run({ sourcePath, passes, device: 'auto' });
    expect(report.device?.provider).toBe('cpu');
    const { devices } = await engine.host.devices();
    const left = devices.find(({ provider }) => provider === 'webgpu');
    expect(left?.state).toBe('left');
    expect(left?.reason).toContain('slower here than the CPU');
  });

  it('is left for the CPU where no session can be made', async (ctx) => {
    if (missing) return ctx.skip(missing);
    vi.stubEnv('VK_DRIVER_FILES', '/nowhere/driver.json');
    const other = createTestEngine();
    try {
      const passes = [nearestNetwork(other.dir)];
      for (const network of passes) await storeCheck(other, network);
      const { report } = await other.run({ sourcePath, passes, device: 'webgpu' });
      expect(report.device?.provider).toBe('cpu');
      const { devices } = await other.host.devices();
      const left = devices.find((device) => device.provider === 'webgpu');
      expect(left).toMatchObject({ state: 'left' });
      expect(left?.reason).toContain('It failed');
    } finally {
      await other.close();
    }
  });
});
