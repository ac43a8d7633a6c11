/**
 * `npm run test:siege -- [--times 20] [--submits 10000] [--mutations 1000] [--seed 1]
 * [--only attacks,load] [--row "hostile bodies"]`: everything that once broke Enlarger, tried again, each group by
 * itself with `--only`, a row of attacks or starts with `--row`, with a table of attempts and failures whose rows are
 * printed as they end, each with its failures. Exit code 1 when any failed.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { attack } from './attacks.ts';
import { fillDisk } from './full-disk.ts';
import { killEngine, killService, startOnCpu, useCpu } from './kills.ts';
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
import { startProbed } from './probed-service.ts';
import { attempt, failuresOf, printHead, printWithFailures, type Row } from './table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    submits: { type: 'string', default: '10000' },
    mutations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'attacks,starts,disk,mutations,load,engine,service' },
    row: { type: 'string' },
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
/** Each row is printed as it ends, so that a run that is stopped has printed what it found until then. */
const addRows = (...ended: Row[]) => {
  rows.push(...ended);
  for (const row of ended) printWithFailures(row);
};
const log = (line: string) => void process.stderr.write(`${line}\n`);
const isChosen = (name: string) => values.row === undefined || name === values.row;

printHead();

async function onService(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  if (!parts.includes(name)) return;
  log(`${name} …`);
  const folder = path.join(home, name);
  await mkdir(path.join(folder, 'granted'), { recursive: true });
  await mkdir(path.join(folder, 'outside'), { recursive: true });
  const before = performance.now();
  const group: Row = {
    attack: name,
    outcome: 'the group runs to its end',
    attempts: 0,
    failures: [],
  };
  await attempt(group, name, () => work(folder));
  if (group.failures.length > 0) addRows(group);
  log(`${name}: ${((performance.now() - before) / 60_000).toFixed(1)} minutes`);
}

await onService('attacks', async (at) => {
  const folder = path.join(at, 'granted');
  const service = await startOnCpu(path.join(at, 'data'), ['--allow-folder', folder]);
  await attack({ service, folder, outside: path.join(at, 'outside') }, isChosen, addRows);
  await service.end('SIGTERM');
});
await onService('starts', async (at) => {
  const waiting = Object.entries(starts).filter(([name]) => isChosen(name));
  const attackInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, attackOf] = next;
      log(`  ${name} …`);
      const folder = path.join(at, name);
      await mkdir(folder);
      addRows(await attackOf(folder));
    }
  };
  await Promise.all(Array.from({ length: startsAtOnce }, attackInTurn));
});
await onService('disk', async (at) => addRows(await fillDisk(at)));
await onService('mutations', async (at) => {
  const service = await startOnCpu(path.join(at, 'data'));
  const [count, seed] = [Number(values.mutations), Number(values.seed)];
  await mutate(service, count, seed, path.join(at, 'corpus'), addRows);
  await service.end('SIGTERM');
});
await onService('load', async (at) => {
  const dataDir = path.join(at, 'data');
  const service = await startProbed(dataDir);
  await useCpu(service);
  const submits = Number(values.submits);
  addRows(
    await load(service, dataDir, {
      submits,
      clients: 50,
      readers: 500,
      deaf: 50,
      lame: 20,
      slow: 50,
    }),
  );
  await service.end('SIGKILL');
});
await onService('engine', async () => addRows(...(await killEngine(times))));
await onService('service', async () => addRows(...(await killService(times))));
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
console.log(`\n${failuresOf(rows)} failures; ${minutes} minutes`);
process.exitCode = failuresOf(rows) > 0 ? 1 : 0;
