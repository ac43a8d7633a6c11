/** Fires when the client went away before its answer was complete. */
import type { FastifyReply } from 'fastify';

export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return gone.signal;
}
