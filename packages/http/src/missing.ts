/** Responses for unknown URLs: 404, or 405 with the allowed methods. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from './server.ts';
import { sendError } from './errors.ts';

interface KnownRoute {
  method: string;
  path: RegExp;
}

/** Must run before routes are registered, because it hooks their registration. */
export function answerMissing(app: Api): void {
  const known: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) known.push({ method: one, path: patternOf(url) });
  });
  app.setNotFoundHandler((request, reply) => sendMissing(request, reply, known));
}

function sendMissing(request: FastifyRequest, reply: FastifyReply, known: KnownRoute[]) {
  const path = request.url.split('?', 1)[0] ?? '/';
  const allowed = known.filter((route) => leadsTo(route, path)).map(({ method }) => method);
  if (allowed.length === 0 || allowed.includes(request.method))
    return sendError(reply, 'NOT_FOUND', `There is nothing at ${path}.`);
  const methods = [...new Set(allowed)].join(', ');
  void reply.header('allow', methods);
  return sendError(reply, 'METHOD_NOT_ALLOWED', `${path} answers to ${methods} only.`);
}

/** The page's wildcard does not cover addresses of the API. */
function leadsTo({ path: pattern }: KnownRoute, path: string): boolean {
  return pattern.test(path) && !(path.startsWith('/api/') && pattern.source === '^\\/.*$');
}

/** Pattern of a route such as /api/task/:taskId/sse or /*. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:[^/]+/g, '[^/]+').replace('*', '.*')}$`);
}
