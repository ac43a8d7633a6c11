/** kill -9 at each named step: no acknowledged task is lost or done twice, and nothing is left behind. */
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  failpoints,
  failpointVariable,
  type Failpoint,
} from '../../electron/engine/protocol/failpoints.ts';
import { openStore } from '../../electron/service/store/store.ts';
import { smallPicture } from './pictures.ts';
import { hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';
import {
  startHeadless,
  startServiceProgram,
  untilEnded,
  type HeadlessService,
} from '../support/headless.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const child = path.resolve(import.meta.dirname, 'child.ts');
const bytes = 'data:image/png;base64,iVBORw0KGgo=';

/** Each is a data folder and a process of its own, and waits more than it works. */
const stepsAtOnce = 4;

/** The service, `times` times at each of its own steps, on one data folder a step. */
export async function killService(times: number): Promise<Row[]> {
  const steps = failpoints.filter((name) => !name.startsWith('engine-'));
  const rows = new Map<Failpoint, Row>();
  const waiting = [...steps];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift())
      rows.set(step, await killServiceAt(step, times));
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, work));
  return steps.flatMap((step) => rows.get(step) ?? []);
}

async function killServiceAt(step: Failpoint, times: number): Promise<Row> {
  const row: Row = {
    attack: `service killed at ${step}`,
    outcome: 'none lost, none twice, nothing left',
    attempts: 0,
    failures: [],
  };
  const dataDir = temporaryFolder();
  await mkdir(path.join(dataDir, 'saved'));
  const told = new Set<string>();
  const deleted = new Set<string>();
  try {
    for (let i = 0; i < times; i += 1) {
      await attempt(row, `kill ${i + 1}`, () => killOnce(step, dataDir, told, deleted, i));
      const isTime = i === times - 1 || i % killsBetween === killsBetween - 1;
      if (isTime) await settle(row, dataDir, told, deleted);
    }
    row.attempts = times;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return row;
}

/** A photo that ten deaths met is not tried again by itself: before that comes a life without death. */
const killsBetween = 5;

/** Lets all be finished, and looks for every task. */
async function settle(
  row: Row,
  dataDir: string,
  told: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
): Promise<void> {
  const service = await startServiceProgram([child, dataDir]);
  for (const taskId of told)
    if (!deleted.has(taskId))
      await attempt(row, taskId, async () => {
        const { status, error } = await untilEnded(service, taskId, hangMs);
        expectThat(status === 'FINISHED', `${taskId} is ${status}: ${error?.message ?? ''}`);
      });
  await untilEmpty(path.join(dataDir, 'scratch'));
  await service.end('SIGTERM');
  await attempt(row, 'ledger', () => checkLedger(dataDir, told, deleted));
}

/** What a killed service left there is cleared beside the queue's work. */
export async function untilEmpty(folder: string): Promise<void> {
  const ends = performance.now() + hangMs;
  while (performance.now() < ends && (await readdir(folder)).length > 0) await wait(100);
}

/** What a former death left passes the step first; the death is at the pass after it. */
async function killOnce(
  step: Failpoint,
  dataDir: string,
  told: Set<string>,
  deleted: Set<string>,
  round: number,
): Promise<void> {
  const ofRemoval = step === 'removed' || step === 'files-removed';
  const pass = round % killsBetween === 0 || step === 'removed' || step === 'submit-stored' ? 1 : 2;
  const service = await startServiceProgram([child, dataDir], {
    [failpointVariable]: `${step}@${pass}`,
  });
  // What it goes on with may have taken it to the step before this is asked.
  const isDead = () => service.process.exitCode !== null || service.process.signalCode !== null;
  const died = isDead() ? undefined : once(service.process, 'exit');
  const saveTo = path.join(dataDir, 'saved');
  for (let i = 0; i < maxSubmits && !isDead(); i += 1) {
    try {
      const taskId = await service.submit(bytes, { model: 'faithful', saveTo });
      told.add(taskId);
      if (ofRemoval) {
        await untilEnded(service, taskId, hangMs);
        deleted.add(taskId);
        await service.call('DELETE', `/api/task/${taskId}?now=true`);
      } else await untilEnded(service, taskId, hangMs);
    } catch {
      // The connection broke: it is dead, or about to be.
      break;
    }
  }
  // A step behind the last task's end may still be under way.
  const timer = setTimeout(() => service.process.kill('SIGTERM'), 30_000);
  await died;
  clearTimeout(timer);
  expectThat(service.process.signalCode === 'SIGKILL', `it never came to ${step}`);
}

/** Tasks within which the step has to be reached. */
const maxSubmits = 40;

/** Every acknowledged task against database and disk. */
export async function checkLedger(
  dataDir: string,
  told: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
): Promise<void> {
  const store = openStore(dataDir);
  try {
    const wrong: string[] = [];
    for (const taskId of told) {
      const task = store.tasks.get(taskId);
      if (deleted.has(taskId) && task) wrong.push(`${taskId} is there though it was deleted`);
      if (!deleted.has(taskId) && !task) wrong.push(`${taskId} is lost`);
    }
    for (const taskId of await readdir(path.join(dataDir, 'results'))) {
      const task = store.tasks.get(taskId);
      const names = await readdir(path.join(dataDir, 'results', taskId));
      const attempts = new Set(names.flatMap((name) => /^\d+/.exec(name) ?? []));
      if (!task) wrong.push(`${taskId} has files and no row`);
      else if (task.status === 'FINISHED' && attempts.size !== 1)
        wrong.push(`${taskId} has results of ${attempts.size} attempts`);
      else if (task.status !== 'FINISHED' && attempts.size > 0)
        wrong.push(`${taskId} is ${task.status} and has ${names.join(', ')}`);
      if (names.some((name) => name.endsWith('.part'))) wrong.push(`${taskId} has a half file`);
    }
    const scratch = await readdir(path.join(dataDir, 'scratch'));
    if (scratch.length > 0) wrong.push(`scratch holds ${scratch.join(', ')}`);
    for (const name of await readdir(path.join(dataDir, 'sources'))) {
      const file = path.join(dataDir, 'sources', name);
      const isKnown = store.tasks.holdsFile(file) || isInGrace(dataDir, file);
      if (!isKnown || name.endsWith('.part')) wrong.push(`sources holds ${name}`);
    }
    expectThat(wrong.length === 0, wrong.slice(0, 5).join('; '));
  } finally {
    store.close();
  }
}

/** A source whose submit was cut off before its row is kept for its days, and written down. */
function isInGrace(dataDir: string, file: string): boolean {
  const store = openStore(dataDir);
  try {
    return !store.orphans.isDue(file, 0, Date.now());
  } finally {
    store.close();
  }
}

/** The engine, `times` times at each of its steps: its task gets another attempt, and the next one works. */
export async function killEngine(times: number): Promise<Row[]> {
  const steps = failpoints.filter((name) => name.startsWith('engine-'));
  return Promise.all(steps.map((step) => killEngineAt(step, times)));
}

async function killEngineAt(step: Failpoint, times: number): Promise<Row> {
  const row: Row = {
    attack: `engine killed at ${step.slice(7)}`,
    outcome: 'every picture enlarged',
    attempts: 0,
    failures: [],
  };
  const dataDir = temporaryFolder();
  // Each engine does one job and dies in its second.
  const service = await startOnCpu(dataDir, [], { [failpointVariable]: `${step}@2` });
  try {
    for (let i = 0; i < times; i += 1)
      await attempt(row, `picture ${i + 1}`, () => enlargeOne(service, i));
  } finally {
    await service.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
  return row;
}

/** Without the search for other devices, which takes minutes of a loaded machine and is tested elsewhere. */
export async function startOnCpu(
  dataDir: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<HeadlessService> {
  const service = await startHeadless(dataDir, args, env);
  await useCpu(service);
  return service;
}

export async function useCpu(service: HeadlessService): Promise<void> {
  const { ok, status } = await service.call('PATCH', '/api/settings', { device: 'cpu' });
  expectThat(ok, `settings answered ${status}`);
}

/** What hangs is cancelled, so that it fails alone and not those behind it, too. */
export async function endedOrCancelled(service: HeadlessService, taskId: string) {
  try {
    return await untilEnded(service, taskId, hangMs);
  } catch (thrown) {
    await service.call('POST', `/api/task/${taskId}/cancel`);
    throw thrown;
  }
}

export async function enlargeOne(service: HeadlessService, seed: number): Promise<void> {
  const taskId = await service.submit(await smallPicture(seed), { model: 'faithful', scale: 2 });
  const { status, error, imageUrl } = await endedOrCancelled(service, taskId);
  expectThat(status === 'FINISHED', `it is ${status}: ${error?.message ?? ''}`);
  expectThat((await fetch(imageUrl ?? '')).ok, 'its result cannot be read');
}
