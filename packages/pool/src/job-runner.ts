/**
 * Runs a job here or in the pool, and in both if it is a straggler: the first result counts. A job that the
 * pool does not complete runs here, so tasks never depend on the pool.
 */
import { note } from '../../contract/src/notes/notes.ts';
import { rename } from 'node:fs/promises';
import { UserFacingError, reasonOf } from '../../contract/src/error-messages.ts';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { EngineHost, RunOptions } from '../../../electron/engine/host/host.ts';
import type { Job, JobReport, ViewPaths } from '../../../electron/engine/protocol/messages.ts';
import type { RunReport } from '../../../electron/engine/protocol/run-report.ts';
import { clearAway } from '../../files/src/clear-away.ts';
import { canTravel, filesOf } from './job-travel.ts';
import { createOwnSpeeds } from './help/speeds.ts';
import { placeStraggler, type IdleMachine, type MeasuredRun } from './stragglers.ts';
import { modelsOf } from './skills.ts';
import type { SecondStart, PoolOutcome, Submitter } from './submit/submitter.ts';

interface JobRunnerOptions {
  engine: Pick<EngineHost, 'run' | 'inspect'>;
  /** Undefined without a pool, or if this machine submits nothing to it. */
  submitter(): Submitter | undefined;
  /** True if tasks wait to be started. */
  hasWaiting(): boolean;
  /** Called when the number of slots changed. */
  onRoom(): void;
  stragglersEveryMs?: number;
}

export interface JobRunner {
  run(job: Job, watch: RunOptions): Promise<RunReport>;
  /** Number of tasks that may run at the same time. */
  slots(): number;
  /** Megapixels completed in the last ten minutes. */
  readonly ended: { here: number; elsewhere: number };
  close(): void;
}

/** One task decodes or encodes while the other is in the network. */
const ownSlots = 2;
/**
 * Most tasks of this machine in the pool, each with files that are open while they travel: heartbeats can name any
 * number of helpers and slots.
 */
export const maxPoolSlots = 256;
/** Failures in the pool after which a task runs here. */
const poolTries = 3;
const defaultStragglersEveryMs = 1000;
const countedMs = 10 * 60_000;

interface RunnerEntry {
  job: Job;
  watch: RunOptions;
  /** Undefined until the picture's header was read. */
  megapixels: number | undefined;
  startedMs: number;
  percent: number;
  isHere: boolean;
  /** Starts the job a second time; the first run to finish counts. */
  startSecond: ((where: 'here' | SecondStart) => void) | undefined;
}

interface RunningEntry extends MeasuredRun {
  entry: RunnerEntry;
  model: string;
  models: readonly string[];
  /** Undefined if this machine runs the job, or no machine yet. */
  helperId: string | undefined;
  isUntaken: boolean;
}

/** A successful run: its files are moved to the job's paths, or deleted. */
interface SuccessfulRun {
  moveFiles: () => Promise<RunReport>;
  discard: () => Promise<void>;
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  return new PoolJobRunner(options);
}

class PoolJobRunner implements JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #entries = new Set<RunnerEntry>();
  readonly #waiting = new Set<() => void>();
  readonly #speeds = createOwnSpeeds();
  readonly #timer: NodeJS.Timeout;
  readonly #ends: { atMs: number; megapixels: number; isHere: boolean }[] = [];
  #here = 0;
  #knownSlots = ownSlots;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#timer = setInterval(
      () => this.#look(),
      options.stragglersEveryMs ?? defaultStragglersEveryMs,
    ).unref();
  }

  slots(): number {
    const submitter = this.#options.submitter();
    if (!submitter) return ownSlots;
    const models = new Set(
      submitter.helpers.flatMap(({ heartbeat }) => heartbeat.skills.map(({ model }) => model)),
    );
    const slotsOf = new Map(
      [...models]
        .flatMap((model) => submitter.eligibleWorkers([model]))
        .map(({ id, slots }) => [id, slots]),
    );
    const able = [...slotsOf.values()].reduce((sum, slots) => sum + slots, 0);
    // Some jobs are queued in advance, so that no helper waits for an upload.
    return ownSlots + Math.min(maxPoolSlots, able + Math.ceil(able / 4));
  }

  get ended(): { here: number; elsewhere: number } {
    const sum = (isHere: boolean) =>
      this.#ends
        .filter((one) => one.isHere === isHere && Date.now() - one.atMs < countedMs)
        .reduce((all, { megapixels }) => all + megapixels, 0);
    return { here: sum(true), elsewhere: sum(false) };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async run(job: Job, watch: RunOptions): Promise<RunReport> {
    // The dispatcher lets one such task run beside the slots.
    const isBeside = job.operation === 'convert' || ('preempts' in job && job.preempts);
    if (
      (isBeside && this.#here <= ownSlots) ||
      (!this.#options.submitter() && this.#here < ownSlots)
    ) {
      this.#here += 1;
      return this.#inPlaceHere(job, watch);
    }
    const failures: string[] = [];
    for (;;) {
      const where = await this.#findSlot(job, watch.signal, failures.length);
      if (where === 'here') {
        const report = await this.#race(job, watch, 'here');
        return failures.length === 0
          ? report
          : { ...report, notes: [...report.notes, ...noted(failures)] };
      }
      try {
        return await this.#race(job, watch, 'pool');
      } catch (thrown) {
        if (watch.signal.aborted) throw thrown;
        failures.push(`${reasonOf(thrown)}.`);
      }
    }
  }

  /** Resolves when this machine or the pool has a free slot; this machine first, whose slot is then taken. */
  async #findSlot(job: Job, signal: AbortSignal, failures: number): Promise<'here' | 'pool'> {
    for (;;) {
      if (signal.aborted) throw new EnlargerError('CANCELLED', 'The task was cancelled.');
      if (this.#here < ownSlots) {
        this.#here += 1;
        return 'here';
      }
      if (failures < poolTries && this.#hasRoomInPool(job)) return 'pool';
      const room = Promise.withResolvers<undefined>();
      const wake = () => room.resolve(undefined);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      await room.promise;
      signal.removeEventListener('abort', wake);
      this.#waiting.delete(wake);
    }
  }

  #hasRoomInPool(job: Job): boolean {
    const models = canTravel(job) ? modelsOf(job) : [];
    return (this.#options.submitter()?.eligibleWorkers(models) ?? []).length > 0;
  }

  /** Runs a job here, in a slot taken before. */
  async #inPlaceHere(job: Job, watch: RunOptions): Promise<JobReport> {
    const startedMs = performance.now();
    try {
      const report = await this.#options.engine.run(job, watch);
      const megapixels = (report.input.width * report.input.height) / 1e6;
      this.#speeds.ended(modelsOf(job)[0] ?? '', megapixels, startedMs, performance.now());
      return report;
    } finally {
      this.#here -= 1;
      this.#wake();
    }
  }

  /** Runs the job, and a second time if it is a straggler. */
  async #race(job: Job, watch: RunOptions, first: 'here' | 'pool'): Promise<RunReport> {
    const entry: RunnerEntry = {
      job,
      watch,
      megapixels: undefined,
      startedMs: Date.now(),
      percent: 0,
      isHere: first === 'here',
      startSecond: undefined,
    };
    const onProgress: RunOptions['onProgress'] = (progress) => {
      entry.percent = Math.max(entry.percent, progress.percent);
      watch.onProgress(progress);
    };
    this.#entries.add(entry);
    if (this.#options.submitter()) void this.#measure(entry);
    const won = Promise.withResolvers<RunReport>();
    const runs: { ending: AbortController; done: Promise<unknown> }[] = [];
    let open = 0;
    let isWon = false;
    const start = (make: (signal: AbortSignal) => Promise<SuccessfulRun>) => {
      const ending = new AbortController();
      const signal = AbortSignal.any([watch.signal, ending.signal]);
      open += 1;
      const run = { ending, done: Promise.resolve() as Promise<unknown> };
      runs.push(run);
      run.done = make(signal).then(
        async ({ moveFiles, discard }) => {
          open -= 1;
          if (isWon) {
            await discard();
            return;
          }
          isWon = true;
          entry.startSecond = undefined;
          const others = runs.filter((one) => one !== run);
          for (const other of others) other.ending.abort();
          // A cancelled job may still write, so the winner's files are moved only after it has ended.
          await Promise.all(others.map(({ done }) => done));
          await moveFiles().then(won.resolve, won.reject);
        },
        (thrown: unknown) => {
          open -= 1;
          if (!isWon && open === 0) won.reject(thrown);
        },
      );
    };
    const here = (own: Job) => async (signal: AbortSignal) => {
      const report = await this.#inPlaceHere(own, { signal, onProgress });
      return {
        async moveFiles() {
          if (own !== job) await moveFiles(own, job);
          return report;
        },
        // Files of the first run are replaced by the winner's.
        discard: () => (own === job ? Promise.resolve() : removeFiles(own)),
      };
    };
    const inPool = (second?: SecondStart) => async (signal: AbortSignal) => {
      const submitter = this.#options.submitter();
      if (!submitter) throw new UserFacingError('The pool was left.');
      const made: PoolOutcome = await submitter.run(job, { signal, onProgress }, second);
      return {
        async moveFiles() {
          await made.moveFiles();
          return { ...made.report, ranOn: made.ranOn };
        },
        discard: () => made.discard(),
      };
    };
    entry.startSecond = (where) => {
      entry.startSecond = undefined;
      if (where === 'here') {
        this.#here += 1;
        start(here(secondRunOf(job)));
      } else start(inPool(where));
    };
    start(first === 'here' ? here(job) : inPool());
    try {
      const report = await won.promise;
      this.#count(report);
      return report;
    } finally {
      this.#entries.delete(entry);
      this.#wake();
    }
  }

  async #measure(entry: RunnerEntry): Promise<void> {
    const { sourcePath, limits } = entry.job;
    try {
      const { width, height } = await this.#options.engine.inspect(sourcePath, limits);
      entry.megapixels = (width * height) / 1e6;
    } catch {
      // The run itself reports the picture's defect.
    }
  }

  #count({ input, ranOn }: RunReport): void {
    const megapixels = (input.width * input.height) / 1e6;
    this.#ends.push({ atMs: Date.now(), megapixels, isHere: ranOn === undefined });
    if (this.#ends.length > 2000) this.#ends.shift();
  }

  #look(): void {
    const submitter = this.#options.submitter();
    const slots = this.slots();
    if (slots !== this.#knownSlots) {
      this.#knownSlots = slots;
      this.#options.onRoom();
      this.#wake();
    }
    if (submitter && !this.#options.hasWaiting() && this.#waiting.size === 0)
      this.#startSecond(submitter);
  }

  #startSecond(submitter: Submitter): void {
    const running = [...this.#entries]
      .filter(({ startSecond, job }) => startSecond !== undefined && canTravel(job))
      .map((entry) => this.#runningOf(entry, submitter));
    const untaken = running.find((one) => one.isUntaken);
    if (untaken && this.#here === 0) {
      untaken.entry.startSecond?.('here');
      return;
    }
    const taken = running.filter((one) => !one.isUntaken);
    for (const alike of Map.groupBy(taken, ({ models }) => models.join(' ')).values()) {
      const straggler = placeStraggler(alike, this.#idleFor(alike[0], submitter));
      if (!straggler) continue;
      const { entry, helperId } = straggler.running;
      const notFor = helperId === undefined ? [] : [helperId];
      const withinSeconds = Math.min(straggler.secondsLeft, 86_400);
      entry.startSecond?.(straggler.on.id === undefined ? 'here' : { notFor, withinSeconds });
      return;
    }
  }

  /** Idle machines that can run the task. */
  #idleFor(one: RunningEntry | undefined, submitter: Submitter): IdleMachine[] {
    if (!one) return [];
    const working = new Set(
      submitter.helpers
        .filter(({ heartbeat }) => heartbeat.doing.length > 0)
        .map(({ heartbeat }) => heartbeat.id),
    );
    const here = { id: undefined, megapixelsPerSecond: this.#speeds.of(one.model) };
    return [
      ...(this.#here === 0 ? [here] : []),
      ...submitter.eligibleWorkers(one.models).filter(({ id }) => !working.has(id)),
    ];
  }

  #runningOf(entry: RunnerEntry, submitter: Submitter): RunningEntry {
    const models = modelsOf(entry.job);
    const [model = ''] = models;
    const inFlightJob = submitter.inFlight.find(({ taskId }) => entry.job.jobId.startsWith(taskId));
    const helperId = entry.isHere ? undefined : inFlightJob?.helper?.id;
    const worker = submitter.eligibleWorkers(models).find(({ id }) => id === helperId);
    return {
      entry,
      model,
      models,
      helperId,
      isUntaken: !entry.isHere && inFlightJob !== undefined && inFlightJob.helper === undefined,
      megapixels: entry.megapixels ?? Infinity,
      ageSeconds: (Date.now() - entry.startedMs) / 1000,
      megapixelsPerSecond: entry.isHere ? this.#speeds.of(model) : worker?.megapixelsPerSecond,
      percent: entry.percent,
    };
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

const noted = (failures: readonly string[]) => [
  note('RAN_HERE', { reason: failures.at(-1) ?? '' }),
];

/** The job with paths of its own, so that two runs never write the same file. */
function secondRunOf(job: Job): Job {
  const beside = (name: string) => `${name}.second`;
  const views = job.views && mapValues(job.views, beside);
  return {
    ...job,
    jobId: `${job.jobId}-2`,
    outputPath: beside(job.outputPath),
    thumbPath: beside(job.thumbPath),
    ...(views && { views }),
  };
}

function mapValues(views: ViewPaths, change: (value: string) => string): ViewPaths {
  const changed = { ...views };
  for (const name of Object.keys(views) as (keyof ViewPaths)[]) changed[name] = change(views[name]);
  return changed;
}

async function removeFiles(job: Job): Promise<void> {
  for (const [, path] of filesOf(job)) await clearAway(path);
}

async function moveFiles(from: Job, to: Job): Promise<void> {
  const targets = new Map(filesOf(to));
  for (const [role, path] of filesOf(from)) {
    const target = targets.get(role);
    const isNeeded = role === 'result' || role === 'thumb';
    if (target !== undefined)
      await rename(path, target).catch((thrown: unknown) => {
        // Views may be missing; result and thumbnail may not.
        if (isNeeded) throw thrown;
      });
  }
}
