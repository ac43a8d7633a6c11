/** Opens what queue and API share: settings, keys, networks, sources, results. */
import { idsFor } from '../../packages/contract/src/models/model.ts';
import { join } from 'node:path';
import type { Log } from '../../packages/contract/src/log.ts';
import type { EngineHost } from '../engine/host/host.ts';
import { readStorageAddress } from '../../packages/pool/src/index.ts';
import { openCliKey, createKeyring, type Keyring } from '../../packages/http/src/index.ts';
import type { ChangeBus, ChangedName } from './settings/change-bus.ts';
import { createLiveSettings, type LiveSettings } from './settings/live-settings.ts';
import { createServiceClock, systemClock, type ServiceClock } from './timing/clock.ts';
import type { Closers } from './closers.ts';
import type { DataFolder } from './data-folder.ts';
import { importNetwork } from '../engine/host/import-host.ts';
import { openAddedModels, readPackedModels, type AddedModelStore } from './models/added-models.ts';
import { createModelImporter, type ModelImporter } from './models/import-model.ts';
import type {
  DeviceFiles,
  ObtainableModel,
} from '../../packages/contract/src/models/obtainable.ts';
import type { AddedDeviceFiles } from './devices/added-files.ts';
import { deviceFilesFor } from './devices/known-files.ts';
import { createDownloads, type Downloads } from './models/obtain/downloads.ts';
import { installModel, readObtainable } from './models/obtain/obtainable.ts';
import { openCatalogue, type ModelCatalogue } from './models/catalogue.ts';
import { createResults, type Results } from './results/results.ts';
import { createBackgroundIntake, type BackgroundIntake } from './sources/background-intake.ts';
import { createStagedImages, type StagedImages } from './sources/staged-images.ts';
import type { LocalSourceOptions } from './sources/local-source.ts';
import { inspectSource, type InspectSource } from './sources/inspect-source.ts';
import { createSourceCopies } from './sources/source-copies.ts';
import { createUploads, type Uploads } from './sources/uploads.ts';
import type { Rescue } from './store/disk/rescue.ts';
import type { Store } from './store/store.ts';
import { createPreviews, type PreviewMaker } from './previews/previews.ts';
import type { PowerAndActivityStore } from './settings/power-and-activity.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ServiceOptions } from './service-options.ts';

export interface ServiceParts {
  folder: DataFolder;
  store: Store;
  settings: LiveSettings;
  changes: ChangeBus;
  clock: ServiceClock;
  keyring: Keyring;
  models: ModelCatalogue;
  addedModels: AddedModelStore;
  importer: ModelImporter;
  downloads: Downloads<ObtainableModel>;
  deviceFiles: AddedDeviceFiles;
  deviceDownloads: Downloads<DeviceFiles>;
  results: Results;
  uploads: Uploads;
  stagedImages: StagedImages;
  backgrounds: BackgroundIntake;
  engine: EngineHost;
  /** Dependencies of fetching sources. */
  local: LocalSourceOptions;
  inspectSource: InspectSource;
  powerAndActivity: PowerAndActivityStore;
  previews: PreviewMaker;
}

export async function openParts(
  options: ServiceOptions,
  { folder, stored, changes, deviceFiles, powerAndActivity, engine }: EngineParts,
  closers: Closers,
): Promise<ServiceParts> {
  const { enginePath, nodePath, modelsDir, log } = options;
  const { allowFolders = [], allowLocalSources = false } = options;
  const packedModels = readPackedModels(join(modelsDir, 'recommended'), log);
  const shippedIds = () =>
    [...models.models.filter(({ origin }) => !origin), ...packedModels.list()].map(({ id }) => id);
  const addedModels = await openAddedModels(folder.models, shippedIds, log);
  const models = openCatalogue(modelsDir, addedModels, packedModels);
  const importer = createModelImporter(addedModels, (...call) =>
    importNetwork({ nodePath, enginePath, log }, ...call),
  );
  const upscalers = () => idsFor('upscale', models.models);
  const start = { grantedFolders: allowFolders, allowLocalSources };
  const settings = createLiveSettings(stored.settings, start, {
    upscalers,
    assertStorageAddress: readStorageAddress,
  });
  settings.onPatch((patch) => changes.note(Object.keys(patch) as ChangedName[]));
  const store = { ...stored, settings: { ...stored.settings, get: () => settings.get() } };
  const clock = createServiceClock(options.clock ?? systemClock, store.clock);
  if (stored.rescue) noticeRescue(stored.rescue, store, clock, log);
  const cliKey = openCliKey(folder.keyFile);
  const keyring = createKeyring({ keys: store.keys, cliKey, clock });
  const results = createResults(folder.results);
  const uploads = createUploads(store.uploads, store.orphans, folder.uploads, clock);
  await uploads.recover();
  const stagedImages = createStagedImages(folder.scratch);
  const backgrounds = createBackgroundIntake(uploads, stagedImages, () => settings.get());
  const scratchDir = folder.scratch;
  const copies = createSourceCopies({ scratchDir });
  closers.add(() => copies.close());
  const local = { scratchDir, settings: () => settings.get(), fetchSource: copies.fetch };
  const inspect: EngineHost['inspect'] = (...file) => engine.inspect(...file);
  const inspectWith: InspectSource = (source) => inspectSource(source, { ...local, inspect });
  const previews = createPreviews({ engine, models, ...local });
  closers.add(() => previews.close());
  const base = {
    folder,
    store,
    settings,
    changes,
    clock,
    keyring,
    results,
    uploads,
    stagedImages,
    backgrounds,
  };
  const from = {
    mirror: () => settings.get().modelMirror,
    proxy: () => settings.get().downloadProxy,
  };
  const downloads = createDownloads({
    ...from,
    things: readObtainable(modelsDir),
    install: (model, files, ...hooks) => installModel(importer, model, files, ...hooks),
    folder: join(folder.models, 'downloads'),
  });
  const deviceDownloads = createDownloads({
    ...from,
    things: deviceFilesFor(),
    install: (known, [archive = { path: '', sha256: '' }], signal) =>
      deviceFiles.install(known, archive, signal),
    folder: join(folder.devices, 'downloads'),
  });
  notifyWhenInstalled(downloads, 'models', changes);
  notifyWhenInstalled(deviceDownloads, 'devices', changes);
  const parts = {
    ...base,
    models,
    addedModels,
    importer,
    downloads,
    deviceFiles,
    deviceDownloads,
  };
  return { ...parts, engine, local, inspectSource: inspectWith, powerAndActivity, previews };
}

/** Notified when the download is installed, not when it was requested. */
function notifyWhenInstalled(
  { subscribeAll }: Pick<Downloads, 'subscribeAll'>,
  name: ChangedName,
  changes: ChangeBus,
): void {
  subscribeAll(({ state }) => {
    if (state === 'finished') changes.note([name]);
  });
}

function noticeRescue(
  { folder, reason, rows }: Rescue,
  { notices }: Pick<Store, 'notices'>,
  clock: ServiceClock,
  log: Log,
): void {
  const message =
    `The database was damaged and lies now in ${folder}. A new one was begun, and ${rows} rows of the old one ` +
    'could be carried over; look whether keys, settings and waiting photos are complete.';
  log('error', message, { reason });
  notices.put({ code: 'DATABASE_SET_ASIDE', message, noticedAt: clock.wallMs() });
}
