/** A foreign decoder's limit counts what it computes, and not how long it waits for the processor. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { watchThread } from '../../../../packages/photo-files/src/foreign/thread-deadline.ts';

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

const limitMs = 1000;

/** How the thread ended: late, or by itself. */
function endOf(program: string, waitFactor?: number): Promise<string> {
  const worker = new Worker(program, { eval: true });
  workers.push(worker);
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = watchThread(worker, limitMs, () => resolve('late'), waitFactor);
  worker.once('exit', () => resolve('done'));
  return promise.finally(end);
}

const waiting = (ms: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;

it('lets a thread wait for longer than it may compute', async () => {
  expect(await endOf(waiting(2 * limitMs), 1000)).toBe('done');
});

it('ends a thread that computes without end', async () => {
  expect(await endOf('for (;;);', 1e6)).toBe('late');
});

it('ends a thread that waits without end', async () => {
  expect(await endOf(waiting(3_600_000), 1.5)).toBe('late');
});
