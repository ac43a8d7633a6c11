/** Checks a request's key before its body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/src/errors.ts';
import type { Caller, Keyring } from './keyring.ts';
import { sendError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** No key required. */
    open?: boolean;
    /** Body shown in the documentation, not validated by a schema. */
    shownBody?: object;
    /** Only for the page's session keys and the CLI key. */
    administers?: boolean;
  }
}

export function createAuthenticator(keyring: Keyring) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { open = false, administers = false } = request.routeOptions.config;
    if (open) return;
    const caller = keyring.callerOf(request.headers.authorization);
    if (caller === undefined) return refuse(reply);
    request.caller = caller;
    if (administers && !caller.mayAdminister)
      throw new EnlargerError(
        'FORBIDDEN_KEY',
        'Settings and keys are changed from the application or with the key in cli.key only.',
      );
  };
}

/** @throws EnlargerError FORBIDDEN_KEY if a submit grants paths and its key may not administer */
export function assertMayGrant(
  request: FastifyRequest,
  { grants = [] }: { grants?: string[] },
): void {
  if (grants.length === 0 || callerOf(request).mayAdminister) return;
  throw new EnlargerError(
    'FORBIDDEN_KEY',
    'Expected no grants with this key: folders are granted from the application or with the key in cli.key only.',
  );
}

function refuse(reply: FastifyReply): FastifyReply {
  void reply.header('www-authenticate', 'KEY realm="Enlarger", Bearer realm="Enlarger"');
  return sendError(reply, 'UNAUTHORIZED', 'Invalid or missing API key');
}

/** Caller of an authenticated request. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('This route was reached without a key.');
  return request.caller;
}
