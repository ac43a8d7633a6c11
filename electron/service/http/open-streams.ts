/** The streams that are open now, so that the end of the service ends them. */
import type { FastifyReply } from 'fastify';
import { openEventStream, type EventStream } from './event-stream.ts';

export interface OpenStreams {
  /** `onClose` is called once, whoever closed it. */
  open(reply: FastifyReply, onClose: () => void): EventStream;
  closeAll(): void;
  readonly count: number;
}

export function createOpenStreams(keepAliveMs: number): OpenStreams {
  const streams = new Set<EventStream>();
  return {
    open: (reply, onClose) => {
      const stream = openEventStream(reply, {
        keepAliveMs,
        onClose: () => {
          streams.delete(stream);
          onClose();
        },
      });
      streams.add(stream);
      return stream;
    },
    closeAll: () => {
      for (const stream of streams) stream.end();
    },
    get count() {
      return streams.size;
    },
  };
}
