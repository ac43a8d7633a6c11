/**
 * Remote procedure calls to another thread or process. Each request has an id, which each message in return
 * repeats: events first, then a response or a failure. Responses come in the order in which the work ends.
 */
import type { Transferable } from 'node:worker_threads';
import {
  EnlargerError,
  taskCancelled,
  type TaskErrorCode,
} from '../../../packages/contract/src/errors.ts';

export interface Failure {
  code: TaskErrorCode;
  message: string;
}

interface CallTypes {
  request: unknown;
  response: unknown;
  event?: unknown;
}
/** The requests that one side serves, by kind. */
type CallTable<All> = { [Kind in keyof All]: CallTypes };
type EventOf<One> = One extends { event: infer News } ? News : never;

/** A request as it is sent. */
export type RpcCall<All> = {
  [Kind in keyof All]: All[Kind] extends CallTypes
    ? { id: number; kind: Kind; request: All[Kind]['request'] }
    : never;
}[keyof All];
/** Cancels a request. It still gets a response or a failure. */
interface RpcCancellation {
  id: number;
  isCancelled: true;
}
/** A message of the client. */
export type RpcRequest<All> = RpcCall<All> | RpcCancellation;
/** A message of the server. */
export type RpcReply = { id: number } & (
  | { response: unknown }
  | { failure: Failure }
  | { event: unknown }
);

export interface RpcClient<All extends CallTable<All>> {
  /**
   * Sends a request. Objects in `transfer` are moved to the other side. When the signal fires, the other side
   * is told to stop; the promise still waits for its reply.
   *
   * @throws the EnlargerError of the other side, or the error that `rejectAll` makes
   */
  request: <Kind extends keyof All>(
    kind: Kind,
    request: All[Kind]['request'],
    more?: {
      onEvent?: (event: EventOf<All[Kind]>) => void;
      transfer?: Transferable[];
      signal?: AbortSignal;
    },
  ) => Promise<All[Kind]['response']>;
  /** Handles a message of the other side; the caller passes on each of them. */
  onReply: (reply: RpcReply) => void;
  /** Rejects every pending request with an error of its own, because the other side has ended. */
  rejectAll: (errorOf: (call: { kind: keyof All; request: unknown }) => Error) => void;
}

interface PendingCall<Kind> {
  kind: Kind;
  request: unknown;
  resolve: (response: unknown) => void;
  reject: (error: Error) => void;
  onEvent: ((event: never) => void) | undefined;
  /** Removes the listener from the signal. */
  removeListener: () => void;
}

export function createRpcClient<All extends CallTable<All>>(
  post: (
    call: { id: number; kind: keyof All; request: unknown } | RpcCancellation,
    transfer: Transferable[],
  ) => void,
): RpcClient<All> {
  const pending = new Map<number, PendingCall<keyof All>>();
  let lastId = 0;
  return {
    request: (kind, request, { onEvent, transfer = [], signal } = {}) =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        const cancel = () => post({ id, isCancelled: true }, []);
        const removeListener = () => signal?.removeEventListener('abort', cancel);
        pending.set(id, { kind, request, resolve, reject, onEvent, removeListener });
        post({ id, kind, request }, transfer);
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
      }),
    onReply(reply) {
      const call = pending.get(reply.id);
      if ('event' in reply) return call?.onEvent?.(reply.event as never);
      pending.delete(reply.id);
      call?.removeListener();
      if ('response' in reply) call?.resolve(reply.response);
      else call?.reject(new EnlargerError(reply.failure.code, reply.failure.message));
    },
    rejectAll(errorOf) {
      for (const call of pending.values()) {
        call.removeListener();
        call.reject(errorOf(call));
      }
      pending.clear();
    },
  };
}

export type RpcHandlers<All extends CallTable<All>> = {
  [Kind in keyof All]: (
    request: All[Kind]['request'],
    emit: (event: EventOf<All[Kind]>) => void,
    /** Aborted with CANCELLED when the client no longer waits. */
    signal: AbortSignal,
  ) => Promise<All[Kind]['response']> | All[Kind]['response'];
};

/** Creates a function that serves or cancels one request, and never rejects. */
export function createRpcServer<All extends CallTable<All>>(
  handlers: RpcHandlers<All>,
  send: (reply: RpcReply) => void,
  failureOf: (error: unknown) => Failure,
): (message: RpcRequest<All>) => Promise<void> {
  const running = new Map<number, AbortController>();
  return async (message) => {
    const { id } = message;
    if ('isCancelled' in message) return running.get(id)?.abort(taskCancelled());
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const emit = (event: unknown) => send({ id, event });
      const { kind, request } = message;
      send({ id, response: await handlers[kind](request, emit, controller.signal) });
    } catch (error) {
      send({ id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  };
}
