import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

describe('a process that a network took over', () => {
  /** Its code stands where the importer's would, and hears of a step as `step`. */
  const takenOver = (code: string) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'importing'));
    const program = `process.once('message', (step) => { ${code} });`;
    writeFileSync(join(folder, 'importing', 'main.ts'), program);
    return { ...options, enginePath: join(folder, 'engine.ts') };
  };
  const network = `{ name: 'n', file: { path: '/etc/passwd' }, contract: {},
    origin: { format: 'onnx', files: [], sha256: [], notes: [] } }`;

  it.each([
    `null`,
    `'text'`,
    `7`,
    `[]`,
    `{}`,
    `{ kind: 'read' }`,
    `{ kind: 'read', read: { ports: { input: { shape: 'all' } } } }`,
    `{ kind: 'read', read: { ports: { input: { shape: new Array(1e6).fill(1) } } } }`,
    `{ kind: 'imported' }`,
    `{ kind: 'imported', network: { ...${network}, name: 7 } }`,
    `{ kind: 'imported', network: { ...${network}, file: '/etc/passwd' } }`,
    `{ kind: 'refused', code: 'NO_SUCH', message: 'It is so.' }`,
    `{ kind: 'refused', code: 'MODEL_REFUSED', message: { toString: 1 } }`,
    `{ kind: 'refused', code: 'MODEL_REFUSED', message: 'x'.repeat(1e6) }`,
    `{ kind: 'progress', progress: { step: 'trying', runs: 1n } }`,
  ])('is refused with %s', async (message) => {
    const run = importNetwork(
      takenOver(`process.send(${message});`),
      request(),
      new AbortController().signal,
    );
    await expect(run).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringMatching(/no response/) as string,
    });
  });

  /** Ends the process each time until it was started so often, and then refuses. */
  const endingUntil = (starts: number) => {
    const count = join(temporaryFolder(), 'count');
    const code = `
      const { appendFileSync, statSync } = await import('node:fs');
      appendFileSync(${JSON.stringify(count)}, 'x');
      if (statSync(${JSON.stringify(count)}).size < ${starts}) process.kill(process.pid, 'SIGKILL');
      process.send({ kind: 'refused', code: 'MODEL_REFUSED', message: 'It is so.' });`;
    return takenOver(`(async () => { ${code} })();`);
  };

  it('is started once more where it was ended', async () => {
    const run = importNetwork(endingUntil(2), request(), new AbortController().signal);
    await expect(run).rejects.toThrow('It is so.');
  });

  it('is given up when it was ended twice, with what that may mean', async () => {
    const run = importNetwork(endingUntil(3), request(), new AbortController().signal);
    await expect(run).rejects.toThrow(/ended its process twice \(SIGKILL\).*short of memory/);
  });

  it('floods nobody with progress', async () => {
    const code = `
      const progress = { step: 'trying', runs: 1 };
      for (let i = 0; i < 20000; i += 1) process.send({ kind: 'progress', progress });
      process.send({ kind: 'refused', code: 'MODEL_REFUSED', message: 'It ends.' });`;
    let calls = 0;
    const began = performance.now();
    const run = importNetwork(
      takenOver(code),
      request(),
      new AbortController().signal,
      () => (calls += 1),
    );
    await expect(run).rejects.toThrow('It ends.');
    expect(calls).toBeLessThanOrEqual(3 + (performance.now() - began) / 200);
  });
});

it('grants a large file more than a small one', () => {
  const [small, large] = [limitsFor(1000), limitsFor(67e6)];
  expect(small.memoryBytes).toBeLessThan(300 * 1024 * 1024);
  expect(large.cpuMs).toBeGreaterThan(50 * small.cpuMs);
});
