/** What this machine can run: models and devices, as the service knows them. */
import type { Operation } from '../../../electron/contract/submit.ts';
import type { Settings } from '../../../electron/contract/admin.ts';
import type { DeviceView, GraphicsCard, ModelView } from '../../../electron/contract/model.ts';
import type { Client } from '../../../electron/client/client.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';

type Chosen = Pick<Settings, 'device' | 'graphicsCard' | 'leaveRoom' | 'keepAliveMinutes'>;

/** Whatever of them is set elsewhere is to be loaded again. */
export const machineSettings = [
  'device',
  'graphicsCard',
  'leaveRoom',
  'keepAliveMinutes',
  'pool',
  'defaultUpscaler',
  'defaultRemover',
] as const;

export class Machine {
  models = $state.raw<ModelView[]>([]);
  /** The service has told of them. */
  isLoaded = $state(false);
  devices = $state.raw<DeviceView[]>([]);
  /**
   * A device or 'auto', the place of the graphics card, what is left to other programs, and for how many minutes
   * networks stay in memory when nothing runs.
   */
  chosen = $state.raw<Chosen>({
    device: 'auto',
    graphicsCard: 0,
    leaveRoom: 'auto',
    keepAliveMinutes: 5,
  });
  /** Whether some need files beside Enlarger. */
  hasDeviceFiles = $state(false);
  cards = $state.raw<GraphicsCard[]>([]);
  /** Whether others may run tasks of this machine. */
  isShared = $state(false);
  #speedup = $state(1);
  readonly #client: Client;

  readonly upscalers = $derived(this.models.filter(({ task }) => task === 'upscale'));
  readonly removers = $derived(this.models.filter(({ task }) => task === 'remove-bg'));
  readonly device = $derived(this.devices.find(({ state }) => state === 'in-use'));
  /** Input megapixels a second of the usual model on the device that is in use; its 2x where measured. */
  readonly speed = $derived(this.speedOf(this.modelOf('upscale', '')));

  constructor(client: Client) {
    this.#client = client;
  }

  /** The one that is named, or the usual one. */
  modelOf(operation: Operation, id: string): ModelView | undefined {
    const models = operation === 'upscale' ? this.upscalers : this.removers;
    return (
      models.find((model) => model.id === id) ??
      models.find(({ isDefault }) => isDefault) ??
      models[0]
    );
  }

  speedOf(model: ModelView | undefined, scale = 2): number | undefined {
    const measured = (model?.speed ?? []).filter(({ provider }) => {
      return this.device === undefined || provider === this.device.provider;
    });
    const wanted = measured.find((speed) => speed.scale === scale) ?? measured[0];
    return wanted?.megapixelsPerSecond;
  }

  /** For what is started from now on: shown at once. Throws an ApiError, and leaves it as it was then. */
  async choose(patch: Partial<Chosen>): Promise<void> {
    const before = this.chosen;
    this.chosen = { ...before, ...patch };
    try {
      await this.#client.changeSettings(patch);
    } catch (error) {
      this.chosen = before;
      throw error;
    }
  }

  /** How many times as fast as this machine all that share the batch are. */
  get speedup(): number {
    return this.isShared ? this.#speedup : 1;
  }

  /** Stays as it was while the service does not answer. */
  async lookAtPool(): Promise<void> {
    this.#speedup = (await unlessRefused(this.#client.pool()))?.speedup ?? this.#speedup;
  }

  /** Stays as it was while the service does not answer. */
  async load(): Promise<void> {
    await unlessRefused(this.#load());
  }

  async #load(): Promise<void> {
    this.models = (await this.#client.models()).models;
    this.isLoaded = true;
    const { devices, graphicsCards } = await this.#client.devices();
    this.devices = devices;
    this.cards = graphicsCards;
    this.hasDeviceFiles = (await this.#client.deviceFiles()).deviceFiles.length > 0;
    const settings = await this.#client.settings();
    const { device, graphicsCard, leaveRoom, keepAliveMinutes, pool } = settings;
    this.chosen = { device, graphicsCard, leaveRoom, keepAliveMinutes };
    this.isShared = pool.submit && pool.address !== '';
  }
}
