/**
 * Helper: runs jobs of other machines that its networks can run, in its own engine with its own settings, and
 * returns the results. This machine's own tasks have priority.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import type { Settings } from '../../../contract/src/settings/settings.ts';
import type { Log } from '../../../contract/src/log.ts';
import type { EngineHost } from '../../../../electron/engine/host/host.ts';
import type { Job, JobReport } from '../../../../electron/engine/protocol/messages.ts';
import { clearAway } from '../../../files/src/clear-away.ts';
import { allOf } from '../all-of.ts';
import type { Transfers } from '../bytes/transfers.ts';
import { filesOf, jobOf, mainModelOf, type NetworkFiles } from '../job-travel.ts';
import type {
  AsideNotice,
  Heartbeat,
  Machine,
  PoolJob,
  PoolResult,
  Capability,
} from '../messages.ts';
import type { Registry } from '../queue/registry.ts';
import type { LeasedJob, HelpQueues } from '../queue/work-queues.ts';
import { queueOf } from '../skills.ts';
import { DeclinedJob, declineForMs } from '../take.ts';
import { createOwnSpeeds } from './speeds.ts';

interface HelperOptions {
  me: Machine;
  registry: Registry;
  transfers: Transfers;
  openQueues(work: (leased: LeasedJob) => Promise<PoolResult>): HelpQueues;
  engine: Pick<EngineHost, 'run'>;
  networks: NetworkFiles;
  /** Capabilities, as far as the engine has chosen precisions. */
  skills: () => Promise<Omit<Capability, 'megapixelsPerSecond'>[]>;
  /** True while tasks of this machine wait or run. */
  isBusy: () => boolean;
  settings: () => Settings;
  scratchDir: string;
  log: Log;
  heartbeatEveryMs?: number;
}

export interface Helper {
  /** Submitters that quarantined this helper, with their reasons. */
  readonly quarantinedBy: ReadonlyMap<string, AsideNotice>;
  close(): Promise<void>;
}

/** One job decodes or encodes while the other is in the network. */
export const helperSlots = 2;
const defaultHeartbeatEveryMs = 2000;
const progressEveryMs = 500;

interface RunningJob {
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
  readonly #doing = new Set<RunningJob>();
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #quarantinedBy: ReadonlyMap<string, AsideNotice> = new Map();
  #beating: Promise<void>;
  #serves: ReadonlySet<string> = new Set();
  #finished = 0;

  constructor(options: HelperOptions) {
    this.#options = options;
    this.#queues = options.openQueues((leased) => this.#work(leased));
    this.#beating = this.#beat();
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, options.heartbeatEveryMs ?? defaultHeartbeatEveryMs).unref();
  }

  get quarantinedBy(): ReadonlyMap<string, AsideNotice> {
    return this.#quarantinedBy;
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
    const heartbeat: Heartbeat = {
      version: 1,
      ...me,
      skills: withSpeed,
      slots,
      doing,
      finished: this.#finished,
    };
    try {
      await registry.beat(heartbeat);
      this.#quarantinedBy = await registry.quarantinedBy(me.id);
    } catch {
      // The next heartbeat follows.
    }
  }

  async #work(leased: LeasedJob): Promise<PoolResult> {
    const { job } = leased;
    const { me, isBusy } = this.#options;
    const waitMs = declineForMs(job, {
      me: me.id,
      quarantinedBy: this.#quarantinedBy,
      isBusy: isBusy(),
      megapixelsPerSecond: this.#speeds.of(mainModelOf(job.asked)),
      serves: this.#serves,
    });
    // Each queue's worker may deliver as many jobs as the helper has slots in total.
    const isFull = this.#doing.size >= helperSlots;
    if (waitMs > 0 || isFull) throw new DeclinedJob(isFull ? 300 : waitMs);
    const doing = { job, percent: 0 };
    this.#doing.add(doing);
    try {
      return await this.#make(leased, doing);
    } finally {
      this.#doing.delete(doing);
    }
  }

  async #make(
    { job, signal: leaseSignal, report }: LeasedJob,
    doing: RunningJob,
  ): Promise<PoolResult> {
    const { me, transfers, engine, networks, settings, scratchDir } = this.#options;
    const signal = AbortSignal.any([leaseSignal, this.#closing.signal]);
    const startedMs = performance.now();
    const token = randomBytes(6).toString('hex');
    const folder = path.join(scratchDir, `helping-${token}`);
    let reportedMs = -Infinity;
    const onProgress = ({ percent }: { percent: number }) => {
      doing.percent = percent;
      if (performance.now() - reportedMs < progressEveryMs) return;
      reportedMs = performance.now();
      report({ helper: me, percent });
    };
    onProgress({ percent: 0 });
    try {
      assertFilesOf(job, settings());
      const paths = pathsIn(folder, `pool-${token}`);
      await mkdir(paths.scratchDir, { recursive: true, mode: 0o700 });
      const own = await jobOf(job.asked, paths, settings(), networks);
      await transfers.receive(job.source, paths.sourcePath, signal);
      const report = await engine.run(own, { signal, onProgress });
      const made = new Map(filesOf(own).filter(([, at]) => existsSync(at)));
      const files = await this.#send(job, made, token, signal);
      // By the picture and not by the job's own number, which is the submitter's word.
      const megapixels = (report.input.width * report.input.height) / 1e6;
      this.#speeds.ended(mainModelOf(job.asked), megapixels, startedMs, performance.now());
      this.#finished += 1;
      return { helper: me, attempt: job.attempt, files, report: plain(report) };
    } catch (thrown) {
      if (this.#closing.signal.aborted) throw new DeclinedJob(0);
      // The submitter receives the reason only, so details are logged here.
      this.#options.log('warn', 'A task of another machine was not done.', {
        submitter: job.submitter.name,
        error: String(thrown),
      });
      throw thrown;
    } finally {
      await clearAway(folder);
    }
  }

  /** Names contain this run's token: another run of the job, after a lost lease, writes others. */
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

/** Rejects files outside the submitter's folder, and sources above this machine's limit. */
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

/** JSON form, which drops undefined fields. */
const plain = (report: JobReport): PoolResult['report'] =>
  JSON.parse(JSON.stringify(report)) as PoolResult['report'];

function pathsIn(folder: string, jobId: string) {
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
