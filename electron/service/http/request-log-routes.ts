/**
 * The last requests of other programs, in memory: neither query strings nor bodies, which may hold links and
 * pictures. What the application's own page asks for would drown them and is left out.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestLog, type LoggedRequest } from '../../contract/queue.ts';
import type { Api, ApiDeps } from './deps.ts';
import { answers, ref } from './schemas.ts';

const mostKept = 200;
const longestPath = 300;

export function requestLogRoutes(app: Api, { clock }: Pick<ApiDeps, 'clock'>): void {
  const kept: LoggedRequest[] = [];
  app.addHook('onResponse', async (request, reply) => {
    if (isOfThePage(request)) return;
    kept.push(entryOf(request, reply, clock.wallMs()));
    if (kept.length > mostKept) kept.shift();
  });
  app.get(
    '/api/requests',
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'The last requests of other programs, newest first',
        response: answers({ 200: ref(RequestLog) }, 'FORBIDDEN_KEY'),
      },
    },
    () => ({ requests: kept.toReversed() }),
  );
}

/** Its calls by their key; its pictures, which need none, by what the browser says of them. */
function isOfThePage(request: FastifyRequest): boolean {
  if (!request.url.startsWith('/api/')) return true;
  if (request.caller) return request.caller.keyId === 'page';
  return request.headers['sec-fetch-site'] === 'same-origin';
}

function entryOf(request: FastifyRequest, reply: FastifyReply, nowMs: number): LoggedRequest {
  const path = request.url.split('?', 1)[0] ?? '';
  const keyName = request.caller?.name;
  return {
    at: new Date(nowMs - reply.elapsedTime).toISOString(),
    method: request.method,
    path: path.slice(0, longestPath),
    statusCode: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(keyName !== undefined && { keyName }),
  };
}
