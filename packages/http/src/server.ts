/** The Fastify server: type, timeouts, headers, compilers. Its caller registers routes. */
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Log } from '../../contract/src/log.ts';
import { answerClientError, createErrorHandler } from './errors.ts';
import { createValidatorCompiler } from './validation.ts';

export interface ApiLimits {
  /** Keep-alive interval of a silent stream. */
  keepAliveMs: number;
  /** Time for a request to arrive, including its body. */
  requestTimeoutMs: number;
  headersTimeoutMs: number;
  /** Memory of all bodies; those of one key may hold half. */
  bodyBytes: number;
}

export const defaultLimits: ApiLimits = {
  keepAliveMs: 15_000,
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  bodyBytes: 256 * 1024 * 1024,
};

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const connectionsCheckedEveryMs = 5000;

/** Responses are for the caller alone; files set their own caching. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Without guard, keys and routes, which depend on the port. */
export function createServer(log: Log, limits: ApiLimits): Api {
  const app = openFastify(log, limits);
  app.setValidatorCompiler(createValidatorCompiler(() => app.getSchemas()));
  app.setSerializerCompiler(() => JSON.stringify);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(safeHeaders);
  });
  return app;
}

function openFastify(log: Log, limits: ApiLimits): Api {
  const handleError = createErrorHandler(log);
  return fastify<RawServerDefault>({
    logger: false,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(connectionsCheckedEveryMs, limits.headersTimeoutMs),
      // The guard rejects requests without Host in the shape of other errors.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    clientErrorHandler: answerClientError,
    schemaController: {
      // Placeholders, so that Fastify does not load its own compilers, which costs start-up time.
      compilersFactory: { buildValidator: notBuilt, buildSerializer: notBuilt },
      bucket: openSchemas,
    },
  });
}

/**
 * Named schemas, which are constants. Fastify's own store copies them all twice for each route, which took longer than
 * everything else about the routes.
 */
function openSchemas(inherited: unknown = {}) {
  const schemas = { ...(inherited as Record<string, unknown>) };
  return {
    add(schema: unknown): never {
      schemas[(schema as { $id: string }).$id] = schema;
      // Fastify's types ask for a server, which Fastify does not read.
      return undefined as never;
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  };
}

function notBuilt(): never {
  throw new Error('The compilers are set when the application is built.');
}
