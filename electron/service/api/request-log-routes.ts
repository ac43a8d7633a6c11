/** The log of requests, without those of the application's own page, which would displace other programs'. */
import type { FastifyRequest } from 'fastify';
import { RequestLog } from '../../../packages/contract/src/queue.ts';
import {
  type Api,
  logRoute,
  type RequestLogBuffer,
  answers,
  ref,
} from '../../../packages/http/src/index.ts';

export interface RequestLogDeps {
  requestLog: Pick<RequestLogBuffer, 'note' | 'newest'>;
}

export function requestLogRoutes(app: Api, { requestLog }: RequestLogDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!isOfThePage(request)) requestLog.note(request, reply);
  });
  app.get(
    logRoute,
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'List the last requests of other programs, newest first',
        response: answers({ 200: ref(RequestLog) }),
      },
    },
    () => ({ requests: requestLog.newest() }),
  );
}

/** The page's calls are known by their key; its pictures, which need none, by the browser's header. */
function isOfThePage(request: FastifyRequest): boolean {
  if (!/^\/(api|mcp)\b/.test(request.url)) return true;
  if (request.caller) return request.caller.keyId === 'page';
  return request.headers['sec-fetch-site'] === 'same-origin';
}
