/**
 * This machine's part in the pool, as the settings say: off, submitting, helping, or both. Loaded when an
 * address is set; never blocks a start or a task.
 */
import { reasonOf } from '../../contract/src/error-messages.ts';
import { pickDefined } from '../../contract/src/pick-defined.ts';
import { hostname } from 'node:os';
import type { Settings, SettingsPatch } from '../../contract/src/settings/settings.ts';
import type { Log } from '../../contract/src/log.ts';
import type { ModelDescriptor } from '../../contract/src/models/model.ts';
import type { HelperView, PoolView } from '../../contract/src/settings/pool.ts';
import type { EngineHost } from '../../../electron/engine/host/host.ts';
import type { MaskNetworkFile, NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { openTransfers } from './bytes/transfers.ts';
import { startHelper, type Helper } from './help/helper.ts';
import type { Machine, Capability } from './messages.ts';
import type { PoolServer } from './queue/server.ts';
import type { LeaseTimes } from './queue/work-queues.ts';
import { capabilityOf } from './skills.ts';
import { createQuarantine, type Quarantine } from './submit/quarantine.ts';
import { openSubmitter, type Submitter } from './submit/submitter.ts';
import { viewOfHelpers } from './view-helpers.ts';

/** Settings of this machine. */
interface SettingsSource {
  get(): Settings;
  /** Called after each stored patch. */
  onPatch(listener: (patch: SettingsPatch) => void): void;
}

/** Networks of this machine. */
interface PoolModels {
  readonly models: readonly ModelDescriptor[];
  find(modelId: string): ModelDescriptor | undefined;
  /** Ascending. */
  scalesOf(modelId: string): number[];
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openPasses(modelId: string, scale: number): Promise<NetworkFile[]>;
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openMaskNetwork(modelId: string): Promise<MaskNetworkFile>;
}

export interface PoolOptions {
  settings: SettingsSource;
  /** Permanent id of this machine, 16 hex digits. */
  id: string;
  engine: Pick<EngineHost, 'run' | 'inspect' | 'work' | 'measure' | 'speeds'>;
  models: PoolModels;
  /** True while tasks of this machine wait or run. */
  isBusy: () => boolean;
  scratchDir: string;
  log: Log;
  /** Called when `view` changed. */
  onChange(): void;
  times?: Partial<PoolTimes>;
}

/** Intervals that differ from the defaults. */
export interface PoolTimes extends LeaseTimes {
  /** Interval of updating this machine's capabilities. */
  learnEveryMs: number;
  /** Interval of a helper's heartbeats. */
  heartbeatEveryMs: number;
  /** Interval at which a submitter polls helpers and tasks. */
  tickMs: number;
  patienceMs: number;
}

export interface Pool {
  /** Joins the pool of the settings, now and whenever they change. `isBusy` is not called before. */
  start(): void;
  submitter(): Submitter | undefined;
  view(): Omit<PoolView, 'speedup'>;
  close(): Promise<void>;
}

interface OpenPool {
  server: PoolServer;
  submitter: Submitter | undefined;
  helper: Helper | undefined;
  close(): Promise<void>;
}

const speedsEveryMs = 5000;
const readyWithinMs = 2000;

export function createPool(options: PoolOptions): Pool {
  return new ChangingPool(options);
}

class ChangingPool implements Pool {
  readonly #options: PoolOptions;
  readonly #quarantine: Quarantine = createQuarantine();
  readonly #me: Machine;
  #timer: NodeJS.Timeout | undefined;
  #open: OpenPool | undefined;
  #wanted: Settings['pool'] | undefined;
  #changing: Promise<void> = Promise.resolve();
  #problem: string | undefined;
  /** The last announced view, as JSON. */
  #told = '';
  readonly #measured = new Set<string>();
  #isMeasuring = false;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#me = { id: options.id, name: hostname().slice(0, 100) };
  }

  start(): void {
    this.#options.settings.onPatch(({ pool }) => {
      if (pool) this.#change();
    });
    const { learnEveryMs = speedsEveryMs } = this.#options.times ?? {};
    this.#timer = setInterval(() => void this.#learn(), learnEveryMs).unref();
    this.#change();
  }

  submitter(): Submitter | undefined {
    return this.#open?.submitter;
  }

  view(): Omit<PoolView, 'speedup'> {
    const { address, key } = this.#options.settings.get().pool;
    const encrypted = key !== '';
    if (address === '') return { state: 'off', encrypted: false, helpers: [] };
    const { server, submitter } = this.#open ?? {};
    const reason = this.#problem ?? server?.problem() ?? submitter?.problem();
    if (server?.isReady() !== true || reason !== undefined)
      return reason === undefined
        ? { state: 'connecting', encrypted, helpers: [] }
        : { state: 'unreachable', reason, encrypted, helpers: [] };
    return { state: 'connected', encrypted, helpers: this.#helpers() };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#changing;
    await this.#open?.close();
    this.#open = undefined;
  }

  #tell(): void {
    const view = JSON.stringify(this.view());
    if (view === this.#told || this.#isClosed) return;
    this.#told = view;
    this.#options.onChange();
  }

  #helpers(): HelperView[] {
    const heard = this.#open?.submitter?.helpers ?? [];
    return viewOfHelpers(heard, {
      me: this.#me.id,
      asideNow: (id) => this.#quarantine.current(id, Date.now())?.reason,
      skillOf: (model) => this.#skill(model),
      ownAside: [...(this.#open?.helper?.quarantinedBy.values() ?? [])][0]?.reason,
    });
  }

  #change(): void {
    this.#changing = this.#changing
      .then(() => this.#become(this.#options.settings.get().pool))
      .then(() => this.#tell());
  }

  /** Never rejects: a pool that cannot be opened is reported in the view and retried. */
  async #become(wanted: Settings['pool']): Promise<void> {
    if (this.#isClosed || JSON.stringify(wanted) === JSON.stringify(this.#wanted)) return;
    this.#wanted = wanted;
    this.#problem = undefined;
    const former = this.#open;
    this.#open = undefined;
    await former?.close();
    if (wanted.address === '' || (!wanted.submit && !wanted.help)) return;
    try {
      this.#open = await this.#enter(wanted);
    } catch (thrown) {
      this.#problem = `${reasonOf(thrown)}.`;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.log('warn', 'The pool cannot be used.', { reason });
      this.#wanted = undefined;
      setTimeout(() => this.#change(), speedsEveryMs).unref();
    }
  }

  async #enter(wanted: Settings['pool']): Promise<OpenPool> {
    const { openPoolServer, createRegistry, createSubmitQueues, createHelpQueues, defaultTimes } =
      await import('./queue/queue.ts');
    const transfers = await openTransfers(wanted.storage, wanted.key);
    await transfers.storage.check();
    const server = openPoolServer(wanted.address);
    const registry = createRegistry(server.quick);
    const { engine, scratchDir, log, models, times = {} } = this.#options;
    const shared = { me: this.#me, registry, transfers, scratchDir, log };
    try {
      // Waits for the server, so that helpers are known to the first task.
      await server.untilReady(readyWithinMs);
      const submitter = await openSubmitter({
        ...shared,
        ...pickDefined(times, ['tickMs', 'patienceMs']),
        engine,
        quarantine: this.#quarantine,
        isReady: () => server.isReady(),
        onPolled: () => this.#tell(),
        openQueues: (listener) => createSubmitQueues(server, listener),
        skill: (model) => this.#skill(model),
        submits: wanted.submit,
      });
      const helper = wanted.help
        ? startHelper({
            ...shared,
            ...pickDefined(times, ['heartbeatEveryMs']),
            engine,
            openQueues: (work) => createHelpQueues(server, { ...defaultTimes, ...times }, work),
            networks: {
              network: async (model, scale) => only(await models.openPasses(model, scale)),
              maskNetwork: (model) => models.openMaskNetwork(model),
            },
            skills: () => Promise.resolve(this.#skills()),
            isBusy: this.#options.isBusy,
            settings: () => this.#options.settings.get(),
          })
        : undefined;
      return {
        server,
        submitter,
        helper,
        async close() {
          await Promise.allSettled([helper?.close(), submitter.close()]);
          server.close();
          transfers.storage.close();
        },
      };
    } catch (thrown) {
      server.close();
      throw thrown;
    }
  }

  #skill(id: string) {
    const model = this.#options.models.find(id);
    return model && capabilityOf(model, this.#options.engine.speeds());
  }

  #skills(): Omit<Capability, 'megapixelsPerSecond'>[] {
    return this.#options.models.models
      .map((model) => capabilityOf(model, this.#options.engine.speeds()))
      .filter((skill) => skill !== undefined);
  }

  /** Measures one unmeasured model while this machine helps and is idle. */
  async #learn(): Promise<void> {
    const { engine, settings, isBusy, models } = this.#options;
    if (settings.get().pool.address === '' || this.#isClosed) return;
    if (!this.#open?.helper || this.#isMeasuring || isBusy()) return;
    const unknown = models.models.find(
      (model) => !this.#measured.has(model.id) && !capabilityOf(model, engine.speeds()),
    );
    if (!unknown) return;
    this.#isMeasuring = true;
    await this.#measure(unknown);
    this.#isMeasuring = false;
  }

  async #measure({ id }: ModelDescriptor): Promise<void> {
    const { engine, models, settings, log } = this.#options;
    const scale = models.scalesOf(id)[0];
    if (scale === undefined) return;
    // Once only: what fails here would fail for a task too.
    this.#measured.add(id);
    try {
      const measured = await engine.measure(
        only(await models.openPasses(id, scale)),
        settings.get().device,
      );
      if (!measured) this.#measured.delete(id);
    } catch (thrown) {
      log('warn', 'A model could not be measured for the pool.', { id, reason: String(thrown) });
    }
  }
}

function only<T>(passes: T[]): T {
  const [pass] = passes;
  if (pass === undefined || passes.length > 1) throw new Error('Expected one pass for its scale.');
  return pass;
}
