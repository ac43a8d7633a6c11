/**
 * Application of the compatibility port, for programs of other services: same guard and keys, keys in each
 * family's form, errors in each family's shape.
 */
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { EnlargerError } from '../../contract/src/errors.ts';
import { readUrlencoded } from './form-fields.ts';
import { a1111Family, a1111Routes, type A1111Deps } from './a1111/a1111-routes.ts';
import { type Family, compatRefusalOf } from './refusal.ts';
import { openaiFamily, openaiRoutes, type OpenaiDeps } from './openai/openai-routes.ts';
import { rembgFamily, rembgRoutes, type RembgDeps } from './rembg/rembg-routes.ts';
import { removebgFamily, removebgRoutes, type RemovebgDeps } from './removebg/removebg-routes.ts';
import {
  portOf,
  bodyAccountOf,
  type BodyBudget,
  withStagedImages,
  readJsonBodies,
  createServer,
  defaultLimits,
  type Api,
  type ApiLimits,
  onResponseClosed,
  sendError,
  createGuard,
  type Caller,
  type Keyring,
  type PictureSink,
  type OpenRequests,
  type RequestLogBuffer,
} from '../../http/src/index.ts';
import type { CompatSettings } from './pictures.ts';
import type { Log } from '../../contract/src/log.ts';

interface CompatServerDeps {
  log: Log;
  settings: CompatSettings;
  keyring: Pick<Keyring, 'holderOf'>;
  openRequests: Pick<OpenRequests, 'add'>;
  requestLog: Pick<RequestLogBuffer, 'note'>;
  stagedImages: PictureSink;
  bodyBudget: BodyBudget;
  limits?: Partial<ApiLimits>;
}

/**
 * JSON fields that hold pictures, with their depth: remove.bg, OpenAI and, in a list of objects,
 * AUTOMATIC1111.
 */
const pictureFields = {
  depths: { image_file_b64: 1, image_url: 1, bg_image_url: 1, image: 1, data: 3 },
  takesBare: true,
};

/** nginx's status for a client that closed its connection. */
const clientClosed = 499;

const families: readonly Family[] = [removebgFamily, rembgFamily, openaiFamily, a1111Family];

export type CompatAppDeps = CompatServerDeps & A1111Deps & OpenaiDeps & RembgDeps & RemovebgDeps;

export async function buildCompatApp(deps: CompatAppDeps): Promise<Api> {
  const limits = { ...defaultLimits, ...deps.limits };
  const app = createServer(deps.log, limits);
  readJsonBodies(app, {
    maxBodyBytes: () => deps.settings.get().maxBodyBytes,
    pictures: deps.stagedImages,
    fields: pictureFields,
    budget: deps.bodyBudget,
  });
  readForms(app, deps);
  await app.register(multipart, { throwFileSizeLimit: false });
  app.setNotFoundHandler((request, reply) =>
    refuse(
      new EnlargerError('NOT_FOUND', `There is nothing at ${pathOf(request)}.`),
      request,
      reply,
    ),
  );
  app.setErrorHandler((thrown, request, reply) => {
    const refusal = compatRefusalOf(thrown);
    if (refusal.status === 500)
      deps.log('error', 'A request failed', { path: pathOf(request), error: String(thrown) });
    return refuse(thrown, request, reply);
  });
  app.addHook(
    'onRequest',
    createGuard({
      port: () => portOf(app.server),
      allowedOrigins: () => deps.settings.get().allowedOrigins,
      moreHeaders: 'x-api-key, accept',
    }),
  );
  app.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers;
    const caller = callerOf(request, deps);
    if (caller !== undefined) {
      request.caller = caller;
      deps.openRequests.add(caller.keyId, reply.raw);
      return;
    }
    void reply.header('www-authenticate', 'Basic realm="Enlarger", Bearer');
    throw new EnlargerError(
      'UNAUTHORIZED',
      authorization === undefined && request.headers['x-api-key'] === undefined
        ? "No API key: make one in Enlarger's Connect view."
        : "This API key is not valid: make one in Enlarger's Connect view.",
    );
  });
  app.addHook('onResponse', async (request, reply) => deps.requestLog.note(request, reply));
  app.addHook('onRequest', async (request, reply) => {
    // A disconnected client got no response, so its request is logged here.
    onResponseClosed(reply.raw, () => {
      if (!reply.raw.writableFinished) deps.requestLog.note(request, reply, clientClosed);
    });
  });
  removebgRoutes(app, deps);
  rembgRoutes(app, deps);
  openaiRoutes(app, deps);
  a1111Routes(app, deps);
  return app;
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '/';

function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = compatRefusalOf(thrown);
  const family = families.find((one) => one.owns(pathOf(request)));
  if (refusal.status === 503 || refusal.status === 429) void reply.header('retry-after', '60');
  if (family !== undefined) return family.refuse(reply, refusal);
  return sendError(
    reply,
    refusal.code === 'NOT_FOUND' ? 'NOT_FOUND' : requestCode(thrown),
    refusal.message,
  );
}

/** Error code at an address of no family, where only guard and key refuse. */
const requestCode = (thrown: unknown) =>
  thrown instanceof EnlargerError &&
  /^(FORBIDDEN_HOST|FORBIDDEN_ORIGIN|UNAUTHORIZED)$/.test(thrown.code)
    ? (thrown.code as 'UNAUTHORIZED')
    : 'INVALID_REQUEST';

/** If the settings allow requests without a key, any key is accepted, since many clients must send one. */
function callerOf(
  request: FastifyRequest,
  { keyring, settings }: Pick<CompatServerDeps, 'keyring' | 'settings'>,
): Caller | undefined {
  const key = keyOf(request);
  const known = key === undefined ? undefined : keyring.holderOf(key);
  if (known !== undefined || !settings.get().compatKeyless) return known;
  return { keyId: 'keyless', name: 'Without a key', mayAdminister: false, localCallbacks: false };
}

/** From X-Api-Key, Bearer, the password of Basic, or Enlarger's own form. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string') return own.trim();
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (/^(bearer|key)$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return password.join(':');
}

function readForms(app: Api, { stagedImages: pictures, settings }: CompatAppDeps): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) =>
      withStagedImages(request, pictures, (placeholders) =>
        readUrlencoded(payload, {
          announced: Number(request.headers['content-length'] ?? 0),
          account: bodyAccountOf(request),
          pictures,
          placeholders,
          maxPictureBytes: settings.get().maxBodyBytes,
        }),
      ),
  );
}
