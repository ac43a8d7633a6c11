import type { FastifyReply } from 'fastify';
import { onResponseClosed } from './response-closed.ts';

/** Signal that fires if the client disconnects before its response is complete. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.destroyed) onClose();
  else onResponseClosed(raw, onClose);
  return gone.signal;
}
