/**
 * The helper runs jobs of other machines on this one: it takes the jobs that its networks can run, runs them
 * in its own engine with its own settings, and gives back the results. This machine's own tasks go first.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { EnlargerError } from '../../../../electron/contract/errors.ts';
import { UserFacingError } from '../../../../electron/contract/error-messages.ts';
import type { Settings } from '../../../../electron/contract/settings/settings.ts';
import type { Log } from '../../../../electron/contract/log.ts';
import type { EngineHost } from '../../../../electron/engine/host/host.ts';
import type { Job, JobReport } from '../../../../electron/engine/protocol/messages.ts';
import { clearAway } from '../../../../electron/files/clear-away.ts';
import { allOf } from '../all-of.ts';
import type { Transfers } from '../bytes/transfers.ts';
import { filesOf, jobOf, mainModelOf, type Networks } from '../job-travel.ts';
import type { AsideNotice, Heartbeat, Named, PoolJob, PoolResult, Skill } from '../messages.ts';
import type { Registry } from '../queue/registry.ts';
import type { HeldJob, HelpQueues } from '../queue/work-queues.ts';
import { queueOf } from '../skills.ts';
import { LeaveJob, leaveForMs } from '../take.ts';
import { createOwnSpeeds } from './speeds.ts';

interface HelperOptions {
  me: Named;
  registry: Registry;
  transfers: Transfers;
  openQueues(work: (held: HeldJob) => Promise<PoolResult>): HelpQueues;
  engine: Pick<EngineHost, 'run'>;
  networks: Networks;
  /** Lists what this machine can run, as far as its engine has decided. */
  skills: () => Promise<Omit<Skill, 'megapixelsPerSecond'>[]>;
  /** Says whether tasks of this machine itself wait or run. */
  isBusy: () => boolean;
  settings: () => Settings;
  scratchDir: string;
  log: Log;
  heartbeatEveryMs?: number;
}

export interface Helper {
  /** The submitters that set this helper aside, and why. */
  readonly asideBy: ReadonlyMap<string, AsideNotice>;
  close(): Promise<void>;
}

/** A helper runs two jobs: one decodes or encodes while the other is in the network. */
export const helperSlots = 2;
const usualHeartbeatEveryMs = 2000;
const progressEveryMs = 500;

interface Doing {
  job: PoolJob;
  percent: number;
}

export function startHelper(options: HelperOptions): Helper {
  return new PoolHelper(options);
}

class PoolHelper implements Helper {
  readonly #options: HelperOptions;
  readonly #queues: HelpQueues;
  readonly #speeds = createOwnSpeeds();
  readonly #doing = new Set<Doing>();
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #asideBy: ReadonlyMap<string, AsideNotice> = new Map();
  #beating: Promise<void>;
  #serves: ReadonlySet<string> = new Set();
  #finished = 0;

  constructor(options: HelperOptions) {
    this.#options = options;
    this.#queues = options.openQueues((held) => this.#work(held));
    this.#beating = this.#beat();
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, options.heartbeatEveryMs ?? usualHeartbeatEveryMs).unref();
  }

  get asideBy(): ReadonlyMap<string, AsideNotice> {
    return this.#asideBy;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#beating;
    await this.#queues.close();
    await this.#options.registry.leave(this.#options.me.id).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { me, registry, skills, isBusy } = this.#options;
    const slots = isBusy() ? 0 : helperSlots;
    const own = await skills().catch(() => []);
    this.#serves = new Set(own.map(queueOf));
    this.#queues.serve([...this.#serves]);
    this.#queues.setSlots(slots);
    const withSpeed = own.map((skill) => {
      const megapixelsPerSecond = this.#speeds.of(skill.model);
      return { ...skill, ...(megapixelsPerSecond !== undefined && { megapixelsPerSecond }) };
    });
    const doing: Heartbeat['doing'] = [...this.#doing].map(({ job, percent }) => ({
      taskId: job.taskId,
      submitter: job.submitter.id,
      model: mainModelOf(job.asked),
      percent,
    }));
    const word: Heartbeat = {
      version: 1,
      ...me,
      skills: withSpeed,
      slots,
      doing,
      finished: this.#finished,
    };
    try {
      await registry.beat(word);
      this.#asideBy = await registry.asideBy(me.id);
    } catch {
      // A server that does not answer gets the next heartbeat.
    }
  }

  async #work(held: HeldJob): Promise<PoolResult> {
    const { job } = held;
    const { me, isBusy } = this.#options;
    const waitMs = leaveForMs(job, {
      me: me.id,
      asideBy: this.#asideBy,
      isBusy: isBusy(),
      megapixelsPerSecond: this.#speeds.of(mainModelOf(job.asked)),
      serves: this.#serves,
    });
    // The worker of each queue may hand over as many jobs as the helper has slots for all queues.
    const isFull = this.#doing.size >= helperSlots;
    if (waitMs > 0 || isFull) throw new LeaveJob(isFull ? 300 : waitMs);
    const doing = { job, percent: 0 };
    this.#doing.add(doing);
    try {
      return await this.#make(held, doing);
    } finally {
      this.#doing.delete(doing);
    }
  }

  async #make({ job, signal: leaseSignal, tell }: HeldJob, doing: Doing): Promise<PoolResult> {
    const { me, transfers, engine, networks, settings, scratchDir } = this.#options;
    const signal = AbortSignal.any([leaseSignal, this.#closing.signal]);
    const startedMs = performance.now();
    const token = randomBytes(6).toString('hex');
    const folder = path.join(scratchDir, `helping-${token}`);
    let toldMs = -Infinity;
    const onProgress = ({ percent }: { percent: number }) => {
      doing.percent = percent;
      if (performance.now() - toldMs < progressEveryMs) return;
      toldMs = performance.now();
      tell({ helper: me, percent });
    };
    onProgress({ percent: 0 });
    try {
      assertFilesOf(job, settings());
      const places = placesIn(folder, `pool-${token}`);
      await mkdir(places.scratchDir, { recursive: true, mode: 0o700 });
      const own = await jobOf(job.asked, places, settings(), networks);
      await transfers.receive(job.source, places.sourcePath, signal);
      const report = await engine.run(own, { signal, onProgress });
      const made = new Map(filesOf(own).filter(([, at]) => existsSync(at)));
      const files = await this.#send(job, made, token, signal);
      this.#speeds.ended(mainModelOf(job.asked), job.megapixels, startedMs, performance.now());
      this.#finished += 1;
      return { helper: me, attempt: job.attempt, files, report: plain(report) };
    } catch (thrown) {
      if (this.#closing.signal.aborted) throw new LeaveJob(0);
      // The submitter hears only the reason, so the details are logged here.
      this.#options.log('warn', 'A task of another machine was not done.', {
        submitter: job.submitter.name,
        error: String(thrown),
      });
      throw thrown;
    } finally {
      await clearAway(folder);
    }
  }

  /** Stores the files under this run's names: another run of the job, whose lease was lost, writes others. */
  async #send(
    job: PoolJob,
    made: ReadonlyMap<PoolResult['files'][0]['role'], string>,
    token: string,
    signal: AbortSignal,
  ): Promise<PoolResult['files']> {
    const sending = [...made].map(async ([role, from]) => {
      const name = `${job.folder}/${token}-${role}`;
      return { role, parcel: await this.#options.transfers.send(from, name, signal) };
    });
    return allOf(sending);
  }
}

/** Throws for a job whose files are not its submitter's own, or whose source is larger than this machine takes. */
function assertFilesOf(
  { submitter, folder, source }: PoolJob,
  { maxSourceBytes }: Pick<Settings, 'maxSourceBytes'>,
): void {
  if (!folder.startsWith(`${submitter.id}/`) || !source.name.startsWith(`${folder}/`))
    throw new UserFacingError('Its files are not in the folder of its submitter.');
  if (source.sizeBytes > maxSourceBytes)
    throw new EnlargerError(
      'SOURCE_TOO_LARGE',
      `The picture is larger than ${maxSourceBytes} bytes, the limit in the settings (maxSourceBytes).`,
    );
}

/** Makes plain JSON of a report, which drops fields that are undefined. */
const plain = (report: JobReport): PoolResult['report'] =>
  JSON.parse(JSON.stringify(report)) as PoolResult['report'];

function placesIn(folder: string, jobId: string) {
  const at = (name: string) => path.join(folder, name);
  return {
    jobId,
    sourcePath: at('source'),
    scratchDir: at('job'),
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
  } satisfies Omit<Partial<Job>, 'operation'>;
}
