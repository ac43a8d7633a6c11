import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import {
  ColumnsThreadFailure,
  createColumnsThread,
} from '../../../electron/engine/inference/columns-thread.ts';
import type { ColumnsRequest } from '../../../electron/engine/inference/protocol.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const network = nearestNetwork(temporaryFolder(), 1);

const request: ColumnsRequest = {
  ...{ inputPath: 'in.v', outputPath: 'out.v', network, precision: 'int8' },
  stopFlag: new SharedArrayBuffer(4),
  shared: new SharedArrayBuffer(12),
};

/** A thread that does this when it gets a request, and counts how often it was started. */
function createThread(onRequest: string) {
  const starts = { count: 0 };
  const thread = createColumnsThread(() => {
    starts.count += 1;
    const code = `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ id }) => { ${onRequest} });`;
    return new Worker(code, { eval: true });
  });
  return { thread, starts };
}

const failed = (code: string) =>
  `parentPort.postMessage({ id, failure: { code: '${code}', message: 'The ${code}.' } });`;

it.each([
  ['exits', 'process.exit(3);', 'it ended with code 3'],
  ['throws', `throw new Error('bad_alloc');`, 'bad_alloc'],
  ['cannot run the network', failed('INTERNAL'), 'The INTERNAL.'],
])('is not used again when it %s', async (_how, code, message) => {
  const { thread, starts } = createThread(code);
  const run = () => thread.run(request, () => undefined);
  await expect(run()).rejects.toThrow(ColumnsThreadFailure);
  await expect(run()).rejects.toThrow(message);
  expect(thread.hasFailed).toBe(true);
  expect(starts.count).toBe(1);
});

it('is not used when it cannot be prepared', async () => {
  const { thread } = createThread(failed('INTERNAL'));
  const ended = Promise.withResolvers<undefined>();
  thread.prepare({ network, precision: 'int8' });
  // Requests are served in turn.
  void thread.run(request, () => undefined).catch(() => ended.resolve(undefined));
  await ended.promise;
  expect(thread.hasFailed).toBe(true);
});

it('is used again after a pass that was cancelled', async () => {
  const { thread, starts } = createThread(failed('CANCELLED'));
  const run = () => thread.run(request, () => undefined);
  await expect(run()).rejects.toThrow('The CANCELLED.');
  await expect(run()).rejects.not.toThrow(ColumnsThreadFailure);
  expect(thread.hasFailed).toBe(false);
  expect(starts.count).toBe(1);
});
