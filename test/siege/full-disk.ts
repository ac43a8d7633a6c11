/** A disk that fills at each stage of a photo's life, in a small file system of its own where one can be made. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { reserveName } from '../../electron/service/store/disk/reserve.ts';
import { startHeadless, untilEnded, type HeadlessService } from '../support/headless.ts';
import { empty, fill } from '../support/filling.ts';
import { enlargeOne } from './kills.ts';
import { smallPicture } from './pictures.ts';
import { hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

type Stage = [name: string, (ground: Ground) => Promise<void>];

interface Ground {
  service: HeadlessService;
  dataDir: string;
  fill: () => void;
  free: () => void;
}

export async function fillDisk(home: string): Promise<Row> {
  const row: Row = {
    attack: 'disk full at each stage',
    outcome: 'STORAGE_FULL or waiting; deleting and cancelling work; nothing acknowledged is lost',
    attempts: 0,
    failures: [],
  };
  const disk = path.join(home, 'small');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'enlarger-siege', disk], {
      stdio: 'ignore',
    });
  } catch {
    row.figures = 'left out: nothing can be mounted here';
    return row;
  }
  const dataDir = path.join(disk, 'data');
  let service = await startHeadless(dataDir);
  await untilReserved(dataDir);
  const ground = () => ({
    service,
    dataDir,
    fill: () => fill(disk),
    free: () => empty(disk),
  });
  try {
    for (const [name, work] of stages) {
      await attempt(row, name, () => work(ground()));
      ground().free();
      // On a full disk it may have been refused.
      await service.call('POST', '/api/queue/resume');
      await attempt(row, `${name}: the next picture`, () => enlargeOne(service, 1));
    }
    await attempt(row, 'at a start', async () => {
      const kept = await service.submit(await smallPicture(9), { model: 'faithful' });
      await untilEnded(service, kept, hangMs);
      await service.end('SIGKILL');
      ground().fill();
      const early = await startHeadless(dataDir).catch(() => undefined);
      await early?.end('SIGTERM');
      ground().free();
      service = await startHeadless(dataDir);
      expectThat((await service.task(kept)).status === 'FINISHED', 'a result is lost');
    });
    row.attempts = stages.length + 1;
  } finally {
    await service.end('SIGTERM');
    execFileSync('umount', ['-l', disk]);
  }
  return row;
}

/**
 * The reserve for deleting is made some seconds after the start. Resuming takes it, and the sweep of each minute makes
 * it anew.
 */
async function untilReserved(dataDir: string): Promise<void> {
  const ends = performance.now() + hangMs;
  while (performance.now() < ends && !existsSync(path.join(dataDir, reserveName))) await wait(100);
}

const stages: Stage[] = [
  [
    'a submit',
    async ({ service, fill }) => {
      fill();
      const response = await service.call('POST', '/api/image-upscaler', {
        imageUrl: await smallPicture(1),
      });
      expectThat(response.status === 507, `answered ${response.status}`);
    },
  ],
  [
    'an upload',
    async ({ service, fill }) => {
      fill();
      const response = await fetch(`${service.url}/api/uploads`, {
        method: 'POST',
        headers: { authorization: `KEY ${service.key}`, 'content-type': 'image/png' },
        body: new Uint8Array(50_000),
      });
      expectThat(response.status === 507, `answered ${response.status}`);
    },
  ],
  [
    'while photos wait',
    async ({ service, fill, free }) => {
      await service.call('POST', '/api/queue/pause');
      const taskIds = await submitSome(service);
      fill();
      await service.call('POST', '/api/queue/resume');
      await wait(3000);
      free();
      await service.call('POST', '/api/queue/resume');
      await expectEnds(service, taskIds);
    },
  ],
  [
    'while photos are enlarged and written',
    async ({ service, fill, free }) => {
      const taskIds = await submitSome(service);
      fill();
      await wait(3000);
      free();
      await expectEnds(service, taskIds);
    },
  ],
  [
    'cancelling and deleting',
    async ({ service, dataDir, fill }) => {
      await untilReserved(dataDir);
      const [done = ''] = await submitSome(service);
      await untilEnded(service, done, hangMs);
      await service.call('POST', '/api/queue/pause');
      const waiting = await service.submit(await smallPicture(4), { model: 'faithful' });
      fill();
      const cancelled = await service.call('POST', `/api/task/${waiting}/cancel`);
      const deleted = await service.call('DELETE', `/api/task/${done}?now=true`);
      await service.call('POST', '/api/queue/resume');
      expectThat(cancelled.status === 200, `cancelling answered ${cancelled.status}`);
      expectThat(deleted.status === 204, `deleting answered ${deleted.status}`);
    },
  ],
  [
    'settings',
    async ({ service, fill }) => {
      fill();
      const { status } = await service.call('PATCH', '/api/settings', { retentionHours: 30 });
      expectThat(status === 200 || status === 507, `setting answered ${status}`);
      expectThat((await service.call('GET', '/api/tasks')).status === 200, 'the list is not told');
    },
  ],
];

const submitSome = (service: HeadlessService) =>
  Promise.all(
    [1, 2, 3].map(async (n) => service.submit(await smallPicture(n), { model: 'faithful' })),
  );

async function expectEnds(service: HeadlessService, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    const { status, error } = await untilEnded(service, taskId, hangMs);
    const isTold = status === 'FINISHED' || error?.code === 'STORAGE_FULL';
    expectThat(isTold, `${status}: ${error?.code ?? ''}`);
  }
}
