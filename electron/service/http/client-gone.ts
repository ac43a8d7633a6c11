import type { FastifyReply } from 'fastify';

/** Signal that fires if the client disconnects before its response is complete. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return gone.signal;
}
