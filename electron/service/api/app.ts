/** Builds the HTTP application, not yet listening: guard, key, schema, handler. One file per resource. */
import {
  grantRoutes,
  originRoutes,
  settingsRoutes,
  powerAndActivityRoutes,
  type SettingsDeps,
} from './settings-routes.ts';
import {
  createAuthenticator,
  type BodyBudget,
  createErrorHandler,
  readJsonBodies,
  type Keyring,
  type OpenRequests,
  createServer,
  defaultLimits,
  type Api,
  type ApiLimits,
  documentRoutes,
  createGuard,
  answerMissing,
  createOpenStreams,
} from '../../../packages/http/src/index.ts';
import { compatRoutes, type CompatDeps } from './compat-routes.ts';
import { convertRoutes, type ConvertDeps } from './convert-routes.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import type { StagedImages } from '../sources/staged-images.ts';
import { estimateRoutes, queueEstimateRoutes, type EstimateDeps } from './estimate-routes.ts';
import { healthRoutes, type HealthDeps } from './health-routes.ts';
import {
  changesRoutes,
  liveMaskRoutes,
  tileSetRoutes,
  viewLinkRoutes,
  metadataRoutes,
  type PictureViewDeps,
} from './view-routes.ts';
import { mcpRoutes, type McpDeps } from './mcp-routes.ts';
import { modelFileRoutes, type ModelFileDeps } from './model-file-routes.ts';
import { addedModelRoutes, modelRoutes, type ModelDeps } from './model-routes.ts';
import { deviceFileRoutes, type DeviceFileDeps } from './device-file-routes.ts';
import { obtainRoutes, type ObtainDeps } from './download-routes.ts';
import { keyRoutes, sessionRoutes, type KeyDeps } from './key-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { previewRoutes, thumbnailRoutes, type PreviewDeps } from './preview-routes.ts';
import { poolRoutes, type PoolDeps } from './pool-routes.ts';
import { presetRoutes, type PresetDeps } from './preset-routes.ts';
import { requestLogRoutes, type RequestLogDeps } from './request-log-routes.ts';
import { resultRoutes, type ResultDeps } from './result-routes.ts';
import { saveRoutes, type SaveDeps } from './save-routes.ts';
import { namedSchemas } from './named-schemas.ts';
import { callbackRoutes, type CallbackDeps } from './callback-routes.ts';
import { againRoutes, type AgainDeps } from './again-routes.ts';
import { photoRoutes, type PhotoDeps } from './photo-routes.ts';
import { batchRoutes, submitRoutes, type SubmitDeps } from './submit-routes.ts';
import { allTasksStreamRoutes, taskStreamRoutes, type StreamDeps } from './stream-routes.ts';
import {
  taskEndingRoutes,
  taskChangeRoutes,
  taskRoutes,
  type OneTaskDeps,
} from './one-task-routes.ts';
import { queueRoutes, taskListRoutes, type ListDeps } from './list-routes.ts';
import { storageRoutes, type StorageDeps } from './storage-routes.ts';
import { uploadRoutes, type UploadDeps } from './upload-routes.ts';
import { watchRoutes, type WatchDeps } from './watch-routes.ts';
import type { ChangeBus, ChangedName } from '../settings/change-bus.ts';

/** Dependencies of the server itself; each route file declares its own. */
interface ServerDeps {
  /** Folder of the built page; if it is missing, only the API is served. */
  pageDir: string;
  log: Log;
  keyring: Keyring;
  openRequests: OpenRequests;
  stagedImages: StagedImages;
  bodyBudget: BodyBudget;
  changes: ChangeBus;
  limits?: Partial<ApiLimits>;
}

export type AppDeps = ServerDeps &
  AgainDeps &
  CallbackDeps &
  CompatDeps &
  ConvertDeps &
  DeviceFileDeps &
  ObtainDeps &
  EstimateDeps &
  HealthDeps &
  KeyDeps &
  ListDeps &
  McpDeps &
  ModelFileDeps &
  ModelDeps &
  OneTaskDeps &
  PhotoDeps &
  PoolDeps &
  PresetDeps &
  PreviewDeps &
  RequestLogDeps &
  ResultDeps &
  SaveDeps &
  SettingsDeps &
  StorageDeps &
  StreamDeps &
  SubmitDeps &
  UploadDeps &
  PictureViewDeps &
  WatchDeps;

export async function buildApp(deps: AppDeps): Promise<Api> {
  const limits = { ...defaultLimits, ...deps.limits };
  const app = createServer(deps.log, limits);
  readJsonBodies(app, {
    maxBodyBytes: () => deps.settings.get().maxBodyBytes,
    pictures: deps.stagedImages,
    fields: { depths: { imageUrl: 1 }, takesBare: false },
    budget: deps.bodyBudget,
  });
  answerMissing(app);
  app.setErrorHandler(createErrorHandler(deps.log));
  app.addHook(
    'onRequest',
    createGuard({
      port: () => deps.port(),
      allowedOrigins: () => deps.settings.get().allowedOrigins,
    }),
  );
  app.addHook('onRequest', createAuthenticator(deps.keyring));
  for (const schema of namedSchemas) app.addSchema(schema);
  await documentRoutes(app, deps.version);
  await registerRoutes(app, deps, limits);
  return app;
}

async function registerRoutes(app: Api, deps: AppDeps, limits: ApiLimits): Promise<void> {
  const streams = createOpenStreams(limits.keepAliveMs);
  app.addHook('onRequest', async (request, reply) => {
    if (request.caller) deps.openRequests.add(request.caller.keyId, reply.raw);
  });
  app.addHook('preClose', (done) => {
    streams.closeAll();
    done();
  });
  notifyChanges(app, deps.changes);
  requestLogRoutes(app, deps);
  healthRoutes(app, deps);
  storageRoutes(app, deps);
  sessionRoutes(app, deps);
  await app.register(async (scope) => submitRoutes(scope, deps));
  batchRoutes(app, deps);
  taskRoutes(app, deps);
  taskEndingRoutes(app, deps);
  taskChangeRoutes(app, deps);
  againRoutes(app, deps);
  taskListRoutes(app, deps);
  photoRoutes(app, deps);
  taskStreamRoutes(app, deps, streams);
  allTasksStreamRoutes(app, deps, streams);
  callbackRoutes(app, deps);
  queueRoutes(app, deps);
  queueEstimateRoutes(app, deps);
  resultRoutes(app, deps);
  tileSetRoutes(app, deps);
  viewLinkRoutes(app, deps);
  metadataRoutes(app, deps);
  changesRoutes(app, deps);
  liveMaskRoutes(app, deps);
  previewRoutes(app, deps);
  thumbnailRoutes(app, deps);
  convertRoutes(app, deps);
  saveRoutes(app, deps);
  estimateRoutes(app, deps);
  modelRoutes(app, deps);
  addedModelRoutes(app, deps);
  obtainRoutes(app, deps, streams);
  await deviceFileRoutes(app, deps, streams);
  poolRoutes(app, deps);
  presetRoutes(app, deps);
  watchRoutes(app, deps);
  settingsRoutes(app, deps);
  grantRoutes(app, deps);
  originRoutes(app, deps);
  powerAndActivityRoutes(app, deps);
  keyRoutes(app, deps);
  compatRoutes(app, deps);
  mcpRoutes(app, deps);
  await app.register(async (scope) => uploadRoutes(scope, deps));
  await app.register(async (scope) => modelFileRoutes(scope, deps, streams));
  await app.register(async (scope) => pageRoutes(scope, deps.pageDir));
}

const resources: readonly ChangedName[] = ['presets', 'watches', 'models', 'keys'];

/**
 * Notifies listeners of the resource that a request changed. Settings notify by themselves, since some change
 * in other ways too.
 */
function notifyChanges(app: Api, changes: ChangeBus): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [, , resource] = (request.routeOptions.url ?? '').split('/');
    const name = resources.find((one) => one === resource);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (name !== undefined && !isRead && reply.statusCode < 300) changes.note([name]);
    done();
  });
}
