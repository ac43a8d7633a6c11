/** The Fastify server: its type, time limits, headers and compilers. Routes are registered by its caller. */
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Log } from '../../contract/log.ts';
import { answerClientError, createErrorHandler } from './errors.ts';
import { createValidatorCompiler } from './validation.ts';

export interface ApiLimits {
  /** A silent stream sends a keep-alive after this time. */
  keepAliveMs: number;
  /** A request, with its body, must arrive within this time. */
  requestTimeoutMs: number;
  headersTimeoutMs: number;
  /** All bodies together may hold this much memory, those of one key half of it. */
  bodyBytes: number;
}

export const defaultLimits: ApiLimits = {
  keepAliveMs: 15_000,
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  bodyBytes: 256 * 1024 * 1024,
};

/** Routes are registered on this kind of Fastify instance. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const connectionsCheckedEveryMs = 5000;

/** Answers of the API are for the caller alone; files replace the caching header by their own. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Creates a server that does not listen yet and has no guard, keys or routes, which depend on its port. */
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
      // The guard refuses requests without Host in the shape of every other error.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    clientErrorHandler: answerClientError,
    schemaController: {
      // The application sets its own compilers; naming some here keeps Fastify from loading its own, which
      // takes time.
      compilersFactory: { buildValidator: notBuilt, buildSerializer: notBuilt },
    },
  });
}

function notBuilt(): never {
  throw new Error('The compilers are set when the application is built.');
}
