/** Open requests per key (streams, uploads, downloads): limited, and closed when the key is revoked. */
import type { ServerResponse } from 'node:http';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { onResponseClosed } from '../response-closed.ts';

export interface OpenRequests {
  /** Counts a request until its response closes. @throws EnlargerError TOO_MANY_REQUESTS */
  add(keyId: string, response: ServerResponse): void;
  /** Closes all connections whose last request had this key. */
  endAllOf(keyId: string): void;
}

/** Far more than programs that follow events need. */
export const maxOpenPerKey = 1000;

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, Set<ServerResponse>>();
  return {
    add(keyId, response) {
      const own = open.get(keyId) ?? new Set();
      if (own.size >= maxOpenPerKey)
        throw new EnlargerError(
          'TOO_MANY_REQUESTS',
          `Expected at most ${maxOpenPerKey} requests of one key at a time, streams included. Close some, and ask again.`,
        );
      open.set(keyId, own.add(response));
      onResponseClosed(response, () => {
        own.delete(response);
        if (own.size === 0 && open.get(keyId) === own) open.delete(keyId);
      });
    },
    endAllOf(keyId) {
      for (const response of open.get(keyId) ?? []) response.destroy();
    },
  };
}
