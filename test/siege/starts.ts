/** What goes wrong at a start, over restarts and at the end: each on a data folder and services of its own. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { QueueState } from '../../packages/contract/src/queue.ts';
import { hasGraphicsDevice, sandboxObstacle } from '../../electron/engine/host/sandbox.ts';
import { startServiceProgram, untilEnded, type HeadlessService } from '../support/headless.ts';
import { enlargeOne, startOnCpu } from './kills.ts';
import { smallPicture } from './pictures.ts';
import { childrenOf, hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

const at = (name: string) => path.resolve(import.meta.dirname, name);
const scripted = at('child.ts');
const bytes = 'data:image/png;base64,iVBORw0KGgo=';

const newRow = (attack: string, outcome: string): Row => ({
  ...{ attack, outcome, attempts: 0, failures: [] },
});

function folderIn(home: string, name: string): string {
  const folder = path.join(home, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** 50 photos wait for it, and none fails. */
export async function withoutEngine(home: string): Promise<Row> {
  const row = newRow(
    'an engine that cannot start',
    'the queue waits and says why, none FAILED; then all are enlarged',
  );
  const node = path.join(home, 'node');
  const allowed = path.join(home, 'allowed');
  writeFileSync(
    node,
    `#!/bin/sh\n[ -e '${allowed}' ] && exec '${process.execPath}' "$@"\nexit 1\n`,
  );
  await chmod(node, 0o755);
  const service = await startServiceProgram([at('engineless.ts'), folderIn(home, 'data'), node]);
  try {
    const taskIds = await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        service.submit(await smallPicture(i), { model: 'faithful' }),
      ),
    );
    await attempt(row, 'the queue', async () => {
      const ends = performance.now() + hangMs;
      while (performance.now() < ends && !(await queueOf(service)).waits) await wait(100);
      const { counts, waits } = await queueOf(service);
      expectThat(waits?.code === 'ENGINE_CANNOT_START', 'it does not say that it waits');
      expectThat(counts.FAILED === 0, `${counts.FAILED} failed`);
      const health = await (await service.call('GET', '/api/health')).text();
      expectThat(health.includes('waiting'), `health says ${health}`);
    });
    await wait(4000);
    writeFileSync(allowed, '');
    for (const taskId of taskIds)
      await attempt(row, taskId, async () => {
        const { status, error } = await untilEnded(service, taskId, hangMs);
        expectThat(status === 'FINISHED', `it is ${status}: ${error?.message ?? ''}`);
      });
  } finally {
    await service.end('SIGTERM');
  }
  return row;
}

const queueOf = async (service: HeadlessService) =>
  (await (await service.call('GET', '/api/queue')).json()) as QueueState;

/** What somebody, or a disk, does to a database while the service is off. */
const harms: [string, (file: string) => void][] = [
  ['removed', (file) => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true }))],
  ['emptied', (file) => truncateSync(file)],
  ['cut to a page', (file) => truncateSync(file, 4096)],
  ['no database', (file) => writeFileSync(file, 'not a database, '.repeat(1000))],
  ['options of a row', (file) => change(file, `UPDATE tasks SET options = '{' WHERE seq = 1`)],
  ['source of a row', (file) => change(file, `UPDATE tasks SET source = '[]' WHERE seq = 2`)],
];

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

/** Results are read, and another photo enlarged, after each harm; all on one data folder, one after the other. */
export async function harmDatabase(home: string): Promise<Row> {
  const row = newRow(
    'the database damaged, cut off, removed, a row of it broken',
    'no result of another row is lost, the list answers, the next is enlarged',
  );
  for (const end of ['SIGTERM', 'SIGKILL'] as const)
    for (const [what, harm] of harms)
      await attempt(row, `${what} after ${end}`, async () => {
        const dataDir = folderIn(home, `${what} ${end}`);
        const first = await startServiceProgram([scripted, dataDir]);
        const taskIds: string[] = [];
        for (let i = 0; i < 5; i += 1) taskIds.push(await finishOne(first));
        await first.end(end);
        harm(dbOf(dataDir));
        const service = await startServiceProgram([scripted, dataDir]);
        try {
          const kept = /row/.test(what) ? taskIds.slice(2) : taskIds;
          for (const taskId of kept) await expectResult(service, taskId);
          const list = await service.call('GET', '/api/tasks');
          expectThat(list.ok, `the list answers ${list.status}`);
          await finishOne(service);
        } finally {
          await service.end('SIGTERM');
        }
      });
  return row;
}

const dbOf = (dataDir: string) => path.join(dataDir, 'enlarger.db');

async function finishOne(service: HeadlessService): Promise<string> {
  const taskId = await service.submit(bytes, { model: 'faithful' });
  const { status } = await untilEnded(service, taskId, hangMs);
  expectThat(status === 'FINISHED', `it is ${status}`);
  return taskId;
}

async function expectResult(service: HeadlessService, taskId: string): Promise<void> {
  const { status, imageUrl } = await service.task(taskId);
  expectThat(status === 'FINISHED', `${taskId} is ${status}`);
  const answer = await fetch(imageUrl ?? '');
  expectThat(answer.ok, `its result answers ${answer.status}`);
}

/** Years and days, there and back again, by one start each. */
export async function turnClock(home: string): Promise<Row> {
  const row = newRow(
    'the clock set 20 years and days back and ahead at a start',
    'every result is kept and can be read',
  );
  const day = 24 * 3600;
  const dataDir = folderIn(home, 'data');
  const taskIds: string[] = [];
  for (const seconds of [0, -20 * 365 * day, 0, day * 20 * 365, 0, -day, 0, day * 3, 0])
    await attempt(row, `by ${seconds / day} days`, async () => {
      const env = { ENLARGER_SIEGE_CLOCK: String(seconds) };
      const service = await startServiceProgram(
        ['--import', at('clock.mjs'), scripted, dataDir],
        env,
      );
      try {
        for (const taskId of taskIds) await expectResult(service, taskId);
        const before = Date.now();
        const taskId = await finishOne(service);
        taskIds.push(taskId);
        const { createdAt } = await service.record(taskId);
        const trueTime = Date.parse(createdAt) - seconds * 1000;
        const isShifted = trueTime > before - 2000 && trueTime < Date.now() + 2000;
        expectThat(isShifted, `its clock says ${createdAt}`);
      } finally {
        await service.end('SIGTERM');
      }
    });
  return row;
}

/** A pipe lies where a waiting photo lay, while it is looked at and when the service ends. */
export async function pipeAtEnd(home: string): Promise<Row> {
  const row = newRow(
    'a pipe swapped in for a waiting photo at the end',
    'it ends orderly: no part of it is given up',
  );
  const granted = folderIn(home, 'granted');
  for (let i = 0; i < 4; i += 1)
    await attempt(row, `end ${i}`, async () => {
      const service = await startOnCpu(folderIn(home, `data-${i}`), ['--allow-folder', granted]);
      const files = Array.from({ length: 10 }, (_, n) => path.join(granted, `${i}-${n}.png`));
      const png = Buffer.from((await smallPicture(i)).split(',')[1] ?? '', 'base64');
      for (const file of files) writeFileSync(file, png);
      for (const file of files) await service.submit(`file://${file}`, { model: 'faithful' });
      for (const file of files) {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      }
      await wait(i * 300);
      // A part that does not close in its time makes the process end itself by a signal.
      const code = await service.end('SIGTERM');
      expectThat(code === 0, `it ended with ${service.process.signalCode ?? code}`);
    });
  return row;
}

/** NODE_OPTIONS of the person's shell loads code into the service, and into nothing that it starts. */
export async function inheritOptions(home: string): Promise<Row> {
  const row = newRow('NODE_OPTIONS that load a file', 'the engine and its helpers load it not');
  const loaded = folderIn(home, 'loaded');
  const file = path.join(home, 'loaded.cjs');
  writeFileSync(
    file,
    `require('node:fs').writeFileSync(${JSON.stringify(loaded)} + '/' + process.pid, process.argv.join(' '));`,
  );
  const env = { NODE_OPTIONS: `--require ${file}` };
  const service = await startOnCpu(folderIn(home, 'data'), [], env);
  try {
    await attempt(row, 'a photo', async () => {
      await enlargeOne(service, 1);
      const all = (await readdir(loaded)).map((name) =>
        readFileSync(path.join(loaded, name), 'utf8'),
      );
      const engines = all.filter((text) => text.includes(`engine${path.sep}`));
      expectThat(all.length > 0 && engines.length === 0, engines.join('; '));
    });
  } finally {
    await service.end('SIGTERM');
  }
  return row;
}

/** What a start leaves in an empty home, without CI in the environment, is its data folder alone. */
export async function quietHome(home: string): Promise<Row> {
  const row = newRow('an empty home, without CI', 'nothing in it but the data folder');
  const own = folderIn(home, 'home');
  const temporary = folderIn(home, 'tmp');
  const env = { ...withoutAll(['CI', 'XDG_']), HOME: own, TMPDIR: temporary };
  const service = await startOnCpu(path.join(own, 'data'), [], env);
  await attempt(row, 'a photo', () => enlargeOne(service, 1));
  await service.end('SIGTERM');
  await attempt(row, 'what is left', async () => {
    const left = (await readdir(own)).filter((name) => name !== 'data');
    expectThat(left.length === 0, left.join(', '));
    const temporaries = await readdir(temporary);
    expectThat(temporaries.length === 0, temporaries.join(', '));
  });
  return row;
}

/** All that the siege sends is decoded in sandboxes, or the table says that it was not. */
export async function inSandbox(home: string): Promise<Row> {
  const row = newRow('the sandbox', 'each process that decodes is in a network of its own');
  const obstacle = sandboxObstacle();
  if (obstacle !== undefined || hasGraphicsDevice()) {
    row.figures = `left out: ${obstacle ?? 'a graphics card is here.'}`;
    return row;
  }
  const service = await startOnCpu(folderIn(home, 'data'));
  try {
    await attempt(row, 'a photo', () => enlargeOne(service, 1));
    await attempt(row, 'its processes', async () => {
      const ours = readlinkSync('/proc/self/ns/net');
      const launchers = childrenOf(service.pid).filter(
        (pid) => readFileSync(`/proc/${pid}/comm`, 'latin1').trim() === 'bwrap',
      );
      const networks = launchers
        .flatMap(childrenOf)
        .map((pid) => readlinkSync(`/proc/${pid}/ns/net`));
      row.figures = `${networks.length} processes`;
      const isApart = networks.length > 0 && !networks.includes(ours);
      expectThat(
        await Promise.resolve(isApart),
        `${networks.length} are in ${networks.join(', ')}`,
      );
    });
  } finally {
    await service.end('SIGTERM');
  }
  return row;
}

/** Undefined unsets a variable of this process for the child. */
const withoutAll = (starts: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => starts.some((start) => name.startsWith(start)))
      .map((name) => [name, undefined]),
  );
