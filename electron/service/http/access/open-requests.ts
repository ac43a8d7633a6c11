/** What each key has open now: streams, uploads, downloads. So many at most, and they end with the key. */
import type { ServerResponse } from 'node:http';
import { EnlargerError } from '../../../contract/errors.ts';

export interface OpenRequests {
  /** Throws TOO_MANY_REQUESTS. */
  add(keyId: string, response: ServerResponse): void;
  /** Cuts all connections on which this key was shown last. */
  endAllOf(keyId: string): void;
}

/** Far more than programs need that follow what happens, and few enough that all of them cost little. */
export const mostOpenOfKey = 1000;

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, Set<ServerResponse>>();
  return {
    add(keyId, response) {
      const own = open.get(keyId) ?? new Set();
      if (own.size >= mostOpenOfKey)
        throw new EnlargerError(
          'TOO_MANY_REQUESTS',
          `Expected at most ${mostOpenOfKey} requests of one key at a time, streams included. Close some, and ask again.`,
        );
      open.set(keyId, own.add(response));
      response.once('close', () => {
        own.delete(response);
        if (own.size === 0 && open.get(keyId) === own) open.delete(keyId);
      });
    },
    endAllOf(keyId) {
      for (const response of open.get(keyId) ?? []) response.destroy();
    },
  };
}
