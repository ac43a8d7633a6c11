/** Keeps the latest requests in memory, but no query strings or bodies, which may hold links and pictures. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestLog, type LoggedRequest } from '../../contract/queue.ts';
import type { ServiceClock } from '../clock.ts';
import type { Api, ApiDeps } from './deps.ts';
import { answers, ref } from './schemas.ts';

export interface RequestLogBook {
  /**
   * Notes a request.
   * @param statusCode the status to note where no response was sent
   */
  note(request: FastifyRequest, reply: FastifyReply, statusCode?: number): void;
  newest(): LoggedRequest[];
}

const mostKept = 200;
/** Listeners are told at most once in this time. */
const coalesceMs = 1000;
const longestPath = 300;
const logRoute = '/api/requests';

/**
 * Creates the log.
 * @param onMore is called when there are newer requests
 */
export function createRequestLog(
  clock: Pick<ServiceClock, 'wallMs'>,
  onMore: () => void,
): RequestLogBook {
  const kept: LoggedRequest[] = [];
  let telling: NodeJS.Timeout | undefined;
  const tell = () => {
    telling = undefined;
    onMore();
  };
  return {
    note(request, reply, statusCode = reply.statusCode) {
      kept.push(entryOf(request, reply, clock.wallMs(), statusCode));
      if (kept.length > mostKept) kept.shift();
      // Reading the log is no news: a reader who is told of news reads the log again, without end.
      if (request.routeOptions.url !== logRoute) telling ??= setTimeout(tell, coalesceMs).unref();
    },
    newest: () => kept.toReversed(),
  };
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  nowMs: number,
  statusCode: number,
): LoggedRequest {
  const path = request.url.split('?', 1)[0] ?? '';
  const keyName = request.caller?.name;
  return {
    at: new Date(nowMs - reply.elapsedTime).toISOString(),
    method: request.method,
    path: path.slice(0, longestPath),
    statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(keyName !== undefined && { keyName }),
  };
}

/** Logs all requests but the page's own, which would drown those of other programs, and serves the log. */
export function requestLogRoutes(app: Api, { requestLog }: Pick<ApiDeps, 'requestLog'>): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!isOfThePage(request)) requestLog.note(request, reply);
  });
  app.get(
    logRoute,
    {
      config: { administers: true },
      schema: {
        tags: ['keys'],
        summary: 'The last requests of other programs, newest first',
        response: answers({ 200: ref(RequestLog) }),
      },
    },
    () => ({ requests: requestLog.newest() }),
  );
}

/**
 * Tells whether the page made a request. Its calls are known by their key; its pictures, which need none, by
 * what the browser says of them.
 */
function isOfThePage(request: FastifyRequest): boolean {
  if (!/^\/(api|mcp)\b/.test(request.url)) return true;
  if (request.caller) return request.caller.keyId === 'page';
  return request.headers['sec-fetch-site'] === 'same-origin';
}
