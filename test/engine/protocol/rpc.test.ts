import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  createRpcServer,
  createRpcClient,
  type RpcCall,
  type RpcReply,
} from '../../../electron/engine/protocol/rpc.ts';

interface TestCalls {
  wait: { request: Promise<string>; response: string };
  count: { request: number; response: string; event: number };
  fail: { request: Error; response: never };
  stop: { request: undefined; response: never };
}

/** Both sides in one thread, over what `post` does with each question. */
function connected(post?: (call: RpcCall<TestCalls>) => void) {
  const client = createRpcClient<TestCalls>((call) => (post ?? answer)(call as RpcCall<TestCalls>));
  const answer = createRpcServer<TestCalls>(
    {
      wait: (request) => request,
      count(request, emit) {
        for (let n = 1; n <= request; n += 1) emit(n);
        return 'counted';
      },
      fail: (request) => Promise.reject(request),
      stop: (_asked, _tell, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    (said) => client.onReply(said),
    (error) => ({
      code: error instanceof EnlargerError ? 'CANCELLED' : 'INTERNAL',
      message: String(error),
    }),
  );
  return client;
}

function cancelling() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

it('gives each request its own response, whichever comes first', async () => {
  const client = connected();
  const { promise: slow, resolve } = Promise.withResolvers<string>();
  const first = client.request('wait', slow);
  expect(await client.request('wait', Promise.resolve('second'))).toBe('second');
  resolve('first');
  expect(await first).toBe('first');
});

it('sends events before the response', async () => {
  const events: number[] = [];
  expect(await connected().request('count', 3, { onEvent: (n) => events.push(n) })).toBe('counted');
  expect(events).toEqual([1, 2, 3]);
});

it('rejects with the code of the other side, and goes on', async () => {
  const client = connected();
  const cancelled = new EnlargerError('CANCELLED', 'It was cancelled.');
  await expect(client.request('fail', cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(client.request('fail', new Error('no'))).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await client.request('count', 0)).toBe('counted');
});

it('rejects what is open when the other side is no more, and hears nothing of it later', async () => {
  const calls: RpcCall<TestCalls>[] = [];
  const client = connected((call) => calls.push(call));
  const open = client.request('count', 1);
  client.rejectAll(() => new Error('its thread ended'));
  await expect(open).rejects.toThrow('its thread ended');
  client.onReply({ id: calls[0]?.id ?? 0, response: 'late' });
});

it('cancels by a signal what is asked, which says that it ended', async () => {
  const { signal, abort } = cancelling();
  const client = connected();
  const cancelled = client.request('stop', undefined, { signal });
  abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(client.request('stop', undefined, { signal })).rejects.toMatchObject({
    code: 'CANCELLED',
  });
});

it('gives away what is to be transferred', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  interface Calls {
    size: { request: Float32Array; response: number };
  }
  const answer = createRpcServer<Calls>(
    { size: ({ length }) => length },
    (said) => port2.postMessage(said),
    () => ({ code: 'INTERNAL', message: '' }),
  );
  port2.on('message', (call: RpcCall<Calls>) => void answer(call));
  const client = createRpcClient<Calls>((question, transfer) =>
    port1.postMessage(question, transfer),
  );
  port1.on('message', (said: RpcReply) => client.onReply(said));
  const tensor = new Float32Array(8);
  expect(await client.request('size', tensor, { transfer: [tensor.buffer] })).toBe(8);
  expect(tensor.length).toBe(0);
});
