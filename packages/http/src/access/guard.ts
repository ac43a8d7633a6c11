/**
 * Access checks before any key: the Host header must name this server (against DNS rebinding), and pages of
 * other origins are refused unless the setting allows their origin. An allowed origin bypasses none of the
 * other checks.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/src/errors.ts';

export interface GuardOptions {
  port(): number;
  allowedOrigins(): readonly string[];
  /** Additional CORS request headers. */
  moreHeaders?: string;
}

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];
const corsMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The last five are those of the Model Context Protocol. */
const corsHeaders =
  'authorization, content-type, idempotency-key, prefer, last-event-id, cache-control, range, if-none-match, x-enlarger-challenge, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, mcp-wire-codec';
const exposedHeaders =
  'retry-after, etag, content-range, content-disposition, allow, preference-applied, www-authenticate, mcp-session-id';

export function createGuard(options: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    assertOwnHost(request, options.port());
    if (isPublicRead(request)) {
      void reply.header('access-control-allow-origin', '*');
      void reply.header('cross-origin-resource-policy', 'cross-origin');
      return;
    }
    void reply.header('cross-origin-resource-policy', 'same-origin');
    const origin = assertKnownOrigin(request, options);
    if (origin === undefined) return;
    allowOrigin(reply, origin);
    if (isPreflight(request)) return answerPreflight(request, reply, options.moreHeaders);
  };
}

/**
 * Also for HTTP/1.0.
 * @throws EnlargerError FORBIDDEN_HOST unless exactly one Host header names this server
 */
function assertOwnHost(request: FastifyRequest, port: number): void {
  const { rawHeaders } = request.raw;
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  const host = request.raw.headers.host?.toLowerCase();
  if (count === 1 && host !== undefined && ownHosts(port).includes(host)) return;
  throw new EnlargerError(
    'FORBIDDEN_HOST',
    `Expected one Host header that names this server (127.0.0.1:${port}) but received ${
      count === 1 ? JSON.stringify(host) : String(count)
    }.`,
  );
}

function ownHosts(port: number): string[] {
  return port === 80 ? [...ownNames, ...withPort(port)] : withPort(port);
}

function withPort(port: number): string[] {
  return ownNames.map((name) => `${name}:${port}`);
}

/** Only signed result links are open to all origins. */
function isPublicRead({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && url.startsWith('/api/results/');
}

/**
 * Returns the origin if the settings allow it, undefined for own pages and programs.
 * @throws EnlargerError FORBIDDEN_ORIGIN
 */
function assertKnownOrigin(request: FastifyRequest, options: GuardOptions): string | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && options.allowedOrigins().includes(origin)) return origin;
  const isOwn = origin === undefined || ownOrigins(options.port()).includes(origin);
  // Browsers send same-site for another port of this machine; programs send no header, typed addresses
  // `none`.
  if (isOwn && site !== 'cross-site' && site !== 'same-site') return undefined;
  throw new EnlargerError(
    'FORBIDDEN_ORIGIN',
    `Pages of ${origin ?? 'another site'} may not call Enlarger. Add the origin to the setting allowedOrigins to let them.`,
  );
}

function ownOrigins(port: number): string[] {
  return ownHosts(port).map((host) => `http://${host}`);
}

function allowOrigin(reply: FastifyReply, origin: string): void {
  void reply.header('access-control-allow-origin', origin);
  void reply.header('access-control-expose-headers', exposedHeaders);
  void reply.header('cross-origin-resource-policy', 'cross-origin');
  void reply.header('vary', 'Origin');
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  moreHeaders?: string,
): FastifyReply {
  void reply.header('access-control-allow-methods', corsMethods);
  const headers = [corsHeaders, moreHeaders ?? []].flat().join(', ');
  void reply.header('access-control-allow-headers', headers);
  void reply.header('access-control-max-age', '600');
  if (request.headers['access-control-request-private-network'] === 'true')
    void reply.header('access-control-allow-private-network', 'true');
  return reply.code(204).send();
}
