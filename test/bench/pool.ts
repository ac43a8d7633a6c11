/**
 * What a pool costs and gains: its overhead against the engine alone for one 12-megapixel photo, 1 to 4 helpers of
 * one thread each as far as there are cores, the queue with 100,000 waiting jobs, and what 1 to 50 helpers come to,
 * simulated from the measured times. Beside the seconds of the clock stands what the processors did, which other
 * programs on the machine change less (on Linux), and which programs did it.
 *
 *   npm run bench:pool -- [overhead] [scaling] [queue] [helpers] [turns=4] [photos=8] [model=natural]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createEngineHost, type EngineHost } from '../../electron/engine/host/host.ts';
import type { NetworkFile, UpscaleJob } from '../../electron/engine/protocol/messages.ts';
import { openTransfers, type Transfers } from '../../packages/pool/src/bytes/transfers.ts';
import { helperSlots, startHelper } from '../../packages/pool/src/help/helper.ts';
import {
  createHelpQueues,
  createRegistry,
  createSubmitQueues,
  defaultTimes,
} from '../../packages/pool/src/queue/queue.ts';
import { createQuarantine } from '../../packages/pool/src/submit/quarantine.ts';
import { openSubmitter } from '../../packages/pool/src/submit/submitter.ts';
import { asSharp, photo } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { startRedis } from '../support/redis.ts';
import { defaultSettings } from '../support/default-settings.ts';
import { measureQueue, openServer } from './pool-queue.ts';
import { simulate } from './pool-simulation.ts';
import { createSteps, ownStep } from './pool-steps.ts';
import { measure, programs, sumOf, type Measured } from './processors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const words = process.argv.slice(2);
const optionOf = (name: string, defaults: string) =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? defaults;
const turns = Number(optionOf('turns', '4'));
const photosEach = Number(optionOf('photos', '8'));
const wanted = words.filter((word) => !word.includes('='));
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const root = temporaryFolder();
const share = path.join(root, 'share');
await mkdir(share);
const redis = await startRedis(root);
const settings = { ...defaultSettings, device: 'cpu' as const };
const quiet = () => undefined;
const signal = new AbortController().signal;
/** Its precision is the engine's choice, known after a first photo. */
const skill = {
  model: optionOf('model', 'natural'),
  digest: '0123456789abcdef',
  precision: 'fp32',
};
const network = networkOf(skill.model);
/** Without it onnxruntime starts a thread for each core and ties it to that core, whatever taskset says. */
const oneThread = { threads: 1, hasLowestPriority: false, savesMemory: false };
const scalingSize = { width: 1000, height: 750 };
const scalingMegapixels = (scalingSize.width * scalingSize.height) / 1e6;
try {
  const seconds = isWanted('overhead') ? await measureOverhead() : { alone: 30, pool: 31 };
  if (isWanted('scaling')) await measureScaling();
  if (isWanted('queue')) await measureQueue(redis.address, await jobOf(path.join(root, 'none')));
  if (isWanted('helpers')) simulate(seconds);
} finally {
  await redis.kill();
}

function networkOf(model: string): NetworkFile {
  const found = embeddedNetworks().find((one) => one.modelId === model && one.scale === 2);
  if (!found) throw new Error(`There is no network ${model} of 2x.`);
  return found;
}

/** The same engine runs the photo by itself and for the pool, in turns. */
async function measureOverhead(): Promise<{ alone: number; pool: number }> {
  const engine = openEngine('one');
  const job = await jobOf(await writePhoto('photo', 4000, 3000));
  const watch = { signal, onProgress: quiet };
  await chooseDevice(engine, job);
  const steps = createSteps();
  const transfers = await openTransfers(share, '');
  const helper = await openHelper(
    0,
    steps.engine(engine),
    steps.transfers(transfers, { sent: 'result sent', received: 'source received' }),
  );
  const given = await openTestSubmitter(
    steps.looks(engine),
    steps.transfers(transfers, { sent: 'source sent', received: 'result received' }),
  );
  const { submitter } = given;
  while (submitter.eligibleWorkers([skill.model]).length === 0) await wait(100);
  const ways = {
    'the engine alone': (id: string) => engine.run({ ...job, jobId: id }, watch),
    'through the pool, over a folder': async (id: string) =>
      (await submitter.run({ ...job, jobId: id }, watch)).moveFiles(),
  };
  // What is started once for many photos is there before, as in a batch.
  await ways['through the pool, over a folder'](jobIdOf(1));
  steps.take();
  const all = Object.keys(ways).map((name) => [name, [] as Measured[]] as const);
  for (let turn = 1; turn <= turns; turn += 1)
    for (const [i, [name, measured]] of all.entries()) {
      const run = ways[name as keyof typeof ways];
      measured.push(await measure(() => run(jobIdOf(2 * turn + i))));
      console.log(name, measured.at(-1));
    }
  await helper.close();
  await given.close();
  await engine.close();
  const [alone, pool] = all.map(([, measured]) => rowOf(measured)) as [Row, Row];
  const more = Object.fromEntries(
    (['seconds, mean', 'seconds, best', 'seconds of processors, mean'] as const).map((name) => [
      name,
      `${((pool[name] / alone[name] - 1) * 100).toFixed(1)} %`,
    ]),
  );
  console.log(
    `A photo of 12 megapixels, JPEG to JPEG at 2x with ${skill.model} in ${skill.precision}, ${turns} turns each:`,
  );
  console.table({ 'the engine alone': shown(alone), 'through the pool': shown(pool), more });
  const { [ownStep]: inEngine = NaN, ...onTheWay } = perPhoto(steps.take());
  const total = pool['seconds, mean'] - inEngine;
  const others = total - Object.values(onTheWay).reduce((sum, one) => sum + one, 0);
  console.log(
    `Of a photo through the pool ${inEngine.toFixed(2)} s are the engine's; beside them, one after the other:`,
  );
  console.table(shown({ ...onTheWay, 'queue and all else': others, together: total }));
  console.log(`${((total / inEngine) * 100).toFixed(1)} % of what the engine took.`);
  return { alone: inEngine, pool: pool['seconds, mean'] };
}

function perPhoto(seconds: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(seconds).map(([step, sum]) => [step, sum / turns]));
}

/** A first photo decides how the engine runs the network. */
async function chooseDevice(engine: EngineHost, job: UpscaleJob): Promise<void> {
  const { device } = await engine.run(job, { signal, onProgress: quiet });
  skill.precision = device?.precision ?? skill.precision;
}

type Row = ReturnType<typeof rowOf>;

function rowOf(measured: readonly Measured[]) {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const seconds = measured.map((one) => one.seconds);
  return {
    'seconds, mean': mean(seconds),
    'seconds, best': Math.min(...seconds),
    'seconds of processors, mean': mean(measured.map((one) => sumOf(one.processors))),
    ...Object.fromEntries(
      programs.map((program) => [
        program,
        mean(measured.map((one) => one.processors[program] ?? 0)),
      ]),
    ),
  };
}

function shown(row: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, seconds]) => [name, seconds.toFixed(2)]),
  );
}

/**
 * Each helper's engine has one core of its own (taskset, on Linux). The same engines do as much without a pool, right
 * after: cores that share a cache are no linear machine themselves.
 */
async function measureScaling(): Promise<void> {
  const rows: Record<string, object> = {};
  let first: { pool: Scaled; alone: Scaled } | undefined;
  for (let count = 1; count <= Math.min(4, availableParallelism()); count += 1) {
    const now = await measureHelpers(count, photosEach);
    first ??= now;
    const ofLinear = ({ rate }: Scaled, one: Scaled) => (rate / one.rate / count).toFixed(3);
    rows[`${count} of one thread`] = {
      'megapixels a second': (now.pool.rate * scalingMegapixels).toFixed(3),
      'of linear': ofLinear(now.pool, first.pool),
      'of linear without a pool': ofLinear(now.alone, first.alone),
      'of what the same engines do without a pool': (now.pool.rate / now.alone.rate).toFixed(3),
      'the same by processor seconds': (now.alone.perPhoto / now.pool.perPhoto).toFixed(3),
      'time with a photo in hand': now.pool.inHand.toFixed(3),
    };
    console.log(rows);
  }
  console.log(
    `Photos of ${scalingMegapixels.toFixed(1)} megapixels in the pool with ${skill.model} at 2x, with so many helpers:`,
  );
  console.table(rows);
}

interface Scaled {
  /** Photos a second. */
  rate: number;
  /** Seconds of processors. */
  perPhoto: number;
  /** Share of the time in which each engine had a photo. */
  inHand: number;
}

/** Through the pool, and then the same engines alone. */
async function measureHelpers(count: number, ofEach: number) {
  const sourcePath = await writePhoto('scaling', scalingSize.width, scalingSize.height);
  const base = await jobOf(sourcePath);
  const engines = await Promise.all(
    Array.from({ length: count }, async (_, i) => openEngine(`${count}-${i}`, await pinned(i))),
  );
  for (const engine of engines) await chooseDevice(engine, base);
  const looks = openEngine('looks');
  const inHand = engines.map((engine) => watchWork(engine));
  const transfers = await openTransfers(share, '');
  const helpers = await Promise.all(
    inHand.map(({ engine }, i) => openHelper(i, engine, transfers)),
  );
  const given = await openTestSubmitter(looks, transfers);
  const { submitter } = given;
  while (submitter.eligibleWorkers([skill.model]).length < count) await wait(100);
  let made = 0;
  const jobNow = async () => {
    made += 1;
    const number = made;
    return { ...base, ...(await outputsIn(`scaling-${number}`)), jobId: jobIdOf(number) };
  };
  const watch = { signal, onProgress: quiet };
  /** As many at a time as the helpers take. */
  const rounds = (each: number, run: (slot: number, job: UpscaleJob) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: count * helperSlots }, async (_, slot) => {
        for (let i = 0; i < each; i += 1) await run(slot, await jobNow());
      }),
    );
  const inPool = async (_slot: number, job: UpscaleJob) =>
    (await submitter.run(job, watch)).moveFiles();
  const alone = async (slot: number, job: UpscaleJob): Promise<unknown> =>
    inHand[slot % count]?.engine.run(job, watch);
  const scaled = async (run: typeof alone): Promise<Scaled> => {
    for (const one of inHand) one.reset();
    const { seconds, processors } = await measure(() => rounds(ofEach / helperSlots, run));
    const photos = count * ofEach;
    return {
      rate: photos / seconds,
      perPhoto: sumOf(processors) / photos,
      inHand: inHand.reduce((sum, one) => sum + one.seconds(), 0) / count / seconds,
    };
  };
  // Sessions are loaded and networks measured before.
  await rounds(1, inPool);
  const found = { pool: await scaled(inPool), alone: await scaled(alone) };
  for (const helper of helpers) await helper.close();
  await given.close();
  for (const engine of [...engines, looks]) await engine.close();
  return found;
}

/** A program that runs Node on one core. */
async function pinned(core: number): Promise<string> {
  const program = path.join(root, `node-on-${core}`);
  const script = `#!/bin/sh\nexec taskset -c ${core % availableParallelism()} '${process.execPath}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

/** An engine of one thread, and how long it had at least one job. */
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
      async run(...[job, ...more]: Parameters<EngineHost['run']>) {
        note(1);
        try {
          return await engine.run({ ...job, budget: oneThread }, ...more);
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

async function openHelper(number: number, engine: Pick<EngineHost, 'run'>, transfers: Transfers) {
  const server = await openServer(redis.address);
  const helper = startHelper({
    me: { id: String(number).repeat(16), name: `helper ${number}` },
    registry: createRegistry(server.quick),
    transfers,
    engine,
    openQueues: (work) => createHelpQueues(server, defaultTimes, work),
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

async function openTestSubmitter(
  engine: Pick<EngineHost, 'inspect' | 'work'>,
  transfers: Transfers,
) {
  const server = await openServer(redis.address);
  const submitter = await openSubmitter({
    me: { id: 'b'.repeat(16), name: 'submitter' },
    registry: createRegistry(server.quick),
    transfers,
    engine,
    openQueues: (listener) => createSubmitQueues(server, listener),
    isReady: () => server.isReady(),
    skill: () => skill,
    quarantine: createQuarantine(),
    submits: true,
    scratchDir: root,
    log: quiet,
    onPolled: () => undefined,
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
