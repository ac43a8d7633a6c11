/** The inference thread's side of the thread that runs columns beside it. */
import type { Worker } from 'node:worker_threads';
import { asError } from '../../../packages/contract/src/error-messages.ts';
import { taskErrorCodeOf } from '../../../packages/contract/src/errors.ts';
import { createRpcClient } from '../protocol/rpc.ts';
import type {
  ColumnsRequest,
  FromInference,
  InferenceCalls,
  PrepareColumnsRequest,
} from './protocol.ts';

/** The thread ended, or could not load or run the network. The pass can run without it. */
export class ColumnsThreadFailure extends Error {
  override readonly name = 'ColumnsThreadFailure';
}

export interface ColumnsThread {
  /** Whether it failed: it is not used again, because what it lacks, such as memory, it would lack again. */
  readonly hasFailed: boolean;
  /** Loads the network of a later run, which finds out why where it cannot be loaded. */
  prepare(request: PrepareColumnsRequest): void;
  /** @throws ColumnsThreadFailure, or the EnlargerError of the pass, such as CANCELLED */
  run(request: ColumnsRequest, onStrip: (event: { done: number }) => void): Promise<void>;
}

/** @param start called at the first run */
export function createColumnsThread(start: () => Worker): ColumnsThread {
  let failure: ColumnsThreadFailure | undefined;
  const fail = (error: unknown): ColumnsThreadFailure => {
    if (!failure) {
      const { message } = asError(error);
      process.stderr.write(`The thread that shares columns failed: ${message}\n`);
      failure = new ColumnsThreadFailure(message, { cause: error });
    }
    return failure;
  };
  const connect = () => {
    const worker = start();
    const rpc = createRpcClient<InferenceCalls>((call, transfer) =>
      worker.postMessage(call, transfer),
    );
    worker.on('message', (message: FromInference) => {
      if ('id' in message) rpc.onReply(message);
    });
    worker.on('error', fail);
    worker.on('exit', (code) => {
      const error = fail(new Error(`it ended with code ${code}`));
      rpc.rejectAll(() => error);
    });
    return rpc;
  };
  let connected: ReturnType<typeof connect> | undefined;
  const rpc = () => (connected ??= connect());
  return {
    get hasFailed() {
      return failure !== undefined;
    },
    prepare(request) {
      if (!failure) rpc().request('prepareColumns', request).catch(fail);
    },
    async run(request, onEvent) {
      if (failure) throw failure;
      try {
        await rpc().request('columns', request, { onEvent });
      } catch (error) {
        throw taskErrorCodeOf(error) === 'INTERNAL' ? fail(error) : error;
      }
    },
  };
}
