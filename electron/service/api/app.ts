/** Builds the HTTP application, not yet listening: guard, key, schema, handler. Each resource has its file. */
import {
  grantRoutes,
  originRoutes,
  settingsRoutes,
  surroundingsRoutes,
} from './settings-routes.ts';
import { createAuthenticator } from '../http/access/authenticate.ts';
import { createErrorHandler } from '../http/errors.ts';
import { readJsonBodies } from '../http/bodies/content-types.ts';
import { compatRoutes } from './compat-routes.ts';
import { convertRoutes } from './convert-routes.ts';
import type { ApiDeps } from './deps.ts';
import { createServer, defaultLimits, type Api, type ApiLimits } from '../http/server.ts';
import { documentRoutes } from '../http/documentation.ts';
import { estimateRoutes, queueEstimateRoutes } from './estimate-routes.ts';
import { createGuard } from '../http/access/guard.ts';
import { healthRoutes } from './health-routes.ts';
import { changesRoutes, tileSetRoutes, viewLinkRoutes, metadataRoutes } from './view-routes.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { answerMissing } from '../http/missing.ts';
import { modelFileRoutes } from './model-file-routes.ts';
import { addedModelRoutes, modelRoutes } from './model-routes.ts';
import { deviceFileRoutes } from './device-file-routes.ts';
import { obtainRoutes } from './download-routes.ts';
import { createOpenStreams } from '../http/streams/event-stream.ts';
import { keyRoutes, sessionRoutes } from './key-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { previewRoutes, thumbnailRoutes } from './preview-routes.ts';
import { poolRoutes } from './pool-routes.ts';
import { presetRoutes } from './preset-routes.ts';
import { requestLogRoutes } from './request-log-routes.ts';
import { resultRoutes } from './result-routes.ts';
import { saveRoutes } from './save-routes.ts';
import { namedSchemas } from './named-schemas.ts';
import { callbackRoutes } from './callback-routes.ts';
import { againRoutes } from './again-routes.ts';
import { photoRoutes } from './photo-routes.ts';
import { batchRoutes, submitRoutes } from './submit-routes.ts';
import { allTasksStreamRoutes, taskStreamRoutes } from './stream-routes.ts';
import { taskEndingRoutes, taskPlaceRoutes, taskRoutes } from './one-task-routes.ts';
import { queueRoutes, taskListRoutes } from './list-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { watchRoutes } from './watch-routes.ts';
import type { ChangeNews, ChangedName } from '../settings/change-news.ts';

export async function buildApp(deps: ApiDeps): Promise<Api> {
  const limits = { ...defaultLimits, ...deps.limits };
  const app = createServer(deps.log, limits);
  readJsonBodies(app, {
    maxBodyBytes: () => deps.settings.get().maxBodyBytes,
    pictures: deps.heldPictures,
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

async function registerRoutes(app: Api, deps: ApiDeps, limits: ApiLimits): Promise<void> {
  const streams = createOpenStreams(limits.keepAliveMs);
  app.addHook('onRequest', async (request, reply) => {
    if (request.caller) deps.openRequests.add(request.caller.keyId, reply.raw);
  });
  app.addHook('preClose', (done) => {
    streams.closeAll();
    done();
  });
  tellChanges(app, deps.changes);
  requestLogRoutes(app, deps);
  healthRoutes(app, deps);
  sessionRoutes(app, deps);
  submitRoutes(app, deps);
  batchRoutes(app, deps);
  taskRoutes(app, deps);
  taskEndingRoutes(app, deps);
  taskPlaceRoutes(app, deps);
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
  surroundingsRoutes(app, deps);
  keyRoutes(app, deps);
  compatRoutes(app, deps);
  mcpRoutes(app, deps);
  await app.register(async (scope) => uploadRoutes(scope, deps));
  await app.register(async (scope) => modelFileRoutes(scope, deps));
  await app.register(async (scope) => pageRoutes(scope, deps.pageDir));
}

const resources: readonly ChangedName[] = ['presets', 'watches', 'models', 'keys'];

/**
 * Tells listeners which resource a request changed. Settings are not in the list: they tell of changes
 * themselves, because some are changed in other ways too.
 */
function tellChanges(app: Api, changes: ChangeNews): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [, , resource] = (request.routeOptions.url ?? '').split('/');
    const name = resources.find((one) => one === resource);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (name !== undefined && !isRead && reply.statusCode < 300) changes.note([name]);
    done();
  });
}
