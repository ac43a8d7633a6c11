/** Latest requests, in memory, without query strings and bodies, which may contain links and pictures. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedRequest } from '../../contract/src/queue.ts';
import type { WallClock } from './wall-clock.ts';

export interface RequestLogBuffer {
  /** @param statusCode if no response was sent */
  note(request: FastifyRequest, reply: FastifyReply, statusCode?: number): void;
  newest(): LoggedRequest[];
}

const maxEntries = 200;
/** Minimum interval between notifications. */
const coalesceMs = 1000;
const maxPathLength = 300;
export const logRoute = '/api/requests';

/** @param onMore called after new entries */
export function createRequestLog(clock: WallClock, onMore: () => void): RequestLogBuffer {
  const entries: LoggedRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  const notify = () => {
    timer = undefined;
    onMore();
  };
  return {
    note(request, reply, statusCode = reply.statusCode) {
      entries.push(entryOf(request, reply, clock.wallMs(), statusCode));
      if (entries.length > maxEntries) entries.shift();
      // Reading the log notifies nobody: a reader that reloads on each notification would never stop.
      if (request.routeOptions.url !== logRoute) timer ??= setTimeout(notify, coalesceMs).unref();
    },
    newest: () => entries.toReversed(),
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
    path: path.slice(0, maxPathLength),
    statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(keyName !== undefined && { keyName }),
  };
}
