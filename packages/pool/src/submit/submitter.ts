/**
 * The submitter runs this machine's tasks in the pool. It puts a task into the queue of the helpers that can
 * run it, and checks what comes back before it counts. Whatever the pool does, the outcome is a result that
 * is right, or NotDone, and then the task runs elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../../electron/contract/log.ts';
import type { EngineHost, RunOptions } from '../../../../electron/engine/host/host.ts';
import { EnlargerError } from '../../../../electron/contract/errors.ts';
import { UserFacingError, reasonOf } from '../../../../electron/contract/error-messages.ts';
import type {
  CutoutJob,
  Job,
  JobReport,
  UpscaleJob,
} from '../../../../electron/engine/protocol/messages.ts';
import { clearAway } from '../../../../electron/files/clear-away.ts';
import { allOf } from '../all-of.ts';
import { DamagedFile } from '../bytes/storage.ts';
import type { StoredFile, Transfers } from '../bytes/transfers.ts';
import { askedOf, filesOf } from '../job-travel.ts';
import type { Named, PoolJob, PoolResult, Skill } from '../messages.ts';
import type { HeardHelper, Registry } from '../queue/registry.ts';
import type { JobEnd, JobListener, SubmitQueues } from '../queue/work-queues.ts';
import { modelsOf, queueOf } from '../skills.ts';
import type { Quarantine, Fault } from './quarantine.ts';
import { assertFiles, assertReport, checkResult, FalseResult } from './check-result.ts';

/** The pool did not do a job for a reason that is not the picture's, so the job is done elsewhere. */
class NotDone extends UserFacingError {}

interface SubmitterOptions {
  me: Named;
  registry: Registry;
  transfers: Transfers;
  openQueues(listener: JobListener): SubmitQueues;
  isReady: () => boolean;
  engine: Pick<EngineHost, 'inspect' | 'work'>;
  /** Tells what this machine runs a model with. */
  skill: (model: string) => Omit<Skill, 'megapixelsPerSecond'> | undefined;
  quarantine: Quarantine;
  /** Says whether tasks are given to others; if not, the submitter only knows who helps. */
  submits: boolean;
  scratchDir: string;
  log: Log;
  /** Is called when the submitter has looked at helpers and server again. */
  onLooked(): void;
  tickMs?: number;
  /** A server or helpers that vanished are waited for so long. */
  patienceMs?: number;
}

/** A second start of a task runs on another helper than the first. */
export interface SecondStart {
  notFor: string[];
  withinSeconds: number;
}

export interface Made {
  report: JobReport;
  ranOn: Named;
  /** Moves the files to the paths that the job names. */
  place(): Promise<void>;
  /** Removes the files instead. */
  discard(): Promise<void>;
}

export interface Flight {
  readonly taskId: string;
  readonly model: string;
  readonly megapixels: number;
  readonly startedMs: number;
  readonly isSecond: boolean;
  helper: Named | undefined;
  percent: number;
}

export interface Submitter {
  readonly flights: readonly Flight[];
  /** Lists helpers that may take a job of these models now, the fastest with the first model first. */
  takers(
    models: readonly string[],
  ): { id: string; slots: number; megapixelsPerSecond: number | undefined }[];
  readonly helpers: readonly HeardHelper[];
  /** Says why a connected server does not do what a pool needs; undefined where it does. */
  problem(): string | undefined;
  run(job: Job, watch: RunOptions, second?: SecondStart): Promise<Made>;
  close(): Promise<void>;
}

interface Pending extends Flight {
  jobId: string;
  models: readonly string[];
  queue: string;
  /** The helper must serve these queues as well. */
  needs: string[];
  ended: PromiseWithResolvers<JobEnd>;
  onPercent(percent: number): void;
  /** Once this is true, the job is in the queue or was lost from it. */
  isAdded: boolean;
}

/** The name of a job's folder: task, attempt, copy and a random part. Nothing else is ever swept. */
const jobFolderName = /^[0-9a-f-]{36}-\d{1,10}-[12]-[0-9a-f]{12}$/;

const usualTickMs = 2000;
const usualPatienceMs = 6000;
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
  #helpers: HeardHelper[] = [];
  #ticking = Promise.resolve();
  #ticks = 0;
  /** Says whether the jobs that a former process left in the queues were taken out. */
  #isFormerCleared = false;
  /** The time since which the server does not answer; undefined while it answers. */
  #silentSinceMs: number | undefined;
  #problem: string | undefined;
  /** Folders of this machine in the storage that belonged to no job at the last sweep. */
  #strays = new Set<string>();

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
      this.#ticking = this.#ticking.then(() => this.#tick()).then(() => options.onLooked());
    }, options.tickMs ?? usualTickMs).unref();
  }

  async begin(): Promise<void> {
    await this.#tick();
  }

  /** Takes out a former process's jobs once the server answers. Jobs that this process added stay. */
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

  get flights(): readonly Flight[] {
    return [...this.#pending.values()];
  }

  get helpers(): readonly HeardHelper[] {
    return this.#helpers;
  }

  problem(): string | undefined {
    return this.#problem;
  }

  takers(models: readonly string[]) {
    const { quarantine, me, isReady, submits } = this.#options;
    const [queue, ...others] = this.#queuesOf(models) ?? [];
    if (queue === undefined || !submits || !isReady() || this.#silentSinceMs !== undefined)
      return [];
    return this.#helpers
      .filter(({ word, isAway }) => !isAway && word.slots > 0 && word.id !== me.id)
      .filter(({ word }) => quarantine.asideNow(word.id, Date.now()) === undefined)
      .flatMap(({ word: { id, slots, skills } }) => {
        const skillFor = (wanted: string) => skills.find((one) => queueOf(one) === wanted);
        const skill = skillFor(queue);
        return skill && others.every(skillFor)
          ? [{ id, slots, megapixelsPerSecond: skill.megapixelsPerSecond }]
          : [];
      })
      .sort((a, b) => (b.megapixelsPerSecond ?? 0) - (a.megapixelsPerSecond ?? 0));
  }

  /** Names the queues of models; undefined while the engine has not decided how it runs one of them here. */
  #queuesOf(models: readonly string[]): string[] | undefined {
    const skills = models.map((model) => this.#options.skill(model));
    return skills.every((skill) => skill !== undefined) ? skills.map(queueOf) : undefined;
  }

  async run(job: Job, watch: RunOptions, second?: SecondStart): Promise<Made> {
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
    // The job may end before anybody waits for it, and a rejection must not count as unhandled then.
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
      Promise.all(this.#tidying),
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
      .map(({ word }) => word.id)
      .filter((id) => quarantine.asideNow(id, Date.now()) !== undefined);
    const asked: PoolJob = {
      version: 1,
      submitter: me,
      taskId,
      attempt: attemptOf(job),
      copy: isSecond ? 2 : 1,
      asked: askedOf(job),
      notFor: [...new Set([me.id, ...aside, ...(second?.notFor ?? [])])],
      ...(second && { withinSeconds: second.withinSeconds }),
      ...(needs.length > 0 && { needs }),
      ...sent,
    };
    await registry.outstanding.add(me.id, jobId, queue);
    // The first waiting job of each submitter is taken before the second of any.
    const waiting = [...this.#pending.values()].filter((one) => one.helper === undefined).length;
    await this.#queues.add(queue, jobId, asked, isSecond ? 1 : Math.max(1, waiting));
    pending.isAdded = true;
  }

  /** Brings the files that were made to places beside the job's own, and checks them there. */
  async #accept(
    job: UpscaleJob | CutoutJob,
    pending: Pending,
    got: {
      source: Awaited<ReturnType<EngineHost['inspect']>>;
      sent: StoredFile;
      folder: string;
      skill: Pick<Skill, 'precision'>;
      end: JobEnd;
      signal: AbortSignal;
    },
  ): Promise<Made> {
    const { end, signal, source, sent, folder, skill } = got;
    if ('reason' in end) throw this.#failed(pending, end);
    const { result } = end;
    const { helper } = result;
    const { quarantine, engine, scratchDir } = this.#options;
    if (quarantine.asideNow(helper.id, Date.now()))
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
        async place() {
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
   * Brings the files into the folders where the job would have written them, under names of their own. The
   * picture is checked while the other files are still on their way.
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

  /** Ends a failed job. A helper's word that a picture cannot be done is not believed: this machine tries it. */
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

  /** A file that a helper named and that is not there counts against it only while the storage itself is there. */
  async #noteRefusal(helper: Named, thrown: unknown): Promise<void> {
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

  #noteFault(helper: Named, fault: Fault, reason: string): void {
    const { quarantine, log, registry, me } = this.#options;
    log('warn', 'A helper of the pool failed.', { helper: helper.name, reason });
    const until = quarantine.noteFault(helper.id, fault, reason, Date.now());
    if (!until) return;
    log('warn', 'A helper of the pool is set aside.', { helper: helper.name, reason });
    registry.setAside(me.id, helper.id, until).catch(() => undefined);
  }

  /** Polls the state of helpers and jobs, because events may be missed and a server may forget. */
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
      // Where the server is not connected, the connection's own problem says more.
      this.#problem = isReady() ? `${reasonOf(thrown)}.` : undefined;
    }
    const patienceMs = this.#options.patienceMs ?? usualPatienceMs;
    if (this.#silentSinceMs !== undefined) {
      if (Date.now() - this.#silentSinceMs < patienceMs) return;
      this.#giveUp(() => true, "The pool's server does not answer.");
      return;
    }
    await Promise.all([...this.#pending.values()].map((pending) => this.#look(pending)));
    this.#ticks += 1;
    if (this.#ticks % sweepEveryTicks === 1) await this.#sweep();
  }

  async #look(pending: Pending): Promise<void> {
    if (!pending.isAdded) return;
    const { patienceMs = usualPatienceMs } = this.#options;
    const ageMs = Date.now() - pending.startedMs;
    try {
      const state = await this.#queues.state(pending.queue, pending.jobId);
      if (state === 'ended') await this.#ended(pending.jobId);
      if (state === 'gone')
        this.#giveUp((one) => one === pending, 'The queue of the pool lost it.');
      const isPatient = ageMs > patienceMs;
      if (state === 'waiting' && isPatient && this.takers(pending.models).length === 0)
        this.#giveUp((one) => one === pending, 'Nobody in the pool can do it now.');
    } catch {
      // The next tick sees whether the server answers.
    }
  }

  #giveUp(which: (pending: Pending) => boolean, reason: string): void {
    for (const pending of this.#pending.values())
      if (which(pending)) pending.ended.reject(new NotDone(reason));
  }

  /** Removes the traces of a job in queue, registry and storage, without anybody waiting for that. */
  #tidy({ queue, jobId }: Pending, folder: string): void {
    const { registry, me, transfers } = this.#options;
    const tidying = Promise.allSettled([
      this.#queues.remove(queue, jobId),
      registry.outstanding.remove(me.id, jobId),
      transfers.storage.removeAll(folder),
    ]).finally(() => this.#tidying.delete(tidying));
    this.#tidying.add(tidying);
  }

  /**
   * Removes folders that a helper left which came too late, or that a former process left. A folder counts as
   * left behind when it belonged to no job in two sweeps in a row.
   */
  async #sweep(): Promise<void> {
    const { transfers, me, log } = this.#options;
    try {
      const listed = await transfers.storage.list(me.id);
      const found = listed.filter((name) => jobFolderName.test(name));
      const strays = found.filter((jobId) => !this.#pending.has(jobId));
      for (const jobId of strays.filter((one) => this.#strays.has(one)))
        await transfers.storage.removeAll(`${me.id}/${jobId}`);
      this.#strays = new Set(strays);
    } catch (thrown) {
      log('warn', "The pool's storage could not be swept.", { error: String(thrown) });
    }
  }
}

const arrivedAt = (to: string) => `${to}.of-pool`;

const attemptOf = ({ jobId }: Pick<Job, 'jobId'>) => Number(jobId.slice(37));
