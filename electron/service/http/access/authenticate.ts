/** The key, before anything of a request is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/errors.ts';
import type { Caller, Keyring } from './keyring.ts';
import { sendError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Whether the route answers without a key. */
    open?: boolean;
    /** Whether the key may come as `Bearer KEY` too, as clients of other protocols show it. */
    bearer?: boolean;
    /** A body that no schema validates, as the documentation shows it. */
    shownBody?: object;
    /** Whether only the page's session key and the CLI key may call it. */
    administers?: boolean;
  }
}

export function createAuthenticator(keyring: Keyring) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { open = false, administers = false, bearer = false } = request.routeOptions.config;
    if (open) return;
    const { authorization } = request.headers;
    const shown = bearer ? authorization?.replace(/^bearer +/i, 'KEY ') : authorization;
    const caller = keyring.callerOf(shown);
    if (caller === undefined) return refuse(reply);
    request.caller = caller;
    if (administers && !caller.mayAdminister)
      throw new EnlargerError(
        'FORBIDDEN_KEY',
        'Settings and keys are changed from the application or with the key in cli.key only.',
      );
  };
}

function refuse(reply: FastifyReply): FastifyReply {
  void reply.header('www-authenticate', 'KEY realm="Enlarger"');
  return sendError(reply, 'UNAUTHORIZED', 'Invalid or missing API key');
}

/** Of a request that passed the authenticator. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('This route was reached without a key.');
  return request.caller;
}
