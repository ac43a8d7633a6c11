/**
 * The service's side of the engine: starts it on demand, sends jobs, reports their progress, and kills and
 * restarts an engine that hangs or takes too much memory. No engine outlives the host.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Log } from '../../../packages/contract/src/log.ts';
import { createAwakeClock, type AwakeClock } from './awake-clock.ts';
import { EngineDied, EngineProcessHandle, type RunOptions } from './engine-process-handle.ts';
import { startEngineProcess } from './engine-process.ts';
import {
  shouldRecycle,
  checkHealth,
  defaultRecycling,
  type RecyclingLimits,
  type WatchLimits,
} from './watchdog.ts';
import { budgetFor } from '../plan/resource-budget.ts';
import type { ResourceBudgetInput } from '../protocol/resource-budget.ts';
import { createInspectorProcess, type InspectorProcess } from './inspector-process.ts';
import { hasGraphicsDevice, type SandboxPaths } from './sandbox.ts';
import type {
  DeviceChoice,
  DeviceReport,
  Job,
  JobReport,
  Limits,
  SpeedResult,
  NetworkFile,
  PictureWork,
  PictureWorkKind,
  PictureWorks,
  SourceInspection,
  SpeedMeasurement,
} from '../protocol/messages.ts';
import { openSpeeds } from '../plan/device-registry.ts';
import { measuredAmong } from '../plan/speeds.ts';

export { EngineDied } from './engine-process-handle.ts';
export type { RunOptions } from './engine-process-handle.ts';

export interface EngineHostOptions {
  /** Path of a plain Node binary. */
  nodePath: string;
  enginePath: string;
  /** Folder of the engine's device measurements. */
  cacheDir: string;
  /** Called when a job starts; absent: the job's resources are not limited. */
  budget?: () => ResourceBudgetInput;
  /** Returns the index of the chosen graphics card; absent: the first card. */
  card?: () => number;
  /** Returns the folder with added libraries of a device; absent: none. */
  runtime?: () => string | undefined;
  /** All files of the person's that engine processes need; absent: the processes have no sandbox. */
  sandbox?: EngineSandbox;
  /** Called when the first speed of a network becomes known. */
  onMeasured?: () => void;
  log: Log;
  /** Defaults: start 60 s, heartbeat 20 s, cancel 10 s, memory three quarters of the machine's. */
  limits?: Partial<WatchLimits>;
  /** Default: an engine idle for 30 s is restarted if it holds more than 180 MB. */
  recycling?: RecyclingLimits;
}

interface EngineSandbox {
  inspectors: SandboxPaths;
  /** Used where there is no graphics card: drivers need more of the system than is documented. */
  jobs: SandboxPaths;
}

export interface EngineHost {
  /**
   * Runs a job. Up to two at a time are useful: one decodes or encodes while the other is in the network.
   *
   * @throws EnlargerError the job's failure, CANCELLED if the signal fired
   * @throws EngineDied
   */
  run(job: Job, options: RunOptions): Promise<JobReport>;
  /**
   * Reads a file's header in the inspector process: a file that makes it hang or crash harms no job.
   *
   * @throws EnlargerError UNREADABLE_IMAGE, IMAGE_TOO_LARGE
   * @throws EngineDied
   */
  inspect(path: string, limits: Limits, isWhole?: boolean): Promise<SourceInspection>;
  /**
   * Does a small piece of work outside jobs. If the process ends during the work, the host tries once more; a
   * process that does not respond within the limit is killed.
   *
   * @throws EnlargerError or EngineDied
   */
  work<Kind extends PictureWorkKind>(
    kind: Kind,
    request: PictureWorks[Kind]['request'],
    limitMs: number,
  ): Promise<PictureWorks[Kind]['response']>;
  /** Reports the known state of devices without a check; the preceding report if the engine is slow. */
  devices(): Promise<DeviceReport>;
  /** All measured speeds, the latest last. */
  speeds(): readonly SpeedMeasurement[];
  /**
   * Returns the speed of a network on the device that it will use. An unknown speed is measured at a lower
   * priority than all other work, which preempts it; undefined if it was preempted, and the caller may try
   * again later.
   *
   * @throws EnlargerError or EngineDied
   */
  measure(network: NetworkFile, device: DeviceChoice): Promise<SpeedResult | undefined>;
  /** Starts the process ahead of the first job. */
  warmUp(): void;
  /** Ends the engine. Running jobs reject with EngineDied and are not blamed. */
  close(): Promise<void>;
  /** Process id of the running engine. */
  readonly pid?: number | undefined;
}

const tickMs = 250;
/** Longer than any header may take on a busy machine, where its decoder waits for the processor. */
const inspectLimitMs = 90_000;
/** Listing the devices. */
const deviceListLimitMs = 30_000;
const devicesLimitMs = 3000;

export function createEngineHost(options: EngineHostOptions): EngineHost {
  return new Host(options);
}

class Host implements EngineHost {
  readonly #options: EngineHostOptions;
  readonly #limits: WatchLimits;
  readonly #clock: AwakeClock = createAwakeClock(tickMs);
  readonly #timer = setInterval(() => this.#watch(), tickMs).unref();
  /**
   * Headers, thumbnails and metadata take moments; decoding a large file or cutting its tiles takes minutes.
   */
  readonly #inspectors: Record<'short' | 'long', InspectorProcess>;
  #engine: EngineProcessHandle | undefined;
  /** Card and library folder of the running engine. */
  #card = 0;
  #runtime: string | undefined;
  #closed = false;
  #isRecycling = false;
  #lastReport: DeviceReport = { devices: [] };
  #speeds: readonly SpeedMeasurement[];

  constructor(options: EngineHostOptions) {
    this.#options = options;
    this.#speeds = openSpeeds(options.cacheDir)
      .all()
      .map(([, speed]) => speed);
    this.#limits = {
      startMs: 60_000,
      heartbeatMs: 20_000,
      cancelMs: 10_000,
      memoryBytes: 0.75 * totalmem(),
      ...options.limits,
    };
    this.#inspectors = { short: this.#createInspector(), long: this.#createInspector() };
  }

  #createInspector(): InspectorProcess {
    return createInspectorProcess({
      start: (onEnd) => this.#startProcess('inspect', this.#options.sandbox?.inspectors, onEnd),
      nowMs: () => this.#clock.nowMs(),
      limits: this.#limits,
      onEnded: (engine, reason, message) => this.#logEnd(engine, reason, message),
    });
  }

  get pid(): number | undefined {
    return this.#engine?.process.pid;
  }

  async run(job: Job, runOptions: RunOptions): Promise<JobReport> {
    const asked = this.#options.budget?.();
    const budget = asked && budgetFor(asked, availableParallelism());
    return this.#ensureRunning().run(budget ? { ...job, budget } : job, runOptions);
  }

  inspect(path: string, limits: Limits, isWhole = false): Promise<SourceInspection> {
    return this.#inspectors.short.request('inspect', { path, limits, isWhole }, inspectLimitMs);
  }

  async work<Kind extends PictureWorkKind>(
    kind: Kind,
    request: PictureWorks[Kind]['request'],
    limitMs: number,
  ): Promise<PictureWorks[Kind]['response']> {
    const work = { do: kind, ...request } as PictureWork;
    const attempt = async () => this.#processFor(kind).request('work', work, limitMs);
    return attempt().catch((error: unknown) => {
      // Work that hung would hang again.
      if (!(error instanceof EngineDied) || error.reason === 'hang' || this.#closed) throw error;
      return attempt();
    });
  }

  /** Only work that needs a network runs in the engine of the jobs. */
  #processFor(kind: PictureWorkKind): Pick<InspectorProcess, 'request'> {
    if (kind === 'preview' || kind === 'liveMask') return this.#ensureRunning();
    return kind === 'tiles' || kind === 'open' || kind === 'likeness'
      ? this.#inspectors.long
      : this.#inspectors.short;
  }

  async devices(): Promise<DeviceReport> {
    const timeLimit = new Promise((resolve) => setTimeout(resolve, devicesLimitMs).unref());
    await Promise.race([this.#queryDevices(), timeLimit]);
    return this.#lastReport;
  }

  speeds(): readonly SpeedMeasurement[] {
    return this.#speeds;
  }

  #updateSpeeds(speeds: readonly SpeedMeasurement[]): void {
    const known = measuredAmong(this.#speeds);
    this.#speeds = speeds;
    if (speeds.some((one) => known(one) === undefined)) this.#options.onMeasured?.();
  }

  async #queryDevices(): Promise<void> {
    try {
      const engine = this.#ensureRunning();
      const report = await engine.request('devices', undefined, deviceListLimitMs);
      const isFirst = this.#lastReport.devices.length === 0;
      // A restarted engine knows less than its predecessor until it has done some work.
      if (isFirst || engine.lastWorkAtMs !== undefined) this.#lastReport = report;
    } catch (error) {
      if (!(error instanceof EngineDied)) throw error;
    }
  }

  async measure(network: NetworkFile, device: DeviceChoice): Promise<SpeedResult | undefined> {
    // No limit: the measurement may queue behind other work, and its own process has one.
    return this.#ensureRunning().request('measure', { network, device }, Infinity);
  }

  warmUp(): void {
    if (!this.#closed) this.#ensureRunning();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const engine = this.#engine;
    if (engine) this.#end(engine, 'exit', 'The service is closing.', () => false);
    const inspectors = Object.values(this.#inspectors).map((one) => one.close());
    await Promise.all([engine?.process.ended, ...inspectors]);
  }

  #ensureRunning(): EngineProcessHandle {
    if (this.#closed) throw new EngineDied('exit', false, 'The engine was closed.');
    const hasChanged = this.#card !== this.#chosenCard() || this.#runtime !== this.#runtimeFolder();
    if (this.#engine?.jobIds.length === 0 && hasChanged) {
      this.#end(this.#engine, 'exit', 'Another device was chosen or added.', () => false);
      this.#lastReport = { ...this.#lastReport, devices: [] };
    }
    this.#engine ??= this.#start();
    return this.#engine;
  }

  #chosenCard(): number {
    return this.#options.card?.() ?? 0;
  }

  #runtimeFolder(): string | undefined {
    return this.#options.runtime?.();
  }

  #start(): EngineProcessHandle {
    this.#card = this.#chosenCard();
    this.#runtime = this.#runtimeFolder();
    const sandbox = hasGraphicsDevice() ? undefined : this.#options.sandbox?.jobs;
    const engine: EngineProcessHandle = this.#startProcess(this.#options.cacheDir, sandbox, (how) =>
      this.#end(engine, 'exit', `The engine ended (${how}).`, () => true),
    );
    return engine;
  }

  #startProcess(
    mode: string,
    sandbox: SandboxPaths | undefined,
    onEnd: (how: string) => void,
  ): EngineProcessHandle {
    if (this.#closed) throw new EngineDied('exit', false, 'The engine was closed.');
    return new EngineProcessHandle(
      (onMessage) =>
        startEngineProcess({
          ...this.#options,
          mode,
          sandbox,
          card: this.#card,
          runtime: this.#runtime,
          onMessage: (message) => {
            if (message.kind === 'speeds') this.#updateSpeeds(message.speeds);
            onMessage(message);
          },
          onEnd,
        }),
      () => this.#clock.nowMs(),
    );
  }

  #watch(): void {
    this.#clock.tick();
    for (const inspectors of Object.values(this.#inspectors)) inspectors.watch();
    const engine = this.#engine;
    if (!engine) return;
    const verdict = checkHealth(engine.snapshot(), this.#clock.nowMs(), this.#limits);
    if (verdict) this.#end(engine, verdict.reason, verdict.message, verdict.blames);
    else if (this.#isIdle(engine) && !this.#isRecycling) void this.#recycle(engine);
  }

  #isIdle(engine: EngineProcessHandle): boolean {
    const { recycling = defaultRecycling } = this.#options;
    return shouldRecycle(engine.snapshot(), engine.lastWorkAtMs, this.#clock.nowMs(), recycling);
  }

  /** Replaces an idle engine. Its devices are queried first, because a new one has tried none of them. */
  async #recycle(engine: EngineProcessHandle): Promise<void> {
    this.#isRecycling = true;
    await this.#queryDevices();
    this.#isRecycling = false;
    if (this.#closed || this.#engine !== engine || !this.#isIdle(engine)) return;
    this.#engine = undefined;
    engine.end('exit', 'The engine gives back its memory.', () => false);
    this.#ensureRunning();
  }

  #end(
    engine: EngineProcessHandle,
    reason: EngineDied['reason'],
    message: string,
    blames: (jobId: string) => boolean,
  ): void {
    if (this.#engine !== engine) return;
    this.#engine = undefined;
    this.#logEnd(engine, reason, message);
    // An engine that was never ready has processed no picture, so no job is blamed.
    if (engine.snapshot().ready || this.#closed) engine.end(reason, message, blames);
    else engine.end('start', message, () => false);
  }

  #logEnd(
    { process: { pid }, jobIds: jobs }: EngineProcessHandle,
    reason: string,
    message: string,
  ): void {
    if (!this.#closed) this.#options.log('warn', message, { pid, jobs, reason });
  }
}
