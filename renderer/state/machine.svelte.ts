/** What this machine can run: models and devices, as the service knows them. */
import type { Operation } from '../../electron/contract/submit.ts';
import type { DeviceChoice } from '../../electron/contract/devices.ts';
import type { RoomChoice, SettingsPatch } from '../../electron/contract/admin.ts';
import type { DeviceView, GraphicsCard, ModelView } from '../../electron/contract/model.ts';
import type { Client } from '../../electron/client/client.ts';
import { unlessRefused } from '../api/calls.svelte.ts';

export class Machine {
  models = $state.raw<ModelView[]>([]);
  /** The service has told of them. */
  isLoaded = $state(false);
  devices = $state.raw<DeviceView[]>([]);
  /** The device that was chosen, or 'auto'. */
  wanted = $state<DeviceChoice>('auto');
  /** Whether some need files beside Enlarger. */
  hasDeviceFiles = $state(false);
  cards = $state.raw<GraphicsCard[]>([]);
  /** The chosen one's place among them. */
  card = $state(0);
  /** What of the machine is left to other programs. */
  room = $state<RoomChoice>('auto');
  /** Minutes for which networks stay in memory when nothing runs. */
  keepAlive = $state(5);
  /** How many times as fast as this machine all that share the batch are. */
  speedup = $state(1);
  readonly #client: Client;

  readonly upscalers = $derived(this.models.filter(({ task }) => task === 'upscale'));
  readonly removers = $derived(this.models.filter(({ task }) => task === 'remove-bg'));
  readonly device = $derived(this.devices.find(({ state }) => state === 'in-use'));
  /** Input megapixels a second of the usual model on the device that is in use; its 2x where measured. */
  readonly speed = $derived(this.speedOf(this.modelOf('upscale', '')));

  /** Whether there is nothing more to learn: the speed, on the device that was chosen if it can be had. */
  readonly isMeasured = $derived(
    this.speed !== undefined &&
      this.devices.some(
        ({ provider, state }) =>
          (state === 'in-use' && ['auto', provider].includes(this.wanted)) ||
          (state === 'left' && provider === this.wanted),
      ),
  );

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

  /** For what is started from now on. Throws an ApiError, and leaves it as it was then. */
  choose = (device: DeviceChoice) =>
    this.#change({ device }, this.wanted, (value) => (this.wanted = value), device);

  takeCard = (graphicsCard: number) =>
    this.#change({ graphicsCard }, this.card, (value) => (this.card = value), graphicsCard);

  leaveRoom = (leaveRoom: RoomChoice) =>
    this.#change({ leaveRoom }, this.room, (value) => (this.room = value), leaveRoom);

  keepLoaded = (keepAliveMinutes: number) =>
    this.#change(
      { keepAliveMinutes },
      this.keepAlive,
      (value) => (this.keepAlive = value),
      keepAliveMinutes,
    );

  /** Shown at once, and taken back where the service refuses it. */
  async #change<T>(
    patch: SettingsPatch,
    before: T,
    show: (value: T) => void,
    wanted: T,
  ): Promise<void> {
    show(wanted);
    try {
      await this.#client.changeSettings(patch);
    } catch (error) {
      show(before);
      throw error;
    }
  }

  /** Stays as it was while the service does not answer. */
  async lookAtPool(): Promise<void> {
    this.speedup = (await unlessRefused(this.#client.pool()))?.speedup ?? this.speedup;
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
    this.wanted = settings.device;
    this.room = settings.leaveRoom;
    this.card = settings.graphicsCard;
    this.keepAlive = settings.keepAliveMinutes;
  }
}
