/**
 * The service's side of the engine: it starts the engine when it is first needed, sends jobs, hears of them,
 * watches them, and kills and restarts an engine that hangs or takes too much memory. No engine outlives the
 * host.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Log } from '../../contract/log.ts';
import { createAwakeClock, type AwakeClock } from './awake-clock.ts';
import { EngineDied, EngineLife, type RunOptions } from './engine-life.ts';
import { startEngineProcess } from './engine-process.ts';
import {
  isToBeRenewed,
  judge,
  usualRenewal,
  type RenewalLimits,
  type WatchLimits,
} from './judge.ts';
import { roomFor } from '../plan/resource-budget.ts';
import type { RoomAsked } from '../protocol/room.ts';
import { createLookProcess, type LookProcess } from './look-process.ts';
import type {
  DeviceChoice,
  DeviceReport,
  Job,
  JobReport,
  Limits,
  Measured,
  NetworkFile,
  PictureWork,
  PictureWorkKind,
  PictureWorks,
  SourceInspection,
  SpeedMeasurement,
} from '../protocol/messages.ts';
import { openSpeeds } from '../plan/knowledge.ts';
import { speedAmong } from '../plan/speeds.ts';

export { EngineDied } from './engine-life.ts';
export type { RunOptions } from './engine-life.ts';

export interface EngineHostOptions {
  /** The path of a plain Node binary. */
  nodePath: string;
  enginePath: string;
  /** The folder in which the engine keeps what it measured of devices. */
  cacheDir: string;
  /** Asked when a job starts: what it leaves of the machine to others; absent: a job takes what it wants. */
  room?: () => RoomAsked;
  /** Gives the number of the chosen graphics card; absent: the first card is used. */
  card?: () => number;
  /** Gives the folder with libraries of a device that a person added; absent: there is none. */
  runtime?: () => string | undefined;
  /** Called when the first speed of a network became known. */
  onMeasured?: () => void;
  log: Log;
  /** The defaults are: start 60 s, alive 20 s, cancel 10 s, memory three quarters of the machine's. */
  limits?: Partial<WatchLimits>;
  /** By default an idle engine is renewed after 30 s when it holds more than 180 MB. */
  renewal?: RenewalLimits;
}

export interface EngineHost {
  /**
   * Runs a job. The promise rejects with EnlargerError (the job's failure; CANCELLED when the signal fired)
   * or EngineDied. Up to two jobs at a time are useful: one decodes or encodes while the other is in the
   * network.
   */
  run(job: Job, options: RunOptions): Promise<JobReport>;
  /**
   * Reads the head of a file in a process of its own, as most of the work beside the jobs is done: a file
   * that makes that process hang or die harms no job. The promise rejects with EnlargerError
   * (UNREADABLE_IMAGE, IMAGE_TOO_LARGE) or EngineDied.
   */
  inspect(path: string, limits: Limits): Promise<SourceInspection>;
  /**
   * Does a small piece of work beside the jobs. The promise rejects with EnlargerError or EngineDied. When
   * the process ended under the work, the host asks once more by itself. A process that does not answer
   * within the limit is killed.
   */
  work<Kind extends PictureWorkKind>(
    kind: Kind,
    asked: PictureWorks[Kind]['asked'],
    limitMs: number,
  ): Promise<PictureWorks[Kind]['answered']>;
  /** Tells what is known of devices, without a check; it gives the last answer when the engine is slow. */
  devices(): Promise<DeviceReport>;
  /** Gives all speeds that were measured, the latest last. */
  speeds(): readonly SpeedMeasurement[];
  /**
   * Gives the speed of a network on the device that it will run on. A speed that is not known is measured, at
   * a lower priority than all other work, which preempts it; the answer is undefined when it was preempted,
   * and the caller may ask again later. The promise rejects with EnlargerError or EngineDied.
   */
  measure(network: NetworkFile, device: DeviceChoice): Promise<Measured | undefined>;
  /** Starts the process ahead of the first job. */
  warmUp(): void;
  /** Ends the engine. Jobs that still run reject with EngineDied and are not blamed. */
  close(): Promise<void>;
  /** The process id of the running engine. */
  readonly pid?: number | undefined;
}

const tickMs = 250;
const inspectLimitMs = 30_000;
const devicesLimitMs = 3000;

export function createEngineHost(options: EngineHostOptions): EngineHost {
  return new Host(options);
}

class Host implements EngineHost {
  readonly #options: EngineHostOptions;
  readonly #limits: WatchLimits;
  readonly #clock: AwakeClock = createAwakeClock(tickMs);
  readonly #timer = setInterval(() => this.#watch(), tickMs).unref();
  /** Heads, thumbnails and texts take moments; decoding a large file or cutting its tiles takes minutes. */
  readonly #looks: Record<'short' | 'long', LookProcess>;
  #life: EngineLife | undefined;
  /** The card and the folder of libraries with which the running engine was started. */
  #card = 0;
  #runtime: string | undefined;
  #closed = false;
  #isRenewing = false;
  #lastReport: DeviceReport = { devices: [] };
  #speeds: readonly SpeedMeasurement[];

  constructor(options: EngineHostOptions) {
    this.#options = options;
    this.#speeds = openSpeeds(options.cacheDir)
      .all()
      .map(([, speed]) => speed);
    this.#limits = {
      startMs: 60_000,
      aliveMs: 20_000,
      cancelMs: 10_000,
      memoryBytes: 0.75 * totalmem(),
      ...options.limits,
    };
    this.#looks = { short: this.#createLookProcess(), long: this.#createLookProcess() };
  }

  #createLookProcess(): LookProcess {
    return createLookProcess({
      start: (onEnd) => this.#startProcess('look', onEnd),
      nowMs: () => this.#clock.nowMs(),
      limits: this.#limits,
      onEnded: (life, reason, message) => this.#logEnd(life, reason, message),
    });
  }

  get pid(): number | undefined {
    return this.#life?.process.pid;
  }

  async run(job: Job, runOptions: RunOptions): Promise<JobReport> {
    const asked = this.#options.room?.();
    const room = asked && roomFor(asked, availableParallelism());
    return this.#living().run(room ? { ...job, room } : job, runOptions);
  }

  inspect(path: string, limits: Limits): Promise<SourceInspection> {
    return this.#looks.short.ask('inspect', { path, limits }, inspectLimitMs);
  }

  async work<Kind extends PictureWorkKind>(
    kind: Kind,
    asked: PictureWorks[Kind]['asked'],
    limitMs: number,
  ): Promise<PictureWorks[Kind]['answered']> {
    const work = { do: kind, ...asked } as PictureWork;
    const ask = async () => this.#placeOf(kind).ask('work', work, limitMs);
    return ask().catch((error: unknown) => {
      // Work that hung would hang again.
      if (!(error instanceof EngineDied) || error.reason === 'hang' || this.#closed) throw error;
      return ask();
    });
  }

  /** Chooses the process for a kind of work: only work that needs a network is done where the jobs run. */
  #placeOf(kind: PictureWorkKind): Pick<LookProcess, 'ask'> {
    if (kind === 'preview') return this.#living();
    return kind === 'tiles' || kind === 'open' || kind === 'likeness'
      ? this.#looks.long
      : this.#looks.short;
  }

  async devices(): Promise<DeviceReport> {
    const timeLimit = new Promise((resolve) => setTimeout(resolve, devicesLimitMs).unref());
    await Promise.race([this.#askDevices(), timeLimit]);
    return this.#lastReport;
  }

  speeds(): readonly SpeedMeasurement[] {
    return this.#speeds;
  }

  #learn(speeds: readonly SpeedMeasurement[]): void {
    const known = speedAmong(this.#speeds);
    this.#speeds = speeds;
    if (speeds.some((one) => known(one) === undefined)) this.#options.onMeasured?.();
  }

  async #askDevices(): Promise<void> {
    try {
      const life = this.#living();
      const report = await life.ask('devices', undefined, inspectLimitMs);
      const isFirst = this.#lastReport.devices.length === 0;
      // An engine that was started anew knows less than the one before, until it has worked.
      if (isFirst || life.workedAtMs !== undefined) this.#lastReport = report;
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
    }
  }

  async measure(network: NetworkFile, device: DeviceChoice): Promise<Measured | undefined> {
    // The measurement may wait behind other work, and its own process has a limit.
    return this.#living().ask('measure', { network, device }, Infinity);
  }

  warmUp(): void {
    if (!this.#closed) this.#living();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const life = this.#life;
    if (life) this.#end(life, 'exit', 'The service is closing.', () => false);
    const looks = Object.values(this.#looks).map((one) => one.close());
    await Promise.all([life?.process.ended, ...looks]);
  }

  #living(): EngineLife {
    if (this.#closed) throw new EngineDied('exit', false, 'The engine was closed.');
    const isOther = this.#card !== this.#chosenCard() || this.#runtime !== this.#addedRuntime();
    if (this.#life?.jobIds.length === 0 && isOther) {
      this.#end(this.#life, 'exit', 'Another device was chosen or added.', () => false);
      this.#lastReport = { ...this.#lastReport, devices: [] };
    }
    this.#life ??= this.#start();
    return this.#life;
  }

  #chosenCard(): number {
    return this.#options.card?.() ?? 0;
  }

  #addedRuntime(): string | undefined {
    return this.#options.runtime?.();
  }

  #start(): EngineLife {
    this.#card = this.#chosenCard();
    this.#runtime = this.#addedRuntime();
    const life: EngineLife = this.#startProcess(this.#options.cacheDir, (how) =>
      this.#end(life, 'exit', `The engine ended (${how}).`, () => true),
    );
    return life;
  }

  #startProcess(mode: string, onEnd: (how: string) => void): EngineLife {
    if (this.#closed) throw new EngineDied('exit', false, 'The engine was closed.');
    return new EngineLife(
      (onMessage) =>
        startEngineProcess({
          ...this.#options,
          mode,
          card: this.#card,
          runtime: this.#runtime,
          onMessage: (message) => {
            if (message.kind === 'speeds') this.#learn(message.speeds);
            onMessage(message);
          },
          onEnd,
        }),
      () => this.#clock.nowMs(),
    );
  }

  #watch(): void {
    this.#clock.tick();
    for (const looks of Object.values(this.#looks)) looks.watch();
    const life = this.#life;
    if (!life) return;
    const verdict = judge(life.watched(), this.#clock.nowMs(), this.#limits);
    if (verdict) this.#end(life, verdict.reason, verdict.message, verdict.blames);
    else if (this.#isIdle(life) && !this.#isRenewing) void this.#renew(life);
  }

  #isIdle(life: EngineLife): boolean {
    const { renewal = usualRenewal } = this.#options;
    return isToBeRenewed(life.watched(), life.workedAtMs, this.#clock.nowMs(), renewal);
  }

  /** Replaces an idle engine. It is asked for its devices first, because a new one has tried none of them. */
  async #renew(life: EngineLife): Promise<void> {
    this.#isRenewing = true;
    await this.#askDevices();
    this.#isRenewing = false;
    if (this.#closed || this.#life !== life || !this.#isIdle(life)) return;
    this.#life = undefined;
    life.end('exit', 'The engine gives back its memory.', () => false);
    this.#living();
  }

  #end(
    life: EngineLife,
    reason: EngineDied['reason'],
    message: string,
    blames: (jobId: string) => boolean,
  ): void {
    if (this.#life !== life) return;
    this.#life = undefined;
    this.#logEnd(life, reason, message);
    // An engine that was never ready has seen no picture, so no job is blamed.
    if (life.watched().ready || this.#closed) life.end(reason, message, blames);
    else life.end('start', message, () => false);
  }

  #logEnd({ process: { pid }, jobIds: jobs }: EngineLife, reason: string, message: string): void {
    if (!this.#closed) this.#options.log('warn', message, { pid, jobs, reason });
  }
}
