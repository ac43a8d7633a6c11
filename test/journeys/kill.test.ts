import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  startHeadless,
  startServiceProgram,
  untilEnded,
  type HeadlessService,
} from '../support/headless.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { measuredDataFolder } from '../support/measured-data.ts';
import { prepareQuickInstallation, quickService } from '../support/quick-installation.ts';

let dataDir: string;
let service: HeadlessService | undefined;

beforeEach(async () => {
  dataDir = await prepareQuickInstallation();
});
afterEach(async () => {
  await service?.end('SIGKILL');
});

/** Over networks that repeat pixels. */
const start = () => startServiceProgram([...quickService, '--port', '0', '--data-dir', dataDir]);

async function smallPhoto(seed: number): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 90 + seed, sigma: 30 };
  const png = await sharp({
    create: { width: 40 + seed, height: 30, channels: 3, background: '#888', noise },
  })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Process ids of the children of a process, from the process table. */
function childrenOf(pid: number): number[] {
  try {
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return listed.split('\n').filter(Boolean).map(Number);
  } catch {
    return []; // ps exits 1 when there is none
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // ESRCH: gone
  }
}

async function until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

test('loses no acknowledged task and publishes each once, killed at any moment', async () => {
  const acknowledged: string[] = [];
  const kills = 4;
  for (let round = 0; round < kills; round++) {
    service = await start();
    for (let i = 0; i < 3; i++) {
      acknowledged.push(await service.submit(await smallPhoto(acknowledged.length)));
    }
    await new Promise((resolve) => setTimeout(resolve, round * 270));
    await service.end('SIGKILL');
  }

  service = await start();
  for (const [index, taskId] of acknowledged.entries()) {
    const view = await untilEnded(service, taskId, 180_000);
    expect(view, `task ${String(index)}`).toMatchObject({ status: 'FINISHED' });
    const result = Buffer.from(await (await fetch(view.imageUrl ?? '')).arrayBuffer());
    expect(await sharp(result).metadata()).toMatchObject({ width: 2 * (40 + index), height: 60 });
  }
  const folders = await readdir(path.join(dataDir, 'results'));
  expect(folders.sort()).toEqual([...acknowledged].sort());
  for (const folder of folders) {
    const files = await readdir(path.join(dataDir, 'results', folder));
    const attempts = new Set(files.flatMap((name) => /^\d+/.exec(name) ?? []));
    expect(attempts.size, `of one attempt alone: ${files.join(', ')}`).toBe(1);
    expect(files.some((name) => name.endsWith('.part'))).toBe(false);
  }
  // The size of a picture may still be read, in a folder of its own.
  await expect.poll(() => readdir(path.join(dataDir, 'scratch')), { timeout: 20_000 }).toEqual([]);
});

test('leaves no engine behind when the service is killed', async () => {
  service = await start();
  await untilEnded(service, await service.submit(await smallPhoto(1)), 180_000);
  const engines = childrenOf(service.pid);
  expect(engines.length).toBeGreaterThan(0);

  await service.end('SIGKILL');

  expect(await until(() => !engines.some(isAlive), 10_000)).toBe(true);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'ends with exit code 0 on %s, also amid a task',
  async (signal) => {
    service = await start();
    const taskId = await service.submit(await smallPhoto(2), { scale: 16 });
    const engines = childrenOf(service.pid);
    expect(await service.end(signal)).toBe(0);
    expect(await until(() => !engines.some(isAlive), 10_000)).toBe(true);

    service = await start();
    expect(await untilEnded(service, taskId, 180_000)).toMatchObject({ status: 'FINISHED' });
  },
  240_000,
);

test('runs a task again alone after the engine died, and fails it after the second death', async () => {
  // A network that is at work for seconds.
  service = await startHeadless(await measuredDataFolder());
  const large = await sharp({
    create: { width: 1500, height: 1000, channels: 3, background: '#456' },
  })
    .jpeg()
    .toBuffer();
  const taskId = await service.submit(`data:image/jpeg;base64,${large.toString('base64')}`, {
    scale: 4,
  });
  const { pid } = service;
  const record = () => service?.record(taskId);
  for (const attempts of [1, 2]) {
    await expect
      .poll(record, { timeout: journeyWaitMs() })
      .toMatchObject({ attempts, status: 'PROCESSING' });
    // What is shown never goes back: only more than at first says that this engine is at work on it.
    const shown = Math.max(5, (await record())?.progress ?? 0);
    await expect
      .poll(async () => (await record())?.progress, { timeout: journeyWaitMs() })
      .toBeGreaterThan(shown);
    for (const engine of childrenOf(pid)) process.kill(engine, 'SIGKILL');
  }
  const view = await untilEnded(service, taskId, 180_000);
  expect(view).toMatchObject({ status: 'FAILED', error: { code: 'ENGINE_CRASHED' } });

  const next = await service.submit(await smallPhoto(3));
  expect(await untilEnded(service, next, 180_000)).toMatchObject({ status: 'FINISHED' });
});

test('refuses a second service on one data folder in a sentence', async () => {
  service = await start();
  await expect(start()).rejects.toThrow(/in use by another/);
});
