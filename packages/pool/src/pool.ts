/**
 * The pool of this machine is what the settings want it to be: off, submitting, helping, or both. Its code is
 * loaded when an address is set, and it never blocks a start or a task.
 */
import { reasonOf } from '../../../electron/contract/error-messages.ts';
import { pickDefined } from '../../../electron/contract/pick-defined.ts';
import { hostname } from 'node:os';
import type { Settings, SettingsPatch } from '../../../electron/contract/settings/settings.ts';
import type { Log } from '../../../electron/contract/log.ts';
import type { ModelDescriptor } from '../../../electron/contract/models/model.ts';
import type { HelperView, PoolView } from '../../../electron/contract/settings/pool.ts';
import type { EngineHost } from '../../../electron/engine/host/host.ts';
import type { MaskNetworkFile, NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { openTransfers } from './bytes/transfers.ts';
import { startHelper, type Helper } from './help/helper.ts';
import type { Named, Skill } from './messages.ts';
import type { PoolServer } from './queue/server.ts';
import type { LeaseTimes } from './queue/work-queues.ts';
import { skillOf } from './skills.ts';
import { createQuarantine, type Quarantine } from './submit/quarantine.ts';
import { openSubmitter, type Submitter } from './submit/submitter.ts';
import { viewOfHelpers } from './view-helpers.ts';

/** The settings of this machine. */
interface PoolSettings {
  get(): Settings;
  /** Calls the listener with each later patch, once the patch is stored. */
  onPatch(listener: (patch: SettingsPatch) => void): void;
}

/** The networks of this machine. */
interface PoolModels {
  readonly models: readonly ModelDescriptor[];
  find(modelId: string): ModelDescriptor | undefined;
  /** The scales that a model can make, the smallest first. */
  scalesOf(modelId: string): number[];
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openPasses(modelId: string, scale: number): Promise<NetworkFile[]>;
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openMaskNetwork(modelId: string): Promise<MaskNetworkFile>;
}

export interface PoolOptions {
  settings: PoolSettings;
  /** The 16 hexadecimal digits that this machine keeps for good. */
  id: string;
  engine: Pick<EngineHost, 'run' | 'inspect' | 'work' | 'measure' | 'speeds'>;
  models: PoolModels;
  /** Says whether tasks of this machine wait or run. */
  isBusy: () => boolean;
  scratchDir: string;
  log: Log;
  /** Is called when `view` answers something else than before. */
  onChange(): void;
  times?: Partial<PoolTimes>;
}

/** The waiting times of the pool's parts, where they differ from the usual ones. */
export interface PoolTimes extends LeaseTimes {
  /** The time between two looks for what this machine can run. */
  learnEveryMs: number;
  /** The time between two heartbeats of a helper. */
  heartbeatEveryMs: number;
  /** The time between two looks of a submitter at helpers and tasks. */
  tickMs: number;
  patienceMs: number;
}

export interface Pool {
  /** Enters the pool that the settings name, now and whenever they change. Before that `isBusy` is not asked. */
  start(): void;
  submitter(): Submitter | undefined;
  view(): Omit<PoolView, 'speedup'>;
  close(): Promise<void>;
}

interface Open {
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
  readonly #me: Named;
  #timer: NodeJS.Timeout | undefined;
  #open: Open | undefined;
  #wanted: Settings['pool'] | undefined;
  #changing: Promise<void> = Promise.resolve();
  #problem: string | undefined;
  /** The view that was last announced, as JSON. */
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
      asideNow: (id) => this.#quarantine.asideNow(id, Date.now())?.reason,
      skillOf: (model) => this.#skill(model),
      ownAside: [...(this.#open?.helper?.asideBy.values() ?? [])][0]?.reason,
    });
  }

  #change(): void {
    this.#changing = this.#changing
      .then(() => this.#become(this.#options.settings.get().pool))
      .then(() => this.#tell());
  }

  /** Never rejects: a pool that cannot be opened is reported in its view and tried again. */
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

  async #enter(wanted: Settings['pool']): Promise<Open> {
    const { openPoolServer, createRegistry, createSubmitQueues, createHelpQueues, usualTimes } =
      await import('./queue/queue.ts');
    const transfers = await openTransfers(wanted.storage, wanted.key);
    await transfers.storage.check();
    const server = openPoolServer(wanted.address);
    const registry = createRegistry(server.quick);
    const { engine, scratchDir, log, models, times = {} } = this.#options;
    const shared = { me: this.#me, registry, transfers, scratchDir, log };
    try {
      // The server is waited for, so that helpers are known when the first task asks for one.
      await server.untilReady(readyWithinMs);
      const submitter = await openSubmitter({
        ...shared,
        ...pickDefined(times, ['tickMs', 'patienceMs']),
        engine,
        quarantine: this.#quarantine,
        isReady: () => server.isReady(),
        onLooked: () => this.#tell(),
        openQueues: (listener) => createSubmitQueues(server, listener),
        skill: (model) => this.#skill(model),
        submits: wanted.submit,
      });
      const helper = wanted.help
        ? startHelper({
            ...shared,
            ...pickDefined(times, ['heartbeatEveryMs']),
            engine,
            openQueues: (work) => createHelpQueues(server, { ...usualTimes, ...times }, work),
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
    return model && skillOf(model, this.#options.engine.speeds());
  }

  #skills(): Omit<Skill, 'megapixelsPerSecond'>[] {
    return this.#options.models.models
      .map((model) => skillOf(model, this.#options.engine.speeds()))
      .filter((skill) => skill !== undefined);
  }

  /** Measures one more model that has no speed yet, where this machine helps and has nothing else to do. */
  async #learn(): Promise<void> {
    const { engine, settings, isBusy, models } = this.#options;
    if (settings.get().pool.address === '' || this.#isClosed) return;
    if (!this.#open?.helper || this.#isMeasuring || isBusy()) return;
    const unknown = models.models.find(
      (model) => !this.#measured.has(model.id) && !skillOf(model, engine.speeds()),
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
    // A model is tried only once, because what fails here fails for a task as well.
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
