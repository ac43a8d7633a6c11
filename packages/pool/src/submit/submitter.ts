/**
 * Submitter: runs this machine's tasks in the pool. A task goes to the queue of the helpers that can run it,
 * and results are checked before they count. The outcome is a correct result, or NotDone, and then the task
 * runs elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../contract/src/log.ts';
import type { EngineHost, RunOptions } from '../../../../electron/engine/host/host.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { UserFacingError, reasonOf } from '../../../contract/src/error-messages.ts';
import type {
  CutoutJob,
  Job,
  JobReport,
  UpscaleJob,
} from '../../../../electron/engine/protocol/messages.ts';
import { clearAway } from '../../../files/src/clear-away.ts';
import { allOf } from '../all-of.ts';
import { DamagedFile } from '../bytes/storage.ts';
import type { StoredFile, Transfers } from '../bytes/transfers.ts';
import { requestOf, filesOf } from '../job-travel.ts';
import type { Machine, PoolJob, PoolResult, Capability } from '../messages.ts';
import type { ObservedHelper, Registry } from '../queue/registry.ts';
import type { JobEnd, JobListener, SubmitQueues } from '../queue/work-queues.ts';
import { modelsOf, queueOf } from '../skills.ts';
import type { Quarantine, Fault } from './quarantine.ts';
import { assertFiles, assertReport, checkResult, FalseResult } from './check-result.ts';

/** The pool did not complete a job for a reason other than the picture. */
class NotDone extends UserFacingError {}

interface SubmitterOptions {
  me: Machine;
  registry: Registry;
  transfers: Transfers;
  openQueues(listener: JobListener): SubmitQueues;
  isReady: () => boolean;
  engine: Pick<EngineHost, 'inspect' | 'work'>;
  /** Capability of this machine for a model. */
  skill: (model: string) => Omit<Capability, 'megapixelsPerSecond'> | undefined;
  quarantine: Quarantine;
  /** False: only observes helpers. */
  submits: boolean;
  scratchDir: string;
  log: Log;
  /** Called after each poll of helpers and server. */
  onPolled(): void;
  tickMs?: number;
  /** How long a vanished server or helpers are waited for. */
  patienceMs?: number;
}

/** A second run of a task, on another helper than the first. */
export interface SecondStart {
  notFor: string[];
  withinSeconds: number;
}

export interface PoolOutcome {
  report: JobReport;
  ranOn: Machine;
  /** Moves the files to the job's paths. */
  moveFiles(): Promise<void>;
  /** Deletes the files. */
  discard(): Promise<void>;
}

export interface InFlightJob {
  readonly taskId: string;
  readonly model: string;
  readonly megapixels: number;
  readonly startedMs: number;
  readonly isSecond: boolean;
  helper: Machine | undefined;
  percent: number;
}

export interface Submitter {
  readonly inFlight: readonly InFlightJob[];
  /** Helpers that may take a job of these models now, fastest with the first model first. */
  eligibleWorkers(
    models: readonly string[],
  ): { id: string; slots: number; megapixelsPerSecond: number | undefined }[];
  readonly helpers: readonly ObservedHelper[];
  /** Why a connected server does not provide what a pool needs; undefined if it does. */
  problem(): string | undefined;
  run(job: Job, watch: RunOptions, second?: SecondStart): Promise<PoolOutcome>;
  close(): Promise<void>;
}

interface Pending extends InFlightJob {
  jobId: string;
  models: readonly string[];
  queue: string;
  /** Queues that the helper must serve in addition. */
  needs: string[];
  ended: PromiseWithResolvers<JobEnd>;
  onPercent(percent: number): void;
  /** True once the job is in the queue, or was lost from it. */
  isAdded: boolean;
}

/** Name of a job's folder: task, attempt, copy and a random part. Only such names are swept. */
const jobFolderName = /^[0-9a-f-]{36}-\d{1,10}-[12]-[0-9a-f]{12}$/;

const defaultTickMs = 2000;
const defaultPatienceMs = 6000;
const sweepEveryTicks = 30;

export async function openSubmitter(options: SubmitterOptions): Promise<Submitter> {
  const submitter = new PoolSubmitter(options);
  await submitter.begin();
  return submitter;
}

class PoolSubmitter implements Submitter {
  readonly #options: SubmitterOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #queues: SubmitQueues;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  readonly #tidying = new Set<Promise<unknown>>();
  #helpers: ObservedHelper[] = [];
  #ticking = Promise.resolve();
  #ticks = 0;
  /** True once a former process's jobs were removed from the queues. */
  #isFormerCleared = false;
  /** Since when the server has not responded; undefined while it does. */
  #silentSinceMs: number | undefined;
  #problem: string | undefined;
  /** Folders of this machine in the storage without a job at the last sweep. */
  #orphans = new Set<string>();
  #sweeping: Promise<void> | undefined;

  constructor(options: SubmitterOptions) {
    this.#options = options;
    this.#queues = options.openQueues({
      onProgress: (jobId, { helper, percent }) => {
        const pending = this.#pending.get(jobId);
        if (!pending) return;
        pending.helper = helper;
        pending.percent = percent;
        pending.onPercent(percent);
      },
      onLost: (jobId) => this.#lost(jobId),
      onEnded: (jobId) => void this.#ended(jobId),
    });
    this.#timer = setInterval(() => {
      this.#ticking = this.#ticking.then(() => this.#tick()).then(() => options.onPolled());
    }, options.tickMs ?? defaultTickMs).unref();
  }

  async begin(): Promise<void> {
    await this.#tick();
  }

  /** Removes a former process's jobs once the server responds; jobs of this process stay. */
  async #clearFormer(): Promise<void> {
    if (this.#isFormerCleared) return;
    const { registry, me } = this.#options;
    for (const [jobId, queue] of await registry.outstanding.all(me.id)) {
      if (this.#pending.has(jobId)) continue;
      await this.#queues.remove(queue, jobId).catch(() => undefined);
      await registry.outstanding.remove(me.id, jobId);
    }
    this.#isFormerCleared = true;
  }

  get inFlight(): readonly InFlightJob[] {
    return [...this.#pending.values()];
  }

  get helpers(): readonly ObservedHelper[] {
    return this.#helpers;
  }

  problem(): string | undefined {
    return this.#problem;
  }

  eligibleWorkers(models: readonly string[]) {
    const { quarantine, me, isReady, submits } = this.#options;
    const [queue, ...others] = this.#queuesOf(models) ?? [];
    if (queue === undefined || !submits || !isReady() || this.#silentSinceMs !== undefined)
      return [];
    return this.#helpers
      .filter(({ heartbeat, isAway }) => !isAway && heartbeat.slots > 0 && heartbeat.id !== me.id)
      .filter(({ heartbeat }) => quarantine.current(heartbeat.id, Date.now()) === undefined)
      .flatMap(({ heartbeat: { id, slots, skills } }) => {
        const skillFor = (wanted: string) => skills.find((one) => queueOf(one) === wanted);
        const skill = skillFor(queue);
        return skill && others.every(skillFor)
          ? [{ id, slots, megapixelsPerSecond: skill.megapixelsPerSecond }]
          : [];
      })
      .sort((a, b) => (b.megapixelsPerSecond ?? 0) - (a.megapixelsPerSecond ?? 0));
  }

  /** Queues of models; undefined until the engine has chosen the precision of each. */
  #queuesOf(models: readonly string[]): string[] | undefined {
    const skills = models.map((model) => this.#options.skill(model));
    return skills.every((skill) => skill !== undefined) ? skills.map(queueOf) : undefined;
  }

  async run(job: Job, watch: RunOptions, second?: SecondStart): Promise<PoolOutcome> {
    if (job.operation === 'convert') throw new NotDone('It needs no network.');
    const models = modelsOf(job);
    const [model = ''] = models;
    const skill = this.#options.skill(model);
    const [queue, ...needs] = this.#queuesOf(models) ?? [];
    if (!skill || queue === undefined)
      throw new NotDone(`The engine has not decided how it runs ${model} here.`);
    const { transfers, engine } = this.#options;
    const copy = second ? 2 : 1;
    const jobId = `${job.jobId}-${copy}-${randomBytes(6).toString('hex')}`;
    const folder = `${this.#options.me.id}/${jobId}`;
    const source = await engine.inspect(job.sourcePath, job.limits);
    const megapixels = (source.width * source.height) / 1e6;
    const pending: Pending = {
      taskId: job.jobId.slice(0, 36),
      model,
      models,
      needs,
      megapixels,
      startedMs: Date.now(),
      isSecond: second !== undefined,
      helper: undefined,
      percent: 0,
      jobId,
      queue,
      ended: Promise.withResolvers(),
      onPercent: (percent) => watch.onProgress({ step: 'network', percent }),
      isAdded: false,
    };
    // The job may end before anything awaits it; the rejection must not count as unhandled.
    pending.ended.promise.catch(() => undefined);
    const signal = AbortSignal.any([watch.signal, this.#closing.signal]);
    const stop = () => pending.ended.reject(new NotDone('It was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    this.#pending.set(jobId, pending);
    try {
      const sent = await transfers.send(job.sourcePath, `${folder}/source`, signal);
      await this.#add(job, pending, { megapixels, source: sent, folder }, second);
      return await this.#accept(job, pending, {
        source,
        sent,
        folder,
        skill,
        end: await pending.ended.promise,
        signal,
      });
    } catch (thrown) {
      watch.signal.throwIfAborted();
      if (thrown instanceof NotDone) throw thrown;
      this.#options.log('warn', 'The pool did not do a task.', { error: String(thrown) });
      throw new NotDone(`${reasonOf(thrown)}.`, { cause: thrown });
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pending.delete(jobId);
      this.#tidy(pending, folder);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#ticking;
    await Promise.race([
      Promise.all([...this.#tidying, this.#sweeping]),
      new Promise((resolve) => setTimeout(resolve, 2000)),
    ]);
    await this.#queues.close();
  }

  async #add(
    job: UpscaleJob | CutoutJob,
    pending: Pending,
    sent: Pick<PoolJob, 'megapixels' | 'source' | 'folder'>,
    second: SecondStart | undefined,
  ): Promise<void> {
    const { me, registry, quarantine } = this.#options;
    const { jobId, queue, needs, taskId, isSecond } = pending;
    const aside = this.#helpers
      .map(({ heartbeat }) => heartbeat.id)
      .filter((id) => quarantine.current(id, Date.now()) !== undefined);
    const asked: PoolJob = {
      version: 1,
      submitter: me,
      taskId,
      attempt: attemptOf(job),
      copy: isSecond ? 2 : 1,
      asked: requestOf(job),
      notFor: [...new Set([me.id, ...aside, ...(second?.notFor ?? [])])],
      ...(second && { withinSeconds: second.withinSeconds }),
      ...(needs.length > 0 && { needs }),
      ...sent,
    };
    await registry.outstanding.add(me.id, jobId, queue);
    // The first waiting job of each submitter precedes the second of any.
    const waiting = [...this.#pending.values()].filter((one) => one.helper === undefined).length;
    await this.#queues.add(queue, jobId, asked, isSecond ? 1 : Math.max(1, waiting));
    pending.isAdded = true;
  }

  /** Receives the output files beside the job's own paths and checks them there. */
  async #accept(
    job: UpscaleJob | CutoutJob,
    pending: Pending,
    got: {
      source: Awaited<ReturnType<EngineHost['inspect']>>;
      sent: StoredFile;
      folder: string;
      skill: Pick<Capability, 'precision'>;
      end: JobEnd;
      signal: AbortSignal;
    },
  ): Promise<PoolOutcome> {
    const { end, signal, source, sent, folder, skill } = got;
    if ('reason' in end) throw this.#failed(pending, end);
    const { result } = end;
    const { helper } = result;
    const { quarantine, engine, scratchDir } = this.#options;
    if (quarantine.current(helper.id, Date.now()))
      throw new NotDone(`${helper.name} is set aside.`);
    const checking = await mkdtemp(path.join(scratchDir, 'pool-'));
    const discard = async () => {
      for (const [, to] of filesOf(job)) await clearAway(arrivedAt(to));
    };
    try {
      if (result.attempt !== attemptOf(job))
        throw new FalseResult('its result is of another attempt.');
      const { report } = result;
      assertReport({ job, source, skill, report });
      assertFiles(result.files, { folder, sourceBytes: sent.sizeBytes, report });
      const brought = await this.#bring(job, result, signal, (resultPath) =>
        checkResult({ job, source, report, resultPath, engine, scratchDir: checking }),
      );
      quarantine.noteSuccess(helper.id);
      return {
        report,
        ranOn: helper,
        async moveFiles() {
          for (const [role, to] of filesOf(job)) {
            const from = brought.get(role);
            if (from !== undefined) await rename(from, to);
          }
        },
        discard,
      };
    } catch (thrown) {
      await discard();
      if (!signal.aborted) await this.#noteRefusal(helper, thrown);
      throw thrown;
    } finally {
      await clearAway(checking);
    }
  }

  /**
   * Into the job's folders, under names of their own. The picture is checked while other files are still in
   * transfer.
   */
  async #bring(
    job: UpscaleJob | CutoutJob,
    { files }: PoolResult,
    signal: AbortSignal,
    check: (resultPath: string) => Promise<void>,
  ): Promise<Map<string, string>> {
    const stored = new Map(files.map(({ role, parcel }) => [role, parcel]));
    if (!stored.has('result')) throw new FalseResult('there is no picture in its result.');
    const brought = new Map<string, string>();
    const coming = filesOf(job).map(async ([role, to]) => {
      const file = stored.get(role);
      if (!file) return;
      const arrived = arrivedAt(to);
      await this.#options.transfers.receive(file, arrived, signal);
      brought.set(role, arrived);
      if (role === 'result') await check(arrived);
    });
    await allOf(coming);
    return brought;
  }

  /** A helper's claim that a picture cannot be processed is not trusted: this machine tries it. */
  #failed({ helper }: Pending, { reason, isFalse }: Extract<JobEnd, { reason: string }>): NotDone {
    if (helper && isFalse) this.#noteFault(helper, 'false', reason);
    return new NotDone(`${helper?.name ?? 'A helper'} could not do it: ${reason}`);
  }

  #lost(jobId: string): void {
    const pending = this.#pending.get(jobId);
    if (!pending?.helper) return;
    const { helper } = pending;
    pending.helper = undefined;
    this.#noteFault(helper, 'lost', 'it died, slept or lost its connection with a task in hand.');
  }

  async #ended(jobId: string): Promise<void> {
    const pending = this.#pending.get(jobId);
    if (!pending) return;
    const end = await this.#queues.endOf(pending.queue, jobId).catch(() => undefined);
    if (end) pending.ended.resolve(end);
  }

  /** A missing file that a helper named counts against it only while the storage is reachable. */
  async #noteRefusal(helper: Machine, thrown: unknown): Promise<void> {
    if (thrown instanceof FalseResult || thrown instanceof DamagedFile) {
      this.#noteFault(helper, 'false', thrown.message);
      return;
    }
    if (!(thrown instanceof EnlargerError) || thrown.code !== 'SOURCE_UNREACHABLE') return;
    const isThere = await this.#options.transfers.storage.check().then(
      () => true,
      () => false,
    );
    if (isThere) this.#noteFault(helper, 'lost', thrown.message);
  }

  #noteFault(helper: Machine, fault: Fault, reason: string): void {
    const { quarantine, log, registry, me } = this.#options;
    log('warn', 'A helper of the pool failed.', { helper: helper.name, reason });
    const until = quarantine.noteFault(helper.id, fault, reason, Date.now());
    if (!until) return;
    log('warn', 'A helper of the pool is set aside.', { helper: helper.name, reason });
    registry.quarantine(me.id, helper.id, until).catch(() => undefined);
  }

  /** Polls helpers and jobs, because events may be missed and a server may lose jobs. */
  async #tick(): Promise<void> {
    const { registry, isReady } = this.#options;
    try {
      if (!isReady()) throw new UserFacingError('It is not connected.');
      await this.#clearFormer();
      this.#helpers = await registry.helpers();
      this.#silentSinceMs = undefined;
      this.#problem = undefined;
    } catch (thrown) {
      this.#silentSinceMs ??= Date.now();
      // Without a connection, the connection's own problem says more.
      this.#problem = isReady() ? `${reasonOf(thrown)}.` : undefined;
    }
    const patienceMs = this.#options.patienceMs ?? defaultPatienceMs;
    if (this.#silentSinceMs !== undefined) {
      if (Date.now() - this.#silentSinceMs < patienceMs) return;
      this.#giveUp(() => true, "The pool's server does not answer.");
      return;
    }
    await Promise.all([...this.#pending.values()].map((pending) => this.#look(pending)));
    this.#ticks += 1;
    // Beside the polling, because others can fill the folder.
    if (this.#ticks % sweepEveryTicks === 1)
      this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined));
  }

  async #look(pending: Pending): Promise<void> {
    if (!pending.isAdded) return;
    const { patienceMs = defaultPatienceMs } = this.#options;
    const ageMs = Date.now() - pending.startedMs;
    try {
      const state = await this.#queues.state(pending.queue, pending.jobId);
      if (state === 'ended') await this.#ended(pending.jobId);
      if (state === 'gone')
        this.#giveUp((one) => one === pending, 'The queue of the pool lost it.');
      const isPatient = ageMs > patienceMs;
      if (state === 'waiting' && isPatient && this.eligibleWorkers(pending.models).length === 0)
        this.#giveUp((one) => one === pending, 'Nobody in the pool can do it now.');
    } catch {
      // The next tick sees whether the server responds.
    }
  }

  #giveUp(which: (pending: Pending) => boolean, reason: string): void {
    for (const pending of this.#pending.values())
      if (which(pending)) pending.ended.reject(new NotDone(reason));
  }

  /** Deletes a job's traces in queue, registry and storage, unawaited. */
  #tidy({ queue, jobId }: Pending, folder: string): void {
    const { registry, me, transfers } = this.#options;
    const tidying = Promise.allSettled([
      this.#queues.remove(queue, jobId),
      registry.outstanding.remove(me.id, jobId),
      transfers.storage.removeAll(folder),
    ]).finally(() => this.#tidying.delete(tidying));
    this.#tidying.add(tidying);
  }

  /** Deletes folders of late helpers or a former process: those without a job in two consecutive sweeps. */
  async #sweep(): Promise<void> {
    const { transfers, me, log } = this.#options;
    try {
      const listed = await transfers.storage.list(me.id);
      const found = listed.filter((name) => jobFolderName.test(name));
      const orphans = found.filter((jobId) => !this.#pending.has(jobId));
      for (const jobId of orphans.filter((one) => this.#orphans.has(one))) {
        if (this.#closing.signal.aborted) return;
        await transfers.storage.removeAll(`${me.id}/${jobId}`);
      }
      this.#orphans = new Set(orphans);
    } catch (thrown) {
      log('warn', "The pool's storage could not be swept.", { error: String(thrown) });
    }
  }
}

const arrivedAt = (to: string) => `${to}.of-pool`;

const attemptOf = ({ jobId }: Pick<Job, 'jobId'>) => Number(jobId.slice(37));
