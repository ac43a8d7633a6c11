/**
 * A pool under all that can go wrong at once: a batch on one machine and four helpers, each a service of its own, one
 * of them in a network of its own (as root on Linux; else without the partition). A helper is killed every ten
 * seconds, the queue's server twice, once it is emptied, for a minute one helper is cut off, and a fifth one lies.
 * At the end every result is held against the one that a machine alone makes of the same photo. A batch that
 * hardly went to helpers proves nothing and fails.
 *
 *   npm run bench:pool-chaos -- [photos]
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { PoolView } from '../../packages/contract/src/settings/pool.ts';
import type { TaskRecord } from '../../packages/contract/src/task.ts';
import { startHeadless, type HeadlessService } from '../support/headless.ts';
import { asSharp, photo, readPixels } from '../support/images.ts';
import { startLyingHelper } from '../support/lying-helper.ts';
import { differenceOf } from '../support/pixels.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const photos = Number(process.argv[2] ?? 500);
/** Number of different pictures; a machine alone makes each once. */
const differentPhotos = 25;
const minShareElsewhere = 0.2;
const killEveryMs = 10_000;
const model = 'restore';
const cli = path.resolve(import.meta.dirname, '../../electron/cli.ts');
const hostAddress = '10.213.77.1';
const namespace = 'enlarger-pool';
const link = 'enlpool0';

const root = temporaryFolder();
const share = path.join(root, 'share');
const pictures = path.join(root, 'pictures');
await mkdir(share);
await mkdir(pictures);
const started = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);

const hasNamespace = makeNamespace();
const redis = await startRedis(
  root,
  ['--protected-mode', 'no'],
  hasNamespace ? hostAddress : undefined,
);
const alone = await startHeadless(path.join(root, 'alone'), ['--allow-folder', pictures]);
const submitter = await startHeadless(path.join(root, 'submitter'), ['--allow-folder', pictures]);
let helpers: Helper[] = [];
let isOver = false;
try {
  await run();
} finally {
  isOver = true;
  for (const helper of helpers) helper.process.kill('SIGKILL');
  await submitter.end('SIGKILL');
  await alone.end('SIGKILL');
  await redis.kill();
  if (hasNamespace) dropNamespace();
}

interface Helper {
  name: string;
  process: ChildProcess;
  /** It is in the network that can be cut off. */
  isApart: boolean;
}

async function run(): Promise<void> {
  const names = await writePhotos();
  const different = names.map((name) => pathToFileURL(path.join(pictures, name)).href);
  const files = Array.from({ length: photos }, (_, i) => different[i % differentPhotos] ?? '');
  for (const service of [alone, submitter])
    await service.call('PATCH', '/api/settings', { device: 'cpu' });
  say(`${different.length} different photos on one machine alone, for comparison`);
  const alones = Date.now();
  const expected = await batch(alone, different);
  await untilDone(alone, expected);
  const aloneSeconds = ((Date.now() - alones) / 1000 / different.length) * photos;
  await alone.end('SIGTERM');

  await submitter.call('PATCH', '/api/settings', {
    pool: { address: redis.address, storage: share },
  });
  helpers = [0, 1, 2, 3].map((i) => startHelper(`helper-${i}`, hasNamespace && i === 3));
  await untilHelpers(4);
  const liar = await startLyingHelper({
    address: redis.address,
    storage: share,
    lie: 'flat',
    skills: await skills(),
  });
  say('4 helpers and one that lies; the same batch in the pool');
  const begin = Date.now();
  const tasks = await batch(submitter, files);
  const killing = killOften();
  const troubles = makeTrouble(redis);
  await untilDone(submitter, tasks);
  const poolSeconds = (Date.now() - begin) / 1000;
  isOver = true;
  const [kills] = await Promise.all([killing, troubles]);
  const view = await poolView();
  await liar.close().catch(() => undefined);
  await report(tasks, expected, { aloneSeconds, poolSeconds, kills, liarTook: liar.taken(), view });
}

async function report(
  tasks: string[],
  expected: string[],
  seen: {
    aloneSeconds: number;
    poolSeconds: number;
    kills: number;
    liarTook: number;
    view: PoolView;
  },
): Promise<void> {
  let lost = 0;
  let doubled = 0;
  let worst = 0;
  const ranOn = new Map<string, number>();
  const whyHere = new Map<string, number>();
  for (const [i, taskId] of tasks.entries()) {
    const record = await submitter.record(taskId);
    const where = record.ranOn?.id ?? 'here';
    ranOn.set(where, (ranOn.get(where) ?? 0) + 1);
    for (const note of record.notes)
      if (note.includes('the pool')) whyHere.set(note, (whyHere.get(note) ?? 0) + 1);
    if (record.status !== 'FINISHED') {
      lost += 1;
      say(`${taskId} ${record.status} ${record.error?.message ?? ''}`);
      continue;
    }
    const results = await resultsOf('submitter', taskId);
    if (results.length !== 1) doubled += 1;
    const other = await resultsOf('alone', expected[i % differentPhotos] ?? '');
    const pair = await Promise.all([readPixels(results[0] ?? ''), readPixels(other[0] ?? '')]);
    worst = Math.max(worst, differenceOf(...pair).most);
  }
  const aside = seen.view.helpers.filter(({ state }) => state === 'aside');
  for (const [note, count] of whyHere) say(`${count} tasks: ${note}`);
  console.table({
    photos: tasks.length,
    lost,
    'with more or fewer than one result': doubled,
    'largest difference to a machine alone, levels': worst,
    'seconds alone, for so many / in the pool': `${seen.aloneSeconds.toFixed(0)} / ${seen.poolSeconds.toFixed(0)}`,
    'helpers killed': seen.kills,
    'tasks that the liar took': seen.liarTook,
    'set aside at the end': aside.map(({ reason }) => reason).join(' ') || 'none',
    'ran on': [...ranOn].map(([where, count]) => `${where} ${count}`).join(', '),
    'files left in the share': (await readdir(share, { recursive: true })).length,
  });
  const elsewhere = tasks.length - (ranOn.get('here') ?? 0);
  const isShared = elsewhere >= minShareElsewhere * tasks.length;
  if (lost + doubled > 0 || worst > 1 || !isShared) process.exitCode = 1;
}

async function writePhotos(): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < Math.min(photos, differentPhotos); i += 1) {
    const name = `photo-${i}.png`;
    await asSharp(photo(40 + i, 64 - (i % 7)))
      .png()
      .toFile(path.join(pictures, name));
    names.push(name);
  }
  return names;
}

async function batch(service: HeadlessService, files: string[]): Promise<string[]> {
  const tasks: string[] = [];
  for (const file of files) tasks.push(await service.submit(file, { model, scale: 2 }));
  return tasks;
}

async function untilDone(service: HeadlessService, tasks: string[]): Promise<void> {
  for (let saidAt = 0; ;) {
    const response = await service.call('GET', '/api/tasks?limit=1');
    const { counts } = (await response.json()) as { counts: Record<TaskRecord['status'], number> };
    const ended = counts.FINISHED + counts.FAILED;
    if (ended >= tasks.length) return;
    if (Date.now() - saidAt > 15_000) {
      saidAt = Date.now();
      const states = service === submitter ? (await poolView()).helpers.map(stateOf) : [];
      say(`${ended} of ${tasks.length} done ${states.join(', ')}`);
    }
    await wait(500);
  }
}

function startHelper(name: string, isApart: boolean): Helper {
  const words = ['join', redis.address, '--storage', share, '--data-dir', path.join(root, name)];
  const command = [process.execPath, cli, ...words];
  const [program = '', ...args] = isApart
    ? ['ip', 'netns', 'exec', namespace, ...command]
    : command;
  return { name, isApart, process: spawn(program, args, { stdio: 'ignore' }) };
}

async function killOften(): Promise<number> {
  let kills = 0;
  for (;;) {
    await wait(killEveryMs);
    if (isOver) return kills;
    const i = kills % helpers.length;
    const helper = helpers[i];
    if (!helper) continue;
    helper.process.kill('SIGKILL');
    kills += 1;
    say(`${helper.name} was killed`);
    helpers[i] = startHelper(helper.name, helper.isApart);
  }
}

/** Each as soon as it may be, also when the batch ends before. */
async function makeTrouble(server: TestRedis): Promise<void> {
  const soon = async (seconds: number) => {
    for (let i = 0; i < seconds * 4 && !isOver; i += 1) await wait(250);
    return !isOver;
  };
  const killServer = async () => {
    say("the queue's server was killed, for 5 seconds");
    await server.kill();
    await wait(5000);
    await server.start();
  };
  if (await soon(12)) await killServer();
  if (await soon(12)) {
    say("the queue's server was emptied");
    await server.send('FLUSHALL');
  }
  if (hasNamespace && (await soon(8))) {
    say('one helper was cut off, for a minute');
    ip('link', 'set', link, 'down');
    await soon(60);
    ip('link', 'set', link, 'up');
    say('it is back');
  }
  if (await soon(5)) await killServer();
}

function stateOf({ state, finished, doing }: PoolView['helpers'][0]): string {
  return `${state} (${doing.length} in hand, ${finished} done)`;
}

async function poolView(): Promise<PoolView> {
  return (await (await submitter.call('GET', '/api/pool')).json()) as PoolView;
}

async function untilHelpers(count: number): Promise<void> {
  for (const end = Date.now() + 300_000; Date.now() < end;) {
    const { helpers: there } = await poolView();
    if (there.filter(({ state }) => state === 'idle').length >= count) return;
    await wait(500);
  }
  throw new Error(`There are no ${count} helpers: ${JSON.stringify(await poolView())}`);
}

/** What an honest helper says of itself, which the liar repeats. */
async function skills() {
  const { helpers: there } = await poolView();
  const said = await redis.send(`HGET enlarger:helpers ${there[0]?.id ?? ''}`);
  const { word } = JSON.parse(said.split('\r\n')[1] ?? '') as {
    word: { skills: Parameters<typeof startLyingHelper>[0]['skills'] };
  };
  return word.skills;
}

async function resultsOf(service: string, taskId: string): Promise<string[]> {
  const folder = path.join(root, service, 'results', taskId);
  const names = await readdir(folder);
  return names
    .filter((name) => /^\d+\.png$|\.part|second|of-pool/.test(name))
    .map((name) => path.join(folder, name));
}

function ip(...args: string[]): boolean {
  return spawnSync('ip', args, { stdio: 'ignore' }).status === 0;
}

function makeNamespace(): boolean {
  dropNamespace();
  const made =
    ip('netns', 'add', namespace) &&
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'enlpool1', 'netns', namespace) &&
    ip('addr', 'add', `${hostAddress}/30`, 'dev', link) &&
    ip('link', 'set', link, 'up') &&
    ip('-n', namespace, 'addr', 'add', '10.213.77.2/30', 'dev', 'enlpool1') &&
    ip('-n', namespace, 'link', 'set', 'enlpool1', 'up') &&
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
  if (!made) say('No network of its own can be made here: the partition is left out.');
  return made;
}

function dropNamespace(): void {
  ip('link', 'del', link);
  ip('netns', 'del', namespace);
}
