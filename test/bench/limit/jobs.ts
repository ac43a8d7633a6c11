/** Whole jobs of the built service and command line, timed as a client sees them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { followTasks } from '../../../packages/api-client/src/follow.ts';
import type { Estimate } from '../../../packages/contract/src/task.ts';
import { startServiceProgram, type HeadlessService } from '../../support/headless.ts';
import { root } from '../../support/program.ts';
import { measure, sumOf } from '../processors.ts';
import type { BareCost } from './bare-protocol.ts';

const program = (name: string) => path.join(root, 'out/main', `${name}.js`);

export function assertBuilt(): void {
  if (!existsSync(program('headless'))) throw new Error('Build Enlarger first: npm run build');
}

export interface Work {
  route: '/api/image-upscaler' | '/api/remove-bg';
  body: Record<string, unknown>;
}

/** Starts the service on a data folder; `folder` is granted. */
export async function startService(
  dataDir: string,
  folder: string,
  device: string,
): Promise<HeadlessService> {
  const words = ['--port', '0', '--data-dir', dataDir, '--allow-folder', folder];
  const service = await startServiceProgram([program('headless'), ...words]);
  if (device !== 'cpu') await ask(service, 'PATCH', '/api/settings', { device });
  return service;
}

async function ask<Answer>(
  service: HeadlessService,
  method: string,
  route: string,
  body?: unknown,
): Promise<Answer> {
  const response = await service.call(method, route, body);
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Submits the photos together and waits for all by the stream of events, which costs the service nothing. */
export async function costOf(
  service: HeadlessService,
  { route, body }: Work,
  photos: readonly string[],
): Promise<BareCost> {
  const ending = new AbortController();
  const follower = followTasks(createClient(service), ending.signal);
  const { seconds, processors } = await measure(async () => {
    const tasks: string[] = [];
    for (const photo of photos) {
      const imageUrl = pathToFileURL(photo).href;
      const { taskId } = await ask<{ taskId: string }>(service, 'POST', route, {
        imageUrl,
        ...body,
      });
      tasks.push(taskId);
    }
    for (const taskId of tasks) {
      const { error } = await follower.end(taskId, () => undefined);
      if (error) throw new Error(`A task failed: ${JSON.stringify(error)}`);
    }
  });
  ending.abort();
  return { seconds, cpuSeconds: sumOf(processors) };
}

/** Seconds that the service predicts for a photo; undefined while nothing was measured. */
export async function estimatedSeconds(
  service: HeadlessService,
  operation: 'upscale' | 'remove-bg',
  photo: string,
  body: Record<string, unknown>,
): Promise<number | undefined> {
  const imageUrl = pathToFileURL(photo).href;
  const request = { operation, imageUrl, ...body };
  return (await ask<Estimate>(service, 'POST', '/api/estimate', request)).seconds;
}

const measuringLimitMs = 90_000;

/** Waits until the service has measured a network instead of running it with defaults. */
export async function untilMeasured(dataDir: string, network: string): Promise<void> {
  const file = path.join(dataDir, 'engine-cache/devices.json');
  for (const deadline = Date.now() + measuringLimitMs; Date.now() < deadline;) {
    await wait(500);
    if (!existsSync(file)) continue;
    const outcomes = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
    const own = Object.entries(outcomes).filter(([name]) => name.startsWith(`${network} `));
    if (own.length > 0 && own.every(([, outcome]) => !('isProvisional' in outcome))) return;
  }
  process.stderr.write(`${network} was not measured within ${measuringLimitMs / 1000} s.\n`);
}

/** Runs the command line on a copy of a photo. */
export async function costOfCommand(
  photo: string,
  dataDir: string,
  name: string,
): Promise<BareCost> {
  await mkdir(dataDir, { recursive: true });
  const copy = path.join(path.dirname(photo), `${name}.jpg`);
  await copyFile(photo, copy);
  const words = [program('cli'), 'upscale', copy, '--scale', '2', '--data-dir', dataDir];
  const { seconds, processors } = await measure(async () => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The command ended with ${code}`);
  });
  return { seconds, cpuSeconds: sumOf(processors) };
}

export async function endService(service: HeadlessService): Promise<void> {
  await service.end('SIGTERM');
}
