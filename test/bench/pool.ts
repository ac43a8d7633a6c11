/**
 * What a pool costs and gains: its overhead against the engine alone for one 12-megapixel photo, the queue with
 * 100,000 waiting jobs, and what 1 to 50 helpers come to, simulated from the measured times.
 *
 *   npm run bench:pool -- [overhead] [queue] [helpers]
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngineHost } from '../../electron/engine/host.ts';
import type { UpscaleJob } from '../../electron/engine/protocol.ts';
import { openParcels } from '../../electron/service/pool/bytes/parcels.ts';
import { helperSlots, startHelper } from '../../electron/service/pool/help/helper.ts';
import { chooseLate } from '../../electron/service/pool/late.ts';
import {
  createHelpQueues,
  createRegistry,
  createSubmitQueues,
  openPoolServer,
  usualTimes,
} from '../../electron/service/pool/queue/queue.ts';
import { createBlame } from '../../electron/service/pool/submit/blame.ts';
import { openSubmitter } from '../../electron/service/pool/submit/submitter.ts';
import { asSharp, photo } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { usualSettings } from '../support/usual-settings.ts';

const wanted = process.argv.slice(2);
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const root = await mkdtemp(path.join(tmpdir(), 'enlarger-pool-bench-'));
const redis = await startRedis(root);
const settings = { ...usualSettings, device: 'cpu' as const };
const quiet = () => undefined;
const signal = new AbortController().signal;
try {
  const seconds = isWanted('overhead') ? await measureOverhead() : { alone: 30, pool: 31 };
  if (isWanted('queue')) await measureQueue(redis);
  if (isWanted('helpers')) simulate(seconds);
} finally {
  await redis.kill();
  await rm(root, { recursive: true, force: true });
}

/** The same engine runs the photo by itself and for the pool, in turns, each with its best of three. */
async function measureOverhead(): Promise<{ alone: number; pool: number }> {
  const share = path.join(root, 'share');
  await mkdir(share);
  const engine = createEngineHost({
    nodePath: process.execPath,
    enginePath: path.resolve(import.meta.dirname, '../../electron/engine/main.ts'),
    cacheDir: path.join(root, 'cache'),
    log: quiet,
  });
  const network = embeddedNetworks().find((one) => one.modelId === 'restore' && one.scale === 2);
  if (!network) throw new Error('There is no network restore of 2x.');
  const servers = [openPoolServer(redis.address), openPoolServer(redis.address)] as const;
  await Promise.all(
    servers.map(({ quick }) => new Promise((resolve) => quick.once('ready', resolve))),
  );
  const skill = { model: 'restore', digest: '0123456789abcdef', precision: 'fp32' };
  const shared = { parcels: await openParcels(share, ''), engine, scratchDir: root, log: quiet };
  const helper = startHelper({
    ...shared,
    me: { id: 'a'.repeat(16), name: 'helper' },
    registry: createRegistry(servers[0].quick),
    openQueues: (work) => createHelpQueues(servers[0], usualTimes, work),
    networks: {
      network: () => Promise.resolve(network),
      maskNetwork: () => Promise.reject(new Error('It cuts nothing out.')),
    },
    skills: () => Promise.resolve([skill]),
    isBusy: () => false,
    settings: () => settings,
  });
  const submitter = await openSubmitter({
    ...shared,
    me: { id: 'b'.repeat(16), name: 'submitter' },
    registry: createRegistry(servers[1].quick),
    openQueues: (listener) => createSubmitQueues(servers[1], listener),
    isReady: () => servers[1].isReady(),
    skill: () => skill,
    blame: createBlame(),
    submits: true,
  });
  const sourcePath = path.join(root, 'photo.jpg');
  await asSharp(photo(4000, 3000)).jpeg({ quality: 92 }).toFile(sourcePath);
  const job = await jobOf(sourcePath, network);
  const watch = { signal, onProgress: quiet };
  const best = { alone: Infinity, pool: Infinity };
  await engine.run({ ...job, jobId: jobIdOf(0) }, watch);
  while (submitter.takers('restore').length === 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  for (let turn = 1; turn <= 3; turn += 1) {
    best.alone = Math.min(
      best.alone,
      await timed(() => engine.run({ ...job, jobId: jobIdOf(2 * turn) }, watch)),
    );
    const inPool = async () =>
      (await submitter.run({ ...job, jobId: jobIdOf(2 * turn + 1) }, watch)).place();
    best.pool = Math.min(best.pool, await timed(inPool));
  }
  await helper.close();
  await submitter.close();
  for (const server of servers) server.close();
  await engine.close();
  console.log('A photo of 12 megapixels, JPEG to JPEG at 2x with restore, best of three:');
  console.table({
    'the engine alone, s': best.alone.toFixed(2),
    'through the pool, over a folder, s': best.pool.toFixed(2),
    'more, %': (((best.pool - best.alone) / best.alone) * 100).toFixed(1),
  });
  return best;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function jobIdOf(number: number): string {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000-1`;
}

async function jobOf(sourcePath: string, network: UpscaleJob['passes'][0]): Promise<UpscaleJob> {
  const scratchDir = path.join(root, 'job');
  await mkdir(scratchDir);
  const at = (name: string) => path.join(root, name);
  return {
    jobId: jobIdOf(0),
    operation: 'upscale',
    passes: [network],
    sourcePath,
    scratchDir,
    outputPath: at('result'),
    thumbPath: at('thumb'),
    views: {
      sourceThumbPath: at('source-thumb'),
      sourceTilesPath: at('source-tiles'),
      resultTilesPath: at('result-tiles'),
      changesPath: at('changes'),
      metadataPath: at('metadata'),
      maskPath: at('mask'),
    },
    format: 'same',
    formatChosen: false,
    bitDepth: 'same',
    metadata: 'keep',
    limits: { sourcePixels: settings.maxSourcePixels, resultPixels: settings.maxResultPixels },
    device: 'cpu',
  };
}

/** A submitter keeps only some jobs in the queue; here all of them lie in it, as of very many submitters. */
async function measureQueue(server: TestRedis): Promise<void> {
  const opened = openPoolServer(server.address);
  await new Promise((resolve) => opened.quick.once('ready', resolve));
  const queues = createSubmitQueues(opened, { onProgress: quiet, onLost: quiet, onEnded: quiet });
  const job = { version: 1 } as Parameters<typeof queues.add>[2];
  const rows: Record<
    string,
    { 'add, ms': string; 'look at its state, ms': string; 'take out, ms': string }
  > = {};
  let there = 0;
  for (const count of [0, 1000, 10_000, 100_000]) {
    for (; there < count; there += 500) {
      const some = Array.from({ length: 500 }, (_, i) =>
        queues.add('bench', `job-${there + i}`, job, (i % 100) + 1),
      );
      await Promise.all(some);
    }
    const times = { add: 0, state: 0, remove: 0 };
    const turns = 200;
    for (let i = 0; i < turns; i += 1) {
      times.add += await timed(() => queues.add('bench', `own-${i}`, job, 1));
      times.state += await timed(() => queues.state('bench', `own-${i}`));
      times.remove += await timed(() => queues.remove('bench', `own-${i}`));
    }
    const ms = (sum: number) => ((sum / turns) * 1000).toFixed(2);
    rows[count] = {
      'add, ms': ms(times.add),
      'look at its state, ms': ms(times.state),
      'take out, ms': ms(times.remove),
    };
  }
  await queues.close();
  opened.close();
  console.log('The queue with so many waiting jobs:');
  console.table(rows);
}

/** Helpers of differing speeds take photos as they become free; what is late is started again as chooseLate says. */
function simulate({ alone, pool }: { alone: number; pool: number }): void {
  const photos = 500;
  const megapixels = 12;
  const onTheWay = Math.max(0, pool - alone);
  const rows: Record<string, object> = {};
  for (const count of [1, 2, 3, 4, 8, 16, 32, 50]) {
    for (const kind of ['alike', 'from 1 to 1/4 as fast']) {
      const speeds = Array.from({ length: count }, (_, i) => {
        const share = kind === 'alike' ? 1 : 1 - (0.75 * i) / Math.max(1, count - 1);
        return (megapixels / alone) * share;
      });
      const sum = speeds.reduce((all, speed) => all + speed, 0);
      const ideal = (photos * megapixels) / sum;
      const took = batchSeconds(speeds, photos, megapixels, onTheWay, true);
      const without = batchSeconds(speeds, photos, megapixels, onTheWay, false);
      rows[`${count} ${kind}`] = {
        'share of what all could do': (ideal / took).toFixed(3),
        'without second starts': (ideal / without).toFixed(3),
        minutes: (took / 60).toFixed(1),
      };
    }
  }
  console.log(
    `${photos} photos of ${megapixels} megapixels, simulated from ${alone.toFixed(1)} s each and ${onTheWay.toFixed(2)} s on the way (behind the work of the other of ${helperSlots} at a time):`,
  );
  console.table(rows);
}

function batchSeconds(
  speeds: number[],
  photos: number,
  megapixels: number,
  onTheWay: number,
  again: boolean,
): number {
  interface Work {
    photo: number;
    helper: number;
    startedAt: number;
    endsAt: number;
  }
  const running = new Map<number, Work>();
  const done = new Set<number>();
  let next = 0;
  let now = 0;
  const begin = (helper: number, photo: number) => {
    const isFirst = now === 0;
    const seconds = megapixels / (speeds[helper] ?? 1) + (isFirst ? onTheWay : 0);
    running.set(helper, { photo, helper, startedAt: now, endsAt: now + seconds });
  };
  while (done.size < photos) {
    for (const [helper, speed] of speeds.entries()) {
      if (running.has(helper)) continue;
      if (next < photos) begin(helper, next++);
      else if (again) {
        const once = [...running.values()].filter(
          ({ photo: one }) =>
            [...running.values()].filter(({ photo: other }) => other === one).length === 1,
        );
        const late = chooseLate(
          once.map((work) => ({
            ...work,
            megapixels,
            ageSeconds: now - work.startedAt,
            megapixelsPerSecond: speeds[work.helper],
            percent: (100 * (now - work.startedAt)) / (work.endsAt - work.startedAt),
          })),
          speed,
        );
        if (late) begin(helper, late.running.photo);
      }
    }
    const first = [...running.values()].sort((a, b) => a.endsAt - b.endsAt)[0];
    if (!first) break;
    now = first.endsAt;
    done.add(first.photo);
    for (const work of [...running.values()])
      if (work.photo === first.photo) running.delete(work.helper);
  }
  return now + onTheWay;
}
