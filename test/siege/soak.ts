/**
 * `npm run test:soak -- --minutes N [--pause 90] [--deaths 0.4] [--ledger FILE] [--seed 1]`: random work, deletions,
 * cancels, restarts and kills; then every acknowledged task against database and disk, and how handles and memory
 * went within each life of the service. `--pause` is the mean time between two calls in milliseconds, `--deaths` the
 * part of the time with kills before one long life, and `--ledger` takes a line a minute of that life.
 */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../support/damaged.ts';
import { startHeadless, untilEnded, type HeadlessService } from '../support/headless.ts';
import { memoryFileOf, startProbed } from './probed-service.ts';
import { checkLedger, untilEmpty } from './kills.ts';
import { smallPicture } from './pictures.ts';
import { childrenOf, hangMs, residentBytes } from './service-cost.ts';
import { attempt, failuresOf, printTable, type Row } from './table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    pause: { type: 'string', default: '90' },
    deaths: { type: 'string', default: '0.4' },
    ledger: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const pauseMs = Number(values.pause);
const deaths = Number(values.deaths);
const random = randomFrom(Number(values.seed));

interface Reading {
  minute: number;
  megabytes: number;
  handles: number;
}

/** Megabytes a minute in the second half of a long life; the list that the soak itself asks for grows, too. */
const maxGrowth = 3;

const told = new Set<string>();
const deleted = new Set<string>();
const uncertain = new Set<string>();
const counts = { submits: 0, cancels: 0, deletes: 0, lists: 0, kills: 0, restarts: 0 };
const lives: Reading[][] = [];
const begun = performance.now();
const elapsed = () => (performance.now() - begun) / 60_000;

const dataDir = temporaryFolder();
const row: Row = {
  attack: 'soak',
  outcome: 'ledger right, nothing left, all flat',
  attempts: 0,
  failures: [],
};

function read(pid: number): Reading {
  const handles = readdirSync(`/proc/${pid}/fd`).length;
  return { minute: elapsed(), megabytes: residentBytes(pid) / 1e6, handles };
}

async function act(service: HeadlessService): Promise<void> {
  const dice = random();
  const ids = [...told].filter((taskId) => !deleted.has(taskId));
  const some = ids[Math.floor(random() * ids.length)];
  if (dice < 0.6 || some === undefined) {
    counts.submits += 1;
    const picture = await smallPicture(Math.floor(random() * 1000));
    told.add(await service.submit(picture, { model: 'faithful', scale: random() < 0.5 ? 2 : 4 }));
  } else if (dice < 0.7) {
    counts.cancels += 1;
    await service.call('POST', `/api/task/${some}/cancel`);
  } else if (dice < 0.8) {
    counts.deletes += 1;
    uncertain.add(some);
    if ((await service.call('DELETE', `/api/task/${some}?now=true`)).status === 204)
      deleted.add(some);
    uncertain.delete(some);
  } else {
    counts.lists += 1;
    await (await service.call('GET', '/api/tasks?limit=100')).text();
  }
}

/** One life of the service; readings are taken while it works. */
async function live(service: HeadlessService, lifeMs: number): Promise<void> {
  const readings: Reading[] = [];
  lives.push(readings);
  const ends = performance.now() + lifeMs;
  for (let i = 0; performance.now() < ends; i += 1) {
    if (i % 20 === 0) readings.push(read(service.pid));
    await attempt(row, 'a call', () => act(service));
    await wait(pauseMs * (0.4 + 1.2 * random()));
  }
}

const memoryFile = memoryFileOf(dataDir);
const columns = [
  'minute',
  'serviceMB',
  'heapMB',
  'heapAfterCollectionMB',
  'externalMB',
  'buffersMB',
  'childrenMB',
  'children',
  'handles',
  'databaseMB',
  'walMB',
  'tasks',
  'calls',
];

function megabytesOf(file: string): number {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
}

interface Memory {
  heapUsed: number;
  external: number;
  arrayBuffers: number;
}

/** A line a minute: what service, engine, database and handles hold. */
async function keepLedger(
  file: string,
  service: HeadlessService,
  signal: AbortSignal,
): Promise<void> {
  appendFileSync(file, `${columns.join(',')}\n`);
  while (!signal.aborted) {
    process.kill(service.pid, 'SIGUSR2');
    await wait(2000);
    const last = readFileSync(memoryFile, 'utf8').trim().split('\n').at(-1) ?? '';
    const { before, after } = JSON.parse(last) as { before: Memory; after: Memory };
    const { minute, megabytes, handles } = read(service.pid);
    const children = childrenOf(service.pid).map((pid) => read(pid).megabytes);
    const database = path.join(dataDir, 'enlarger.db');
    const figures = [
      minute,
      megabytes,
      before.heapUsed / 1e6,
      after.heapUsed / 1e6,
      after.external / 1e6,
      after.arrayBuffers / 1e6,
      children.reduce((sum, one) => sum + one, 0),
    ].map((figure) => figure.toFixed(1));
    const calls = counts.submits + counts.cancels + counts.deletes + counts.lists;
    const counted = [children.length, handles];
    const disk = [megabytesOf(database), megabytesOf(`${database}-wal`)].map((size) =>
      size.toFixed(2),
    );
    const line = [...figures, ...counted, ...disk, told.size - deleted.size, calls];
    appendFileSync(file, `${line.join(',')}\n`);
    await wait(58_000, undefined, { signal }).catch(() => undefined);
  }
}

// Short lives with deaths between, then one long one, in which leaks show.
while (elapsed() < minutes * deaths) {
  const service = await startHeadless(dataDir);
  await live(service, 8000 + random() * 8000);
  const isKill = random() < 0.7;
  counts[isKill ? 'kills' : 'restarts'] += 1;
  await service.end(isKill ? 'SIGKILL' : 'SIGTERM');
}
const last =
  values.ledger === undefined ? await startHeadless(dataDir) : await startProbed(dataDir);
const isOver = new AbortController();
const ledger =
  values.ledger === undefined
    ? Promise.resolve()
    : keepLedger(path.resolve(values.ledger), last, isOver.signal);
await live(last, Math.max(0, minutes - elapsed()) * 60_000);
isOver.abort();
await ledger;
for (const taskId of told) if (!deleted.has(taskId)) await untilEnded(last, taskId, hangMs);
await untilEmpty(path.join(dataDir, 'scratch'));
const after = read(last.pid);
await last.end('SIGTERM');
for (const taskId of uncertain) told.delete(taskId);
await attempt(row, 'ledger', () => checkLedger(dataDir, told, deleted));
const long = lives.at(-1) ?? [];
const begin = long[0]?.minute ?? 0;
const end = long.at(-1)?.minute ?? 0;
const warm = long.filter(({ minute }) => minute > begin + 1);
const late = long.filter(({ minute }) => minute > (begin + end) / 2);
const [early, megabytes] = [slopeOf(warm, 'megabytes'), slopeOf(late, 'megabytes')];
const handles = slopeOf(warm, 'handles');
row.figures =
  `${JSON.stringify(counts)}; memory by minutes ${byMinutes(long)}, at the end ${after.megabytes.toFixed(0)} MB: ` +
  `${early.toFixed(2)} MB a minute after the first, ${megabytes.toFixed(2)} in the second half; ` +
  `handles ${warm[0]?.handles} to ${after.handles}, ${handles.toFixed(2)} a minute`;
if (handles >= 2) row.failures.push(`handles grow by ${handles.toFixed(2)} a minute`);
if (end - begin > 4 && megabytes >= maxGrowth)
  row.failures.push(`memory grows by ${megabytes.toFixed(2)} MB a minute`);
printTable([row]);
console.log(`\n${failuresOf([row])} failures; ${elapsed().toFixed(1)} minutes`);
process.exitCode = failuresOf([row]) > 0 ? 1 : 0;

/** The mean of each, in megabytes. */
function byMinutes(readings: readonly Reading[]): string {
  const minutes = Map.groupBy(readings, ({ minute }) =>
    Math.floor(minute - (readings[0]?.minute ?? 0)),
  );
  return [...minutes.values()]
    .map((some) => some.reduce((sum, one) => sum + one.megabytes, 0) / some.length)
    .map((mean) => mean.toFixed(0))
    .join(', ');
}

/** By least squares, a minute. */
function slopeOf(readings: readonly Reading[], what: 'megabytes' | 'handles'): number {
  const n = readings.length;
  if (n < 2) return 0;
  const x = readings.reduce((sum, { minute }) => sum + minute, 0) / n;
  const y = readings.reduce((sum, reading) => sum + reading[what], 0) / n;
  const over = readings.reduce(
    (sum, reading) => sum + (reading.minute - x) * (reading[what] - y),
    0,
  );
  const under = readings.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
