/** Adds, fetches, corrects and removes models. The machine holds which models are installed. */
import type { ImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import { defaultSettings } from '../../../packages/contract/src/settings/default-models.ts';
import type { ModelCorrection, ModelView } from '../../../packages/contract/src/models/model.ts';
import type {
  DeviceFiles,
  Download,
  ObtainableModel,
} from '../../../packages/contract/src/models/obtainable.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import { refusalOf, unlessRefused, type Problem } from '../../api/calls.svelte.ts';
import type { Machine } from './machine.svelte.ts';
import { ModelSamples } from './model-samples.svelte.ts';

export type Obtainable = ObtainableModel | DeviceFiles;

/** Added by a person, who can also correct and remove it. */
export const isAdded = ({ origin, isPacked }: ModelView): boolean =>
  origin !== undefined && isPacked !== true;

export class Models {
  obtainable = $state.raw<ObtainableModel[]>([]);
  downloads = $state.raw<Download[]>([]);
  /** The networks of these names are being added; the service tries out the first of them now. */
  adding = $state.raw<string[]>([]);
  /** Progress of the first of them. */
  importing = $state.raw<ImportProgress>();
  /** The model that was added last. */
  added = $state.raw<ModelView>();
  /** Error of the last action. */
  problem = $state.raw<Problem>();
  /** Networks of the last import that could not be added, each with its reason. */
  refused = $state.raw<{ name: string; problem: Problem }[]>([]);
  /** The service refused to remove this model, and gave this reason. */
  refusal = $state.raw<{ id: string; message: string }>();
  mirror = $state('');
  proxy = $state('');
  /** Devices of this system need these files beside Enlarger. */
  deviceFiles = $state.raw<DeviceFiles[]>([]);
  installedFiles = $state<string>();
  readonly samples: ModelSamples;
  readonly machine: Machine;
  readonly client: Client;
  #adding = new AbortController();

  constructor(client: Client, machine: Machine) {
    this.client = client;
    this.machine = machine;
    this.samples = new ModelSamples(client.pictures);
  }

  /** Reads what can be downloaded, and how far downloads are; takeDownload gets every later state. */
  async load(): Promise<void> {
    const { problem } = this;
    const isRead = await this.#try(async () => {
      this.obtainable = (await this.client.obtainable()).models;
      const { modelMirror, downloadProxy } = await this.client.settings();
      [this.mirror, this.proxy] = [modelMirror, downloadProxy];
      await this.#loadFiles();
    });
    if (isRead) this.problem ??= problem;
    const { modelDownloads, deviceDownloads } = this.client;
    const lists = [modelDownloads.list(), deviceDownloads.list()];
    this.downloads = (await unlessRefused(Promise.all(lists)))?.flat() ?? this.downloads;
  }

  /** Takes the new state of a download that went on or ended. */
  takeDownload(download: Download): void {
    const others = this.downloads.filter(({ modelId }) => modelId !== download.modelId);
    this.downloads = [...others, download];
    if (download.state !== 'finished') return;
    void this.machine.load();
    void this.#try(() => this.#loadFiles());
  }

  /** Adds one network after the other; each item holds the files of one network. */
  async add(networks: readonly File[][]): Promise<void> {
    const names = networks.map(([first]) => first?.name ?? '');
    const isFirst = this.adding.length === 0;
    this.adding = [...this.adding, ...names];
    if (isFirst) {
      this.#adding = new AbortController();
      this.refused = [];
    }
    const { signal } = this.#adding;
    for (const files of networks) {
      if (signal.aborted) return;
      await this.#addOne(files, signal);
      // The list is empty already when a person has stopped this.
      this.adding = this.adding.slice(1);
    }
  }

  async #addOne(files: readonly File[], signal: AbortSignal): Promise<void> {
    this.importing = undefined;
    const isTaken = await this.#try(async () => {
      const blobs = files.map((file) => ({ name: file.name, blob: file }));
      const model = await this.client.addModel(blobs, {}, signal, (progress) => {
        this.importing = progress;
      });
      await this.machine.load();
      this.added = model;
      this.samples.open(model);
    }, signal);
    const name = files[0]?.name ?? '';
    if (isTaken || signal.aborted || this.problem === undefined) return;
    // The problem is kept here, because the next network that is taken clears it.
    this.refused = [...this.refused, { name, problem: this.problem }];
    this.problem = undefined;
  }

  stopAdding(): void {
    this.#adding.abort();
    this.adding = [];
  }

  /** Corrects how a model is used, and answers whether the service took that. */
  async correct({ id }: ModelView, correction: ModelCorrection): Promise<boolean> {
    const isTaken = await this.#try(async () => {
      await this.client.correctModel(id, correction);
      await this.machine.load();
    });
    const model = this.machine.models.find((one) => one.id === id);
    if (isTaken && model) {
      this.samples.forget(id);
      this.samples.open(model);
    }
    return isTaken;
  }

  /** Finds the other added models of the same size and scales, because only such can be blended. */
  twinsOf(model: ModelView): ModelView[] {
    const { id, task, sizeBytes, scales } = model;
    if (task !== 'upscale' || !isAdded(model)) return [];
    return this.machine.upscalers.filter(
      (one) =>
        one.id !== id &&
        isAdded(one) &&
        one.sizeBytes === sizeBytes &&
        one.scales.join() === scales.join(),
    );
  }

  /** Blends two models, and answers whether that worked. */
  blend({ id }: ModelView, other: string, share: number): Promise<boolean> {
    return this.#try(async () => {
      const made = await this.client.blendModels(id, { with: other, share });
      await this.machine.load();
      this.added = made;
      this.samples.open(made);
    });
  }

  /** Removes a model. Where tasks need it, that is refused the first time and done the second time. */
  async remove({ id }: ModelView): Promise<void> {
    const isSaid = this.refusal?.id === id;
    this.refusal = undefined;
    await this.#try(async () => {
      try {
        await this.client.removeModel(id, isSaid);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
        this.refusal = { id, message: error.message };
        return;
      }
      this.samples.forget(id);
      if (this.added?.id === id) this.added = undefined;
      await this.machine.load();
    });
  }

  async makeDefault({ id, task }: ModelView): Promise<void> {
    await this.#try(async () => {
      await this.client.changeSettings({ [defaultSettings[task]]: id });
      await this.machine.load();
    });
  }

  /** Lets the model that cuts out answer clicks and boxes again. */
  async clearSelector(): Promise<void> {
    await this.#try(async () => {
      await this.client.changeSettings({ [defaultSettings.select]: '' });
      await this.machine.load();
    });
  }

  get(thing: Obtainable): Promise<boolean> {
    return this.#try(() => this.#callsOf(thing).start(thing.id));
  }

  stopDownload(thing: Obtainable): Promise<boolean> {
    return this.#try(() => this.#callsOf(thing).cancel(thing.id));
  }

  #callsOf(thing: Obtainable) {
    return 'provider' in thing ? this.client.deviceDownloads : this.client.modelDownloads;
  }

  downloadOf({ id }: Obtainable): Download | undefined {
    return this.downloads.find(({ modelId }) => modelId === id);
  }

  removeFiles({ id }: DeviceFiles): Promise<boolean> {
    return this.#try(async () => {
      await this.client.removeDeviceFiles(id);
      await this.#loadFiles();
    });
  }

  async #loadFiles(): Promise<void> {
    const { deviceFiles, installedId } = await this.client.deviceFiles();
    this.deviceFiles = deviceFiles;
    this.installedFiles = installedId;
  }

  setPlaces(modelMirror: string, downloadProxy: string): Promise<boolean> {
    return this.#try(async () => {
      await this.client.changeSettings({ modelMirror, downloadProxy });
      [this.mirror, this.proxy] = [modelMirror, downloadProxy];
    });
  }

  async #try(action: () => Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
    try {
      await action();
      this.problem = undefined;
      return true;
    } catch (error) {
      if (signal?.aborted === true) return false;
      this.problem = refusalOf(error);
      return false;
    }
  }
}
