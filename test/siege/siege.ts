/**
 * `npm run test:siege -- [--times 20] [--submits 10000] [--mutations 1000] [--seed 1]
 * [--only attacks,load]`: everything that once broke Enlarger, tried again, each group by itself with
 * `--only`, with a table of attempts and failures whose rows are printed as they end. Exit code 1 when any failed.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { attack } from './attacks.ts';
import { fillDisk } from './full-disk.ts';
import { killEngine, killService, startOnCpu } from './kills.ts';
import { load } from './load/load.ts';
import { mutate } from './mutations.ts';
import { dripSources, holdScratch } from './programs.ts';
import { commandOutside, meetStranger, rebind } from './commands.ts';
import {
  harmDatabase,
  inSandbox,
  inheritOptions,
  pipeAtEnd,
  quietHome,
  turnClock,
  withoutEngine,
} from './starts.ts';
import { failuresOf, printFailures, printHead, printRow, type Row } from './table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    submits: { type: 'string', default: '10000' },
    mutations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'attacks,starts,disk,mutations,load,engine,service' },
  },
});
const times = Number(values.times);
const parts = values.only.split(',');

/** They wait more than they work. */
const startsAtOnce = 2;
/** Each on a data folder of its own. */
const starts = {
  inSandbox,
  withoutEngine,
  harmDatabase,
  turnClock,
  pipeAtEnd,
  inheritOptions,
  quietHome,
  dripSources,
  holdScratch,
  meetStranger,
  commandOutside,
  rebind,
};

const begun = performance.now();
const home = temporaryFolder();
const rows: Row[] = [];
/** Each row is printed as it ends, so that a run that is stopped has told what it found until then. */
const keep = (...ended: Row[]) => {
  rows.push(...ended);
  for (const row of ended) printRow(row);
};
const say = (line: string) => void process.stderr.write(`${line}\n`);

printHead();

async function onService(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  if (!parts.includes(name)) return;
  say(`${name} …`);
  const folder = path.join(home, name);
  await mkdir(path.join(folder, 'granted'), { recursive: true });
  await mkdir(path.join(folder, 'outside'), { recursive: true });
  const before = performance.now();
  await work(folder);
  say(`${name}: ${((performance.now() - before) / 60_000).toFixed(1)} minutes`);
}

await onService('attacks', async (at) => {
  const folder = path.join(at, 'granted');
  const service = await startOnCpu(path.join(at, 'data'), ['--allow-folder', folder]);
  keep(...(await attack({ service, folder, outside: path.join(at, 'outside') })));
  await service.end('SIGTERM');
});
await onService('starts', async (at) => {
  const waiting = Object.entries(starts);
  const attackInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, attackOf] = next;
      say(`  ${name} …`);
      const folder = path.join(at, name);
      await mkdir(folder);
      keep(await attackOf(folder));
    }
  };
  await Promise.all(Array.from({ length: startsAtOnce }, attackInTurn));
});
await onService('disk', async (at) => keep(await fillDisk(at)));
await onService('mutations', async (at) => {
  const service = await startOnCpu(path.join(at, 'data'));
  const [count, seed] = [Number(values.mutations), Number(values.seed)];
  keep(...(await mutate(service, count, seed, path.join(at, 'corpus'))));
  await service.end('SIGTERM');
});
await onService('load', async (at) => {
  const service = await startOnCpu(path.join(at, 'data'));
  const submits = Number(values.submits);
  keep(await load(service, { submits, clients: 50, readers: 500, deaf: 50, lame: 20, slow: 50 }));
  await service.end('SIGKILL');
});
await onService('engine', async () => keep(...(await killEngine(times))));
await onService('service', async () => keep(...(await killService(times))));
printFailures(rows);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\n${failuresOf(rows)} failures; ${minutes} minutes`);
process.exitCode = failuresOf(rows) > 0 ? 1 : 0;
