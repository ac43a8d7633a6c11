/** Latest requests, in memory, without query strings and bodies, which may contain links and pictures. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedRequest } from '../../contract/queue.ts';
import type { ServiceClock } from '../clock.ts';

export interface RequestLogBook {
  /** @param statusCode if no response was sent */
  note(request: FastifyRequest, reply: FastifyReply, statusCode?: number): void;
  newest(): LoggedRequest[];
}

const mostKept = 200;
/** Minimum interval between notifications. */
const coalesceMs = 1000;
const longestPath = 300;
export const logRoute = '/api/requests';

/** @param onMore called after new entries */
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
      // Reading the log notifies nobody: a reader that reloads on each notification would never stop.
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
