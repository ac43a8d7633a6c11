/** What each key has open now: streams, uploads, downloads. They end with the key. */
import type { ServerResponse } from 'node:http';

export interface OpenRequests {
  add(keyId: string, response: ServerResponse): void;
  /** Cuts all connections on which this key was shown last. */
  endAllOf(keyId: string): void;
}

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, Set<ServerResponse>>();
  return {
    add(keyId, response) {
      const own = open.get(keyId) ?? new Set();
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
