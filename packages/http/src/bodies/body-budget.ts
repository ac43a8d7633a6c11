/**
 * Limits memory for bodies, from their first byte until the response, per key and in total. Pictures in
 * bodies go to files and do not count.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { onResponseClosed } from '../response-closed.ts';
import type { Api } from '../server.ts';

export interface BodyBudget {
  /** Opens an account that closes with the response. */
  open(keyId: string, response: ServerResponse): BodyAccount;
}

export interface BodyAccount {
  /** @throws EnlargerError TOO_MANY_REQUESTS above the limit of the key or of all keys */
  add(bytes: number): void;
  /** For a body that was dropped. */
  clear(): void;
  /** Called when the response closes, also after a disconnect. */
  onClosed(action: () => void): void;
}

interface BodyLimits {
  totalBytes: number;
  keyBytes: number;
}

/**
 * Never refused, so that small calls work however many large ones are open. A key has at most 1000 requests
 * open.
 */
const freeBytes = 64 * 1024;

export function createBodyBudget({ totalBytes, keyBytes }: BodyLimits): BodyBudget {
  const ofKeys = new Map<string, number>();
  let total = 0;
  const change = (keyId: string, bytes: number) => {
    total += bytes;
    const ofKey = (ofKeys.get(keyId) ?? 0) + bytes;
    if (ofKey === 0) ofKeys.delete(keyId);
    else ofKeys.set(keyId, ofKey);
    return ofKey;
  };
  return {
    open(keyId, response) {
      let bytes = 0;
      let counted = 0;
      const clear = () => {
        change(keyId, -counted);
        bytes = 0;
        counted = 0;
      };
      const onClosed = (action: () => void) => onResponseClosed(response, action);
      let isCounting = false;
      return {
        onClosed,
        add(more) {
          // The response of a disconnected client: its body ends too.
          if (response.closed) return;
          if (!isCounting) onClosed(clear);
          isCounting = true;
          bytes += more;
          const next = Math.max(0, bytes - freeBytes);
          const ofKey = change(keyId, next - counted);
          counted = next;
          if (counted > 0 && (ofKey > keyBytes || total > totalBytes)) {
            clear();
            throw tooMuch(ofKey > keyBytes ? 'one key' : 'all keys together');
          }
        },
        clear,
      };
    },
  };
}

const tooMuch = (whose: string) =>
  new EnlargerError(
    'TOO_MANY_REQUESTS',
    `The requests of ${whose} hold all the memory that there is for bodies. Wait until some are answered, or send pictures as files to /api/uploads.`,
  );

const accounts = new WeakMap<FastifyRequest, BodyAccount>();

/** Opens an account for each request before its body is read. */
export function countBodies(app: Api, budget: BodyBudget): void {
  app.addHook('preParsing', async (request, reply) => {
    accounts.set(request, budget.open(request.caller?.keyId ?? 'none', reply.raw));
  });
}

export function bodyAccountOf(request: FastifyRequest): BodyAccount {
  const account = accounts.get(request);
  if (!account) throw new Error('The bodies of this application are not counted.');
  return account;
}
