/** Models and devices of this machine, as the service knows them. */
import type { Operation } from '../../../packages/contract/src/request.ts';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type {
  DeviceView,
  GraphicsCard,
  ModelSpeed,
  ModelView,
} from '../../../packages/contract/src/models/model.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';

type MachineChoice = Pick<Settings, 'device' | 'graphicsCard' | 'leaveRoom' | 'keepAliveMinutes'>;

/** The machine must be loaded again when any of these settings is changed elsewhere. */
export const machineSettings = [
  'device',
  'graphicsCard',
  'leaveRoom',
  'keepAliveMinutes',
  'pool',
  'defaultUpscaler',
  'defaultRemover',
  'defaultSelector',
] as const;

export class Machine {
  models = $state.raw<ModelView[]>([]);
  /** Returns the name of a model, or its id where it is gone. */
  readonly nameOf = (id: string): string =>
    this.models.find((model) => model.id === id)?.name ?? id;

  /** The list of models has been read. */
  isLoaded = $state(false);
  devices = $state.raw<DeviceView[]>([]);
  /**
   * The choices are a device or 'auto', the number of the graphics card, what is left to other programs, and
   * for how many minutes networks stay in memory when nothing runs.
   */
  chosen = $state.raw<MachineChoice>({
    device: 'auto',
    graphicsCard: 0,
    leaveRoom: 'auto',
    keepAliveMinutes: 5,
  });
  /** Some devices need files beside Enlarger. */
  hasDeviceFiles = $state(false);
  cards = $state.raw<GraphicsCard[]>([]);
  /** Other machines may run tasks of this one. */
  isShared = $state(false);
  #speedup = $state(1);
  readonly #client: Client;

  readonly upscalers = $derived(this.models.filter(({ task }) => task === 'upscale'));
  readonly removers = $derived(this.models.filter(({ task }) => task === 'remove-bg'));
  /** Models that answer clicks and boxes of cut-outs. */
  readonly selectors = $derived(this.models.filter(({ task }) => task === 'select'));
  readonly device = $derived(this.devices.find(({ state }) => state === 'in-use'));
  /** Speed of the default model on the device in use; at 2x where measured. */
  readonly speed = $derived(this.speedOf(this.modelOf('upscale', '')));

  constructor(client: Client) {
    this.#client = client;
  }

  /** The named model, or the default. */
  modelOf(operation: Operation, id: string): ModelView | undefined {
    const models = operation === 'upscale' ? this.upscalers : this.removers;
    return (
      models.find((model) => model.id === id) ??
      models.find(({ isDefault }) => isDefault) ??
      models[0]
    );
  }

  /** Models that make the scale, also by reducing a larger result; the default first. */
  modelsFor(operation: Operation, scale: number): readonly ModelView[] {
    const first = this.modelOf(operation, '');
    const isFit = ({ scales }: ModelView) =>
      operation === 'remove-bg' ||
      (scale === 1 ? scales.includes(1) : scales.some((one) => one >= scale));
    const models = operation === 'upscale' ? this.upscalers : this.removers;
    return models.filter(isFit).sort((a, b) => Number(b === first) - Number(a === first));
  }

  /** The speed at a scale, else at 2x, else at any. */
  speedOf(model: ModelView | undefined, scale = 2): ModelSpeed | undefined {
    const measured = (model?.speed ?? []).filter(({ provider }) => {
      return this.device === undefined || provider === this.device.provider;
    });
    const at = (wanted: number) => measured.find((speed) => speed.scale === wanted);
    return at(scale) ?? at(2) ?? measured[0];
  }

  /**
   * Changes choices for what is started from now on, and shows them at once. When the service refuses them,
   * it throws an ApiError and the choices are as before.
   */
  async choose(patch: Partial<MachineChoice>): Promise<void> {
    const before = this.chosen;
    this.chosen = { ...before, ...patch };
    try {
      await this.#client.changeSettings(patch);
    } catch (error) {
      this.chosen = before;
      throw error;
    }
  }

  /** All machines that share the batch are together so many times as fast as this one. */
  get speedup(): number {
    return this.isShared ? this.#speedup : 1;
  }

  /** Reads the pool's speed, which stays as it was while the service does not answer. */
  async loadPool(): Promise<void> {
    this.#speedup = (await unlessRefused(this.#client.pool()))?.speedup ?? this.#speedup;
  }

  /** Reads everything anew; all stays as it was while the service does not answer. */
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
