/** Wires the service: store, queue, engine and API on one data folder, in the order in which they need each other. */
import { existsSync } from 'node:fs';
import type { Log } from '../contract/log.ts';
import { createEngineHost, type EngineHost } from '../engine/host.ts';
import { buildApp } from './api/app.ts';
import { openCliKey } from './api/cli-key.ts';
import { closeApp } from './api/close-app.ts';
import type { Api, ApiLimits } from './api/deps.ts';
import { createKeyring, type Keyring } from './api/keyring.ts';
import { createLiveSettings } from './api/live-settings.ts';
import { createServiceClock, systemClock, type Clock } from './clock.ts';
import { createClosers, type Closers } from './closers.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { listen, portOf } from './listen.ts';
import { openCatalogue } from './models/catalogue.ts';
import { createResults } from './results/results.ts';
import { createDataFiles } from './sources/data-files.ts';
import { fetchSource } from './sources/fetch-source.ts';
import { assertGrantedFolder } from './sources/granted.ts';
import { createSourceIntake } from './sources/stored-source.ts';
import { createUploads } from './sources/uploads.ts';
import { openStore } from './store/store.ts';
import { openTasks } from './tasks/tasks.ts';
import type { Tasks } from './tasks/task-row.ts';

export interface ServiceOptions {
  /** Made when missing. One service at a time. */
  dataDir: string;
  /** Undefined: 8617 or the next free one. 0: any. */
  port?: number;
  /** Granted for this run, beside the stored ones. */
  allowFolders?: string[];
  allowLocalSources?: boolean;
  enginePath: string;
  /** The Node that runs the engine. */
  nodePath: string;
  modelsDir: string;
  pageDir: string;
  version: string;
  log: Log;
  clock?: Clock;
  /** Makes the engine; the one in a process of its own by default. */
  createEngine?: typeof createEngineHost;
  limits?: Partial<ApiLimits>;
}

export interface Service {
  /** Such as http://127.0.0.1:8617 */
  readonly url: string;
  /** For the application's own page; lives as long as the service. */
  readonly sessionKey: string;
  /** Holds the key that the command line reads. */
  readonly keyFile: string;
  /** A link that opens the page once. */
  pageUrl(): string;
  /**
   * Ends in order: requests and streams, tasks, engine, store. Running tasks wait for the next start, which
   * counts against nothing. Does not take its time when `hurry` fires.
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

async function start(options: ServiceOptions, closers: Closers): Promise<Service> {
  const folder = openDataFolder(options.dataDir);
  closers.add(() => folder.close());
  for (const granted of options.allowFolders ?? [])
    if (!existsSync(granted))
      options.log('warn', 'A folder that was allowed is not there.', { folder: granted });
  const { app, keyring, tasks, engine } = await openParts(options, folder, closers);
  closers.add(() => closeApp(app, closers.hurry));
  const url = await listen(app, options.port);
  folder.writeServiceFile({ url, pid: process.pid, version: options.version });
  tasks.start();
  engine.warmUp();
  return {
    url,
    sessionKey: keyring.newSessionKey(),
    keyFile: folder.keyFile,
    pageUrl: () => `${url}/#token=${keyring.newPageToken()}`,
    close: (hurry) => closers.closeAll(hurry),
  };
}

interface Parts {
  app: Api;
  keyring: Keyring;
  tasks: Tasks;
  engine: EngineHost;
}

async function openParts(
  options: ServiceOptions,
  folder: DataFolder,
  closers: Closers,
): Promise<Parts> {
  const { enginePath, nodePath, version, pageDir, log, limits = {} } = options;
  const stored = openStore(folder.root);
  closers.add(() => stored.close());
  const settings = createLiveSettings(stored.settings, startSettings(options));
  const store = { ...stored, settings: { ...stored.settings, get: () => settings.get() } };
  const clock = createServiceClock(options.clock ?? systemClock, store.clock);
  const keyring = createKeyring({
    keys: store.keys,
    cliKey: openCliKey(folder.keyFile),
    clock,
  });
  const models = openCatalogue(options.modelsDir);
  const results = createResults(folder.results);
  const uploads = createUploads(store.uploads, folder.uploads, clock);
  await uploads.recover();
  const createEngine = options.createEngine ?? createEngineHost;
  const engine = createEngine({ nodePath, enginePath, cacheDir: folder.engineCache, log });
  closers.add(() => engine.close());
  closers.hurry.addEventListener('abort', () => void engine.close(), { once: true });
  const tasks = await openTasks({
    store,
    clock,
    steps: {
      fetchSource,
      openPasses: (modelId, scale) => models.openPasses(modelId, scale),
      runEngine: (job, watch) => engine.run(job, watch),
      assertGrantedFolder,
      results,
      scratchDir: folder.scratch,
      version,
    },
    sourcesDir: folder.sources,
    sweepUploads: () => uploads.sweep(),
    log,
  });
  closers.add(() => tasks.close());
  const port = () => portOf(app.server);
  const app: Api = await buildApp({
    version,
    pageDir,
    scratchDir: folder.scratch,
    port,
    log,
    clock,
    keys: store.keys,
    speeds: store.speeds,
    idempotency: store.idempotency,
    linkSecret: store.secrets.get('links'),
    settings,
    keyring,
    tasks,
    results,
    uploads,
    intake: createSourceIntake({
      uploads,
      dataFiles: createDataFiles(folder.sources),
      port,
      settings: () => settings.get(),
    }),
    models,
    engine,
    limits,
  });
  return { app, keyring, tasks, engine };
}

function startSettings({ allowFolders = [], allowLocalSources = false }: ServiceOptions) {
  return { grantedFolders: allowFolders, allowLocalSources };
}
