/** Wires the service: store, queue, engine and API on one data folder, in the order in which they need each other. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenFile } from '../contract/bridge.ts';
import type { Log } from '../contract/log.ts';
import { createEngineHost, type EngineHost } from '../engine/host/host.ts';
import { sendCompatPage } from './compat/documentation-page.ts';
import { createCompatListener, type CompatListener } from './compat/listener.ts';
import { readStorageAddress } from './pool/bytes/storage.ts';
import { buildApp } from './api/app.ts';
import { openCliKey } from './http/access/cli-key.ts';
import { closeApp, listen, portOf } from './http/listen.ts';
import type { ApiDeps } from './api/deps.ts';
import { defaultLimits, type Api, type ApiLimits } from './http/server.ts';
import { planOptions } from './planning/plan-options.ts';
import { createKeyring, type Keyring } from './http/access/keyring.ts';
import { createChangeNews, type ChangeNews, type ChangedName } from './settings/change-news.ts';
import { createOpenRequests } from './http/access/open-requests.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { createRequestLog } from './http/request-log.ts';
import { createLiveSettings, type LiveSettings } from './settings/live-settings.ts';
import { createServiceClock, systemClock, type Clock, type ServiceClock } from './clock.ts';
import { createClosers, type Closers } from './closers.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { createLogFile } from './log-file.ts';
import { importNetwork } from '../engine/host/import-host.ts';
import { openAddedModels, type AddedModelStore } from './models/added-models.ts';
import { createModelBringer, type ModelBringer } from './models/bring-model.ts';
import type { DeviceFiles, ObtainableModel } from '../contract/models/obtainable.ts';
import { openAddedDeviceFiles, type AddedDeviceFiles } from './devices/added-files.ts';
import { deviceFilesFor } from './devices/known-files.ts';
import { createDownloads, type Downloads } from './models/obtain/downloads.ts';
import { installModel, readObtainable } from './models/obtain/obtainable.ts';
import { idsFor, openCatalogue, type ModelCatalogue } from './models/catalogue.ts';
import { cutSample } from './models/cut-sample.ts';
import { startFirstMeasure } from './models/first-measure.ts';
import { createResults, type Results } from './results/results.ts';
import { createBackgroundIntake, type BackgroundIntake } from './sources/background-intake.ts';
import { createDataFiles } from './sources/data-files.ts';
import { createHeldPictures, type HeldPictures } from './sources/held-pictures.ts';
import type { LocalSourceOptions } from './sources/local-source.ts';
import { lookAtSource, type LookAt } from './sources/look-at-source.ts';
import { createSourceCopies } from './sources/source-copies.ts';
import { saveTokenOf } from './results/save-to-folder.ts';
import { openGrantedFolder } from './grants/granted.ts';
import { createSourceIntake } from './sources/stored-source.ts';
import { createUploads, type Uploads } from './sources/uploads.ts';
import type { Rescue } from './store/disk/rescue.ts';
import { openStore, type Store } from './store/store.ts';
import { createPlanPreviews } from './planning/plan-preview.ts';
import { createLookAhead, type LookAhead } from './tasks/look-ahead.ts';
import { openWork } from './planning/plan-job.ts';
import { createJobRunner, type JobRunner } from './pool/job-runner.ts';
import { createPool, type Pool, type PoolTimes } from './pool/pool.ts';
import { createCallbacks, type Callbacks } from './tasks/callbacks.ts';
import { viewOf } from './api/present.ts';
import { openTasks } from './tasks/queue.ts';
import type { Tasks } from './tasks/tasks.ts';
import { createPreviews, type PreviewMaker } from './previews/previews.ts';
import { createSourceThumbnails } from './previews/source-thumbnails.ts';
import { createViews } from './previews/views.ts';
import { createSurroundings, type SurroundingsKeeper } from './settings/surroundings.ts';
import { createWatches, type Watches, type WatchTimes } from './watches/watches.ts';

export interface ServiceOptions {
  /** The folder is made when it is missing. One service at a time holds it. */
  dataDir: string;
  /** Undefined means 8617 or the next free one, 0 any. */
  port?: number;
  /** These folders are granted for this run, beside the stored ones. */
  allowFolders?: string[];
  allowLocalSources?: boolean;
  /** Programs written for other services are answered on this port in this run; 0 means any, undefined the setting. */
  compatPort?: number;
  enginePath: string;
  /** This Node runs the engine. */
  nodePath: string;
  modelsDir: string;
  pageDir: string;
  version: string;
  log: Log;
  clock?: Clock;
  /** Makes the engine, which has a process of its own by default. */
  createEngine?: typeof createEngineHost;
  limits?: Partial<ApiLimits>;
  watchTimes?: Partial<WatchTimes>;
  poolTimes?: Partial<PoolTimes>;
  /** The usual model is measured ahead of the first photo unless this is false. */
  measuresAtStart?: boolean;
}

export interface Service {
  /** The address is such as http://127.0.0.1:8617. */
  readonly url: string;
  /** The key is for the application's own page and lives as long as the service. */
  readonly sessionKey: string;
  /** Programs written for other services are answered here; undefined means nowhere at the start. */
  readonly compatUrl?: string;
  /** The file holds the key that the command line reads. */
  readonly keyFile: string;
  /** Makes a link that opens the page once, with these files in its queue. */
  pageUrl(files?: readonly GivenFile[]): string;
  /**
   * Ends in order: requests and streams, tasks, engine, store. Running tasks wait for the next start, which
   * counts against nothing. It does not take its time when `hurry` fires.
   */
  close(hurry?: AbortSignal): Promise<void>;
}

/** Returns when requests are answered. Throws a sentence when it cannot start, and leaves nothing running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const closers = createClosers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.closeAll(AbortSignal.abort());
    throw error;
  }
}

async function start(given: ServiceOptions, closers: Closers): Promise<Service> {
  const folder = openDataFolder(given.dataDir);
  closers.add(() => folder.close());
  const options = { ...given, log: createLogFile(folder.root, given.log) };
  warnOfMissingFolders(options);
  const parts = await openParts(options, folder, closers);
  const shared = openShared(options, parts, () => tasks);
  closers.add(() => shared.pool.close());
  closers.add(() => shared.jobRunner.close());
  const tasks = await openQueue(options, parts, shared);
  closers.add(() => tasks.close());
  const watches = openWatches(options, parts, tasks);
  const { app, compat } = await openApi(options, parts, { tasks, watches, ...shared });
  closers.add(() => closeApp(app, closers.hurry));
  closers.add(() => compat.close(closers.hurry));
  closers.add(() => watches.close());
  // Before the API, which waits for its answers.
  closers.add(() => parts.bringer.close());
  closers.add(() => parts.downloads.close());
  closers.add(() => parts.deviceDownloads.close());
  const lookAhead = startLookAhead(options, parts, tasks);
  closers.add(() => lookAhead.close());
  const callbacks = startCallbacks(options, parts, tasks, () => portOf(app.server));
  closers.add(() => callbacks.close());
  const url = await listen(app, options.port);
  folder.writeServiceFile({ url, pid: process.pid, version: options.version });
  tasks.start();
  shared.pool.start();
  callbacks.start();
  watches.start();
  parts.engine.warmUp();
  if (options.measuresAtStart ?? true) measureFirst(options, parts, tasks, closers);
  const { keyring } = parts;
  const compatUrl = await openCompat(options, compat);
  return {
    url,
    ...(compatUrl !== undefined && { compatUrl }),
    sessionKey: keyring.newOwnSessionKey(),
    keyFile: folder.keyFile,
    pageUrl: (files) => `${url}/#token=${keyring.newPageToken(files)}`,
    close: (hurry) => closers.closeAll(hurry),
  };
}

/** A port that was asked for and cannot be had is an error; one of the settings is told of in the page. */
async function openCompat(
  { compatPort }: ServiceOptions,
  compat: CompatListener,
): Promise<string | undefined> {
  compat.follow();
  const { url, problem } = await compat.state();
  if (compatPort !== undefined && problem !== undefined) throw new Error(problem);
  return url;
}

function warnOfMissingFolders({ allowFolders = [], log }: ServiceOptions): void {
  for (const folder of allowFolders)
    if (!existsSync(folder)) log('warn', 'A folder that was allowed is not there.', { folder });
}

/** The queue and the API share these. */
interface Parts {
  folder: DataFolder;
  store: Store;
  settings: LiveSettings;
  changes: ChangeNews;
  clock: ServiceClock;
  keyring: Keyring;
  models: ModelCatalogue;
  addedModels: AddedModelStore;
  bringer: ModelBringer;
  downloads: Downloads<ObtainableModel>;
  deviceFiles: AddedDeviceFiles;
  deviceDownloads: Downloads<DeviceFiles>;
  results: Results;
  uploads: Uploads;
  heldPictures: HeldPictures;
  backgrounds: BackgroundIntake;
  engine: EngineHost;
  /** Sources are brought by these. */
  local: LocalSourceOptions;
  lookAt: LookAt;
  surroundings: SurroundingsKeeper;
  previews: PreviewMaker;
}

async function openParts(
  options: ServiceOptions,
  folder: DataFolder,
  closers: Closers,
): Promise<Parts> {
  const { enginePath, nodePath, modelsDir, log } = options;
  const stored = openStore(folder.root);
  closers.add(() => stored.close());
  const { allowFolders = [], allowLocalSources = false } = options;
  const shippedIds = () => models.models.filter(({ origin }) => !origin).map(({ id }) => id);
  const addedModels = await openAddedModels(folder.models, shippedIds, log);
  const models = openCatalogue(modelsDir, addedModels);
  const bringer = createModelBringer(addedModels, (request, signal) =>
    importNetwork({ nodePath, enginePath }, request, signal),
  );
  const upscalers = () => idsFor('upscale', models.models);
  const start = { grantedFolders: allowFolders, allowLocalSources };
  const settings = createLiveSettings(stored.settings, start, {
    upscalers,
    assertStorageAddress: readStorageAddress,
  });
  const changes = createChangeNews();
  settings.onPatch((patch) => changes.note(Object.keys(patch) as ChangedName[]));
  const store = { ...stored, settings: { ...stored.settings, get: () => settings.get() } };
  const clock = createServiceClock(options.clock ?? systemClock, store.clock);
  if (stored.rescue) tellOfRescue(stored.rescue, store, clock, log);
  const cliKey = openCliKey(folder.keyFile);
  const keyring = createKeyring({ keys: store.keys, cliKey, clock });
  const results = createResults(folder.results);
  const uploads = createUploads(store.uploads, store.unnamed, folder.uploads, clock);
  await uploads.recover();
  const heldPictures = createHeldPictures(folder.scratch);
  const backgrounds = createBackgroundIntake(uploads, heldPictures, () => settings.get());
  const createEngine = options.createEngine ?? createEngineHost;
  const surroundings = createSurroundings();
  const room = () => ({ leave: settings.get().leaveRoom, around: surroundings.now() });
  const card = () => settings.get().graphicsCard;
  const cacheDir = folder.engineCache;
  const knownFiles = deviceFilesFor();
  const deviceFiles = await openAddedDeviceFiles(folder.devices, knownFiles, () =>
    changes.note(['devices']),
  );
  const runtime = () => deviceFiles.folder;
  const engine = createEngine({
    ...{ nodePath, enginePath, cacheDir, room, card, runtime, log },
    onMeasured: () => changes.note(['devices']),
  });
  closers.add(() => engine.close());
  closers.hurry.addEventListener('abort', () => void engine.close(), { once: true });
  const scratchDir = folder.scratch;
  const copies = createSourceCopies({ scratchDir });
  closers.add(() => copies.close());
  const local = { scratchDir, settings: () => settings.get(), fetchSource: copies.fetch };
  const inspect: EngineHost['inspect'] = (path, limits) => engine.inspect(path, limits);
  const lookAt: LookAt = (source) => lookAtSource(source, { ...local, inspect });
  const previews = createPreviews({ engine, models, ...local });
  closers.add(() => previews.close());
  const kept = {
    folder,
    store,
    settings,
    changes,
    clock,
    keyring,
    results,
    uploads,
    heldPictures,
    backgrounds,
  };
  const from = {
    mirror: () => settings.get().modelMirror,
    proxy: () => settings.get().downloadProxy,
  };
  const downloads = createDownloads({
    ...from,
    things: readObtainable(modelsDir),
    install: (model, files, signal) => installModel(bringer, model, files, signal),
    folder: join(folder.models, 'downloads'),
  });
  const deviceDownloads = createDownloads({
    ...from,
    things: knownFiles,
    install: (known, [archive = { path: '', sha256: '' }], signal) =>
      deviceFiles.install(known, archive, signal),
    folder: join(folder.devices, 'downloads'),
  });
  tellOfInstalled(downloads, 'models', changes);
  tellOfInstalled(deviceDownloads, 'devices', changes);
  const parts = { ...kept, models, addedModels, bringer, downloads, deviceFiles, deviceDownloads };
  return { ...parts, engine, local, lookAt, surroundings, previews };
}

/** What a download brought is told when it is there, and not when it was asked for. */
function tellOfInstalled(
  { subscribeAll }: Pick<Downloads, 'subscribeAll'>,
  name: ChangedName,
  changes: ChangeNews,
): void {
  subscribeAll(({ state }) => {
    if (state === 'finished') changes.note([name]);
  });
}

function tellOfRescue(
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

function isWorking(tasks: Tasks): boolean {
  const { PENDING, PROCESSING } = tasks.counts();
  return PROCESSING > 0 || (PENDING > 0 && !tasks.paused);
}

interface Shared {
  pool: Pool;
  /** The runner runs jobs here or in the pool. */
  jobRunner: JobRunner;
}

/** @param tasks may be called once it is open */
function openShared(
  { log, poolTimes = {} }: ServiceOptions,
  parts: Parts,
  tasks: () => Tasks,
): Shared {
  const { folder, store, settings, changes, models, engine } = parts;
  const pool = createPool({
    settings,
    id: store.secrets.get('pool').toString('hex').slice(0, 16),
    engine,
    models,
    isBusy: () => isWorking(tasks()),
    scratchDir: folder.scratch,
    log,
    onChange: () => changes.note(['helpers']),
    times: poolTimes,
  });
  const jobRunner = createJobRunner({
    engine,
    submitter: () => pool.submitter(),
    hasWaiting: () => tasks().counts().PENDING > 0,
    onRoom: () => tasks().wake(),
  });
  return { pool, jobRunner };
}

function openQueue(
  { version, log }: ServiceOptions,
  parts: Parts,
  { jobRunner }: Shared,
): Promise<Tasks> {
  const { folder, store, settings, clock, models, results, uploads, engine } = parts;
  const { backgrounds } = parts;
  return openTasks({
    store,
    clock,
    steps: {
      fetchSource: parts.local.fetchSource,
      backgroundOf: (url) => backgrounds.sourceOf(url),
      openWork: (task) => openWork(task, models),
      runEngine: (job, watch) => jobRunner.run(job, watch),
      ...createPlanPreviews({ models, settings, engine }),
      openGrantedFolder,
      saveToken: (taskId) => saveTokenOf(store.secrets.get('saving'), taskId),
      results,
      scratchDir: folder.scratch,
      version,
    },
    sourcesDir: folder.sources,
    sweepUploads: () => uploads.sweep(),
    slots: () => jobRunner.slots(),
    log,
  });
}

function startCallbacks(
  { log }: ServiceOptions,
  { store, clock, settings }: Parts,
  tasks: Tasks,
  port: () => number,
): Callbacks {
  return createCallbacks({
    table: store.callbacks,
    tasks,
    clock,
    settings: () => settings.get(),
    secret: () => store.secrets.get('callbacks'),
    viewOf: (task) =>
      viewOf(task, `http://127.0.0.1:${port()}`, { tasks, linkSecret: store.secrets.get('links') }),
    log,
  });
}

function startLookAhead({ log }: ServiceOptions, parts: Parts, tasks: Tasks): LookAhead {
  const { store, lookAt } = parts;
  return createLookAhead({ looks: store.tasks, events: tasks.events, lookAt, log });
}

function measureFirst({ log }: ServiceOptions, parts: Parts, tasks: Tasks, closers: Closers): void {
  const { models, engine, settings, changes } = parts;
  const measure = startFirstMeasure({
    models,
    engine,
    settings: () => settings.get(),
    onMeasured: () => changes.note(['devices']),
    cutSample: (signal) =>
      cutSample(
        {
          ...{ models, engine, scratchDir: parts.folder.scratch },
          settings: () => settings.get(),
          isBusy: () => isWorking(tasks),
          onWork: (listener) =>
            tasks.events.subscribe(undefined, () => {
              if (isWorking(tasks)) listener();
            }),
        },
        signal,
      ),
    log,
  });
  settings.onPatch(({ device, defaultUpscaler, defaultRemover }) => {
    if ((device ?? defaultUpscaler ?? defaultRemover) !== undefined) measure.again();
  });
  closers.add(() => measure.close());
}

function openWatches(options: ServiceOptions, parts: Parts, tasks: Tasks): Watches {
  const { store, settings, changes, models, clock, backgrounds } = parts;
  return createWatches({
    store,
    tasks,
    settings: () => settings.get(),
    planOptions: (operation, wanted) =>
      planOptions(operation, wanted, { models, settings, backgrounds }),
    wallMs: () => clock.wallMs(),
    onChange: () => changes.note(['watches']),
    times: options.watchTimes,
  });
}

async function openApi(
  options: ServiceOptions,
  parts: Parts,
  wired: { tasks: Tasks; watches: Watches } & Shared,
): Promise<{ app: Api; compat: CompatListener }> {
  const { version, pageDir, log, limits = {} } = options;
  const { folder, store, settings, uploads, results, engine, heldPictures } = parts;
  const scratchDir = folder.scratch;
  const port = () => portOf(app.server);
  const dataFiles = createDataFiles(folder.sources);
  const { bodyBytes = defaultLimits.bodyBytes } = limits;
  const compat = createCompatListener({
    settings: () => settings.get(),
    startPort: options.compatPort,
    build: async () => (await import('./compat/compat-app.ts')).buildCompatApp(deps),
    log,
  });
  settings.onPatch(({ compatOn, compatPort }) => {
    if (compatOn !== undefined || compatPort !== undefined) compat.follow();
  });
  const deps: ApiDeps = {
    ...parts,
    ...wired,
    compat: { state: () => compat.state(), sendDocumentation: sendCompatPage },
    requestLog: createRequestLog(parts.clock, () => parts.changes.note(['requests'])),
    openRequests: createOpenRequests(),
    bodyBudget: createBodyBudget({ totalBytes: bodyBytes, keyBytes: bodyBytes / 2 }),
    version,
    pageDir,
    log,
    limits,
    port,
    scratchDir,
    views: createViews({ results, engine, ...parts.local }),
    thumbnails: createSourceThumbnails({ engine, ...parts.local }),
    keys: store.keys,
    idempotency: store.idempotency,
    photos: store.photos,
    presets: store.presets,
    notices: store.notices,
    looks: store.tasks,
    linkSecret: store.secrets.get('links'),
    callbackSecret: {
      get: () => store.secrets.get('callbacks'),
      set: (secret) => store.secrets.set('callbacks', secret),
    },
    callbacks: store.callbacks,
    dataFiles,
    intake: createSourceIntake({
      uploads,
      dataFiles,
      heldPictures,
      port,
      settings: () => settings.get(),
    }),
  };
  const app = await buildApp(deps);
  return { app, compat };
}
