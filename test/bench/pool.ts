/**
 * What a pool costs and gains: its overhead against the engine alone for one 12-megapixel photo, 1 to 4 helpers of
 * one thread each as far as there are cores, the queue with 100,000 waiting jobs, and what 1 to 50 helpers come to,
 * simulated from the measured times. Beside the seconds of the clock stands what the processors did, which other
 * programs on the machine change less (on Linux).
 *
 *   npm run bench:pool -- [overhead] [scaling] [queue] [helpers] [turns=3]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createEngineHost, type EngineHost } from '../../electron/engine/host.ts';
import type { NetworkFile, UpscaleJob } from '../../electron/engine/protocol.ts';
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
import type { PoolServer } from '../../electron/service/pool/queue/server.ts';
import { createBlame } from '../../electron/service/pool/submit/blame.ts';
import { openSubmitter } from '../../electron/service/pool/submit/submitter.ts';
import { asSharp, photo } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { usualSettings } from '../support/usual-settings.ts';

const words = process.argv.slice(2);
const turns = Number(words.find((word) => word.startsWith('turns='))?.slice(6) ?? 3);
const wanted = words.filter((word) => !word.startsWith('turns='));
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const root = await mkdtemp(path.join(tmpdir(), 'enlarger-pool-bench-'));
const share = path.join(root, 'share');
await mkdir(share);
const redis = await startRedis(root);
const settings = { ...usualSettings, device: 'cpu' as const };
const quiet = () => undefined;
const signal = new AbortController().signal;
const skill = { model: 'restore', digest: '0123456789abcdef', precision: 'fp32' };
const network = networkOf(skill.model);
try {
  const seconds = isWanted('overhead') ? await measureOverhead() : { alone: 30, pool: 31 };
  if (isWanted('scaling')) await measureScaling();
  if (isWanted('queue')) await measureQueue(redis);
  if (isWanted('helpers')) simulate(seconds);
} finally {
  await redis.kill();
  await rm(root, { recursive: true, force: true });
}

function networkOf(model: string): NetworkFile {
  const found = embeddedNetworks().find((one) => one.modelId === model && one.scale === 2);
  if (!found) throw new Error(`There is no network ${model} of 2x.`);
  return found;
}

interface Measured {
  seconds: number;
  /** Of this process and all below it; undefined where it cannot be seen. */
  processorSeconds: number | undefined;
}

/** The same engine runs the photo by itself and for the pool, in turns. */
async function measureOverhead(): Promise<{ alone: number; pool: number }> {
  const engine = openEngine('one');
  const helper = await openHelper(0, engine);
  const given = await openTestSubmitter(engine);
  const { submitter } = given;
  const job = await jobOf(await writePhoto('photo', 4000, 3000));
  const watch = { signal, onProgress: quiet };
  await engine.run({ ...job, jobId: jobIdOf(0) }, watch);
  while (submitter.takers([skill.model]).length === 0) await wait(100);
  const ways = {
    'the engine alone': (id: string) => engine.run({ ...job, jobId: id }, watch),
    'through the pool, over a folder': async (id: string) =>
      (await submitter.run({ ...job, jobId: id }, watch)).place(),
  };
  const all = Object.keys(ways).map((name) => [name, [] as Measured[]] as const);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [i, [name, measured]] of all.entries()) {
      const run = ways[name as keyof typeof ways];
      measured.push(await measure(() => run(jobIdOf(1 + 2 * turn + i))));
      console.log(name, measured.at(-1));
    }
  await helper.close();
  await given.close();
  await engine.close();
  const best = all.map(([, measured]) => ({
    seconds: Math.min(...measured.map(({ seconds }) => seconds)),
    processorSeconds: Math.min(...measured.map((one) => one.processorSeconds ?? NaN)),
  })) as [Required<Measured>, Required<Measured>];
  const [alone, pool] = best;
  const more = (from: number | undefined, to: number | undefined) =>
    `${((((to ?? NaN) - (from ?? NaN)) / (from ?? NaN)) * 100).toFixed(1)} %`;
  console.log(`A photo of 12 megapixels, JPEG to JPEG at 2x with restore, best of ${turns}:`);
  console.table({
    'the engine alone': rowOf(alone),
    'through the pool, over a folder': rowOf(pool),
    more: {
      seconds: more(alone.seconds, pool.seconds),
      'seconds of processors': more(alone.processorSeconds, pool.processorSeconds),
    },
  });
  return { alone: alone.seconds, pool: pool.seconds };
}

const rowOf = ({ seconds, processorSeconds }: Measured) => ({
  seconds: seconds.toFixed(2),
  'seconds of processors': processorSeconds?.toFixed(2),
});

/**
 * Each helper's engine has one core of its own (taskset, on Linux). Of linear: by the clock, and by what does not
 * depend on other programs, the processors' seconds for a photo and how long each helper had one in hand.
 */
async function measureScaling(): Promise<void> {
  const photosEach = 8;
  const sourcePath = await writePhoto('small', 800, 600);
  const rows: Record<string, object> = {};
  let first: { rate: number; perPhoto: number; inHand: number } | undefined;
  for (let count = 1; count <= Math.min(4, availableParallelism()); count += 1) {
    const engines = await Promise.all(
      Array.from({ length: count }, async (_, i) => openEngine(`${count}-${i}`, await pinned(i))),
    );
    const inHand = engines.map((engine) => watchWork(engine));
    const helpers = await Promise.all(inHand.map(({ engine }, i) => openHelper(i, engine)));
    const given = await openTestSubmitter(engines[0] as EngineHost);
    const { submitter } = given;
    while (submitter.takers([skill.model]).length < count) await wait(100);
    const base = await jobOf(sourcePath);
    const photos = count * photosEach;
    const run = async (from: number, upTo: number) => {
      for (let i = from; i < upTo; i += 1) {
        const own = await outputsIn(`${count}-${i}`);
        const job = { ...base, ...own, jobId: jobIdOf(count * 1000 + i) };
        await (await submitter.run(job, { signal, onProgress: quiet })).place();
      }
    };
    const rounds = (each: number) =>
      Array.from({ length: count * helperSlots }, (_, i) => run(i * each, (i + 1) * each));
    // Sessions are loaded and networks measured before.
    await Promise.all(rounds(1));
    for (const one of inHand) one.reset();
    const { seconds, processorSeconds = NaN } = await measure(() =>
      Promise.all(rounds(photosEach / helperSlots)),
    );
    const now = {
      rate: photos / seconds,
      perPhoto: processorSeconds / photos,
      inHand: inHand.reduce((sum, one) => sum + one.seconds(), 0) / count / seconds,
    };
    first ??= now;
    rows[`${count} of one thread`] = {
      photos,
      seconds: seconds.toFixed(1),
      'of linear by the clock': (now.rate / first.rate / count).toFixed(3),
      'processor seconds a photo': now.perPhoto.toFixed(2),
      'time with a photo in hand': now.inHand.toFixed(3),
      'of linear without other programs': (
        (first.perPhoto / now.perPhoto) *
        (now.inHand / first.inHand)
      ).toFixed(3),
    };
    console.log(rows);
    for (const helper of helpers) await helper.close();
    await given.close();
    for (const engine of engines) await engine.close();
  }
  console.log('Photos of half a megapixel in the pool, with so many helpers:');
  console.table(rows);
}

/** A program that runs Node on one core. */
async function pinned(core: number): Promise<string> {
  const program = path.join(root, `node-on-${core}`);
  const script = `#!/bin/sh\nexec taskset -c ${core % availableParallelism()} '${process.execPath}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

/** How long an engine had at least one job. */
function watchWork(engine: EngineHost) {
  let running = 0;
  let since = 0;
  let sum = 0;
  const note = (change: number) => {
    const now = performance.now();
    if (running > 0) sum += now - since;
    since = now;
    running += change;
  };
  return {
    engine: {
      ...engine,
      async run(...args: Parameters<EngineHost['run']>) {
        note(1);
        try {
          return await engine.run(...args);
        } finally {
          note(-1);
        }
      },
    },
    reset() {
      note(0);
      sum = 0;
    },
    seconds() {
      note(0);
      return sum / 1000;
    },
  };
}

function openEngine(name: string, nodePath = process.execPath): EngineHost {
  return createEngineHost({
    nodePath,
    enginePath: path.resolve(import.meta.dirname, '../../electron/engine/main.ts'),
    cacheDir: path.join(root, `cache-${name}`),
    log: quiet,
  });
}

async function openServer(): Promise<PoolServer> {
  const server = openPoolServer(redis.address);
  await new Promise((resolve) => server.quick.once('ready', resolve));
  return server;
}

async function openHelper(number: number, engine: Pick<EngineHost, 'run'>) {
  const server = await openServer();
  const helper = startHelper({
    me: { id: String(number).repeat(16), name: `helper ${number}` },
    registry: createRegistry(server.quick),
    parcels: await openParcels(share, ''),
    engine,
    openQueues: (work) => createHelpQueues(server, usualTimes, work),
    networks: {
      network: () => Promise.resolve(network),
      maskNetwork: () => Promise.reject(new Error('It cuts nothing out.')),
    },
    skills: () => Promise.resolve([skill]),
    isBusy: () => false,
    settings: () => settings,
    scratchDir: root,
    log: quiet,
  });
  return {
    async close() {
      await helper.close();
      server.close();
    },
  };
}

async function openTestSubmitter(engine: EngineHost) {
  const server = await openServer();
  const submitter = await openSubmitter({
    me: { id: 'b'.repeat(16), name: 'submitter' },
    registry: createRegistry(server.quick),
    parcels: await openParcels(share, ''),
    engine,
    openQueues: (listener) => createSubmitQueues(server, listener),
    isReady: () => server.isReady(),
    skill: () => skill,
    blame: createBlame(),
    submits: true,
    scratchDir: root,
    log: quiet,
  });
  return {
    submitter,
    async close() {
      await submitter.close();
      server.close();
    },
  };
}

async function writePhoto(name: string, width: number, height: number): Promise<string> {
  const file = path.join(root, `${name}.jpg`);
  await asSharp(photo(width, height)).jpeg({ quality: 92 }).toFile(file);
  return file;
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const before = processorSeconds();
  const seconds = await timed(work);
  const after = processorSeconds();
  return {
    seconds,
    processorSeconds: before === undefined || after === undefined ? undefined : after - before,
  };
}

/** Of this process, those it started, and those they started; the queue's server among them. */
function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const ticksASecond = 100;
  const known = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      // proc_pid_stat(5): parent; user and system time of its own, and of its children that ended.
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0);
      known.set(Number(name), { parent: fields[1] ?? 0, ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (id: number): boolean => {
    const parent = known.get(id)?.parent ?? 0;
    return id === process.pid || (parent > 1 && isBelow(parent));
  };
  const all = [...known].filter(([id]) => isBelow(id));
  return all.reduce((sum, [, { ticks }]) => sum + ticks, 0) / ticksASecond;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function jobIdOf(number: number): string {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000-1`;
}

async function jobOf(sourcePath: string): Promise<UpscaleJob> {
  return {
    jobId: jobIdOf(0),
    operation: 'upscale',
    passes: [network],
    sourcePath,
    ...(await outputsIn('job')),
    format: 'same',
    formatChosen: false,
    bitDepth: 'same',
    metadata: 'keep',
    limits: { sourcePixels: settings.maxSourcePixels, resultPixels: settings.maxResultPixels },
    device: 'cpu',
  };
}

async function outputsIn(folder: string) {
  const scratchDir = path.join(root, folder);
  await mkdir(scratchDir, { recursive: true });
  const at = (name: string) => path.join(root, `${folder}-${name}`);
  return {
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
