import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../electron/contract/errors.ts';
import {
  createAnswerer,
  createAsker,
  type Asked,
  type Said,
} from '../../../electron/engine/protocol/rpc.ts';

interface TestCalls {
  wait: { asked: Promise<string>; answer: string };
  count: { asked: number; answer: string; news: number };
  fail: { asked: Error; answer: never };
  stop: { asked: undefined; answer: never };
}

/** Both sides in one thread, over what `post` does with each question. */
function connected(post?: (question: Asked<TestCalls>) => void) {
  const asker = createAsker<TestCalls>((question) =>
    (post ?? answer)(question as Asked<TestCalls>),
  );
  const answer = createAnswerer<TestCalls>(
    {
      wait: (asked) => asked,
      count(asked, tell) {
        for (let n = 1; n <= asked; n += 1) tell(n);
        return 'counted';
      },
      fail: (asked) => Promise.reject(asked),
      stop: (_asked, _tell, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    (said) => asker.hear(said),
    (error) => ({
      code: error instanceof EnlargerError ? 'CANCELLED' : 'INTERNAL',
      message: String(error),
    }),
  );
  return asker;
}

function cancelling() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

it('gives each question its own answer, whichever comes first', async () => {
  const asker = connected();
  const { promise: slow, resolve } = Promise.withResolvers<string>();
  const first = asker.ask('wait', slow);
  expect(await asker.ask('wait', Promise.resolve('second'))).toBe('second');
  resolve('first');
  expect(await first).toBe('first');
});

it('tells news before the answer', async () => {
  const news: number[] = [];
  expect(await connected().ask('count', 3, { onNews: (n) => news.push(n) })).toBe('counted');
  expect(news).toEqual([1, 2, 3]);
});

it('rejects with the code of the other side, and goes on', async () => {
  const asker = connected();
  const cancelled = new EnlargerError('CANCELLED', 'It was cancelled.');
  await expect(asker.ask('fail', cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(asker.ask('fail', new Error('no'))).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await asker.ask('count', 0)).toBe('counted');
});

it('rejects what is open when the other side is no more, and hears nothing of it later', async () => {
  const asked: Asked<TestCalls>[] = [];
  const asker = connected((question) => asked.push(question));
  const open = asker.ask('count', 1);
  asker.end(() => new Error('its thread ended'));
  await expect(open).rejects.toThrow('its thread ended');
  asker.hear({ id: asked[0]?.id ?? 0, answer: 'late' });
});

it('cancels by a signal what is asked, which says that it ended', async () => {
  const { signal, abort } = cancelling();
  const asker = connected();
  const cancelled = asker.ask('stop', undefined, { signal });
  abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(asker.ask('stop', undefined, { signal })).rejects.toMatchObject({
    code: 'CANCELLED',
  });
});

it('gives away what is to be transferred', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  interface Calls {
    size: { asked: Float32Array; answer: number };
  }
  const answer = createAnswerer<Calls>(
    { size: ({ length }) => length },
    (said) => port2.postMessage(said),
    () => ({ code: 'INTERNAL', message: '' }),
  );
  port2.on('message', (question: Asked<Calls>) => void answer(question));
  const asker = createAsker<Calls>((question, transfer) => port1.postMessage(question, transfer));
  port1.on('message', (said: Said) => asker.hear(said));
  const tensor = new Float32Array(8);
  expect(await asker.ask('size', tensor, { transfer: [tensor.buffer] })).toBe(8);
  expect(tensor.length).toBe(0);
});
