/** What this machine can run: models and devices, as the service knows them. */
import type { DeviceView, ModelView } from '../../electron/contract/model.ts';
import { ApiError, type Client } from '../api/client.ts';

export class Machine {
  models = $state.raw<ModelView[]>([]);
  devices = $state.raw<DeviceView[]>([]);
  readonly #client: Client;

  readonly upscalers = $derived(this.models.filter(({ task }) => task === 'upscale'));
  readonly device = $derived(this.devices.find(({ state }) => state === 'in-use'));

  constructor(client: Client) {
    this.#client = client;
  }

  /** Stays as it was while the service does not answer. */
  async load(): Promise<void> {
    try {
      this.models = (await this.#client.models()).models;
      this.devices = (await this.#client.devices()).devices;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
