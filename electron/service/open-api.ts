/** Builds the API and the compatibility port. */
import {
  buildCompatApp,
  createCompatListener,
  sendCompatPage,
  type CompatAppDeps,
  type CompatListener,
} from '../../packages/compat/src/index.ts';
import { buildApp, type AppDeps } from './api/app.ts';
import {
  portOf,
  defaultLimits,
  type Api,
  createBodyBudget,
  createOpenRequests,
  createRequestLog,
} from '../../packages/http/src/index.ts';
import { createDataFiles } from './sources/data-files.ts';
import { createSourceIntake } from './sources/stored-source.ts';
import type { Tasks } from './tasks/tasks.ts';
import { createSourceThumbnails } from './previews/source-thumbnails.ts';
import { createLiveMasks } from './previews/live-masks.ts';
import { createViews } from './previews/views.ts';
import type { Watches } from './watches/watches.ts';
import { createCompatPictures, type CompatPictureDeps } from './compat-pictures.ts';
import type { RecommendedSet } from './models/obtain/recommended.ts';
import type { ServiceOptions } from './service-options.ts';
import type { ServiceParts } from './parts.ts';
import type { PoolParts } from './open-tasks.ts';

export async function openApi(
  options: ServiceOptions,
  parts: ServiceParts,
  wired: { tasks: Tasks; watches: Watches; recommended: RecommendedSet } & PoolParts,
): Promise<{ app: Api; compat: CompatListener }> {
  const { version, pageDir, log, limits = {} } = options;
  const { folder, store, settings, uploads, results, engine, stagedImages } = parts;
  const scratchDir = folder.scratch;
  const port = () => portOf(app.server);
  const dataFiles = createDataFiles(folder.sources);
  const { bodyBytes = defaultLimits.bodyBytes } = limits;
  const compat = createCompatListener({
    settings: () => settings.get(),
    startPort: options.compatPort,
    build: () => buildCompatApp({ ...deps, pictures: createCompatPictures(deps) }),
    log,
  });
  settings.onPatch(({ compatOn, compatPort }) => {
    if (compatOn !== undefined || compatPort !== undefined) compat.follow();
  });
  const views = createViews({ results, engine, uploads, ...parts.local });
  const deps: AppDeps & Omit<CompatAppDeps, 'pictures'> & CompatPictureDeps = {
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
    views,
    liveMasks: createLiveMasks({ results, engine, models: parts.models, views, ...parts.local }),
    thumbnails: createSourceThumbnails({ engine, ...parts.local }),
    keys: store.keys,
    photos: store.photos,
    presets: store.presets,
    notices: store.notices,
    inspections: store.tasks,
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
      stagedImages,
      port,
      settings: () => settings.get(),
    }),
  };
  const app = await buildApp(deps);
  return { app, compat };
}
