import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importNetwork, limitsFor } from '../../../electron/engine/host/import-host.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { engineProgram } from '../../support/programs.ts';

const options = {
  nodePath: process.execPath,
  enginePath: engineProgram,
};

function request() {
  const folder = temporaryFolder();
  const path = nearestNetwork(folder).variants[0]?.path ?? '';
  return { files: [{ name: 'nearest.onnx', path }], toFolder: folder };
}

it('imports in a process of its own', async () => {
  const found = await importNetwork(options, request(), new AbortController().signal);
  expect(found).toMatchObject({ task: 'upscale', name: 'nearest', contract: { scale: 2 } });
}, 240_000);

it('ends at once when it is cancelled', async () => {
  const run = importNetwork(options, request(), AbortSignal.abort());
  await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('says that a file that ends the process is damaged or hostile', async () => {
  const nowhere = { ...options, enginePath: join(tmpdir(), 'missing', 'main.ts') };
  const run = importNetwork(nowhere, request(), new AbortController().signal);
  await expect(run).rejects.toThrow(/ended the process/);
}, 60_000);

it('grants a large file more than a small one', () => {
  const [small, large] = [limitsFor(1000), limitsFor(67e6)];
  expect(small.memoryBytes).toBeLessThan(300 * 1024 * 1024);
  expect(large.cpuMs).toBeGreaterThan(50 * small.cpuMs);
});
