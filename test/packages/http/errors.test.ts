import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createErrorHandler } from '../../../packages/http/src/errors.ts';
import { createServer, defaultLimits } from '../../../packages/http/src/server.ts';

async function open(isClientGone: boolean): Promise<string[]> {
  const levels: string[] = [];
  const log = (level: string) => void levels.push(level);
  const app = createServer(log, defaultLimits);
  onTestFinished(() => app.close());
  app.setErrorHandler(createErrorHandler(log));
  const begun = Promise.withResolvers<undefined>();
  const finish = Promise.withResolvers<undefined>();
  const handled = Promise.withResolvers<undefined>();
  app.get('/slow', async (_, reply) => {
    reply.raw.once('close', () => finish.resolve(undefined));
    begun.resolve(undefined);
    await finish.promise;
    // After this turn the error is handled.
    setImmediate(() => handled.resolve(undefined));
    throw new Error('The engine was closed.');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call = request(`${url}/slow`).on('error', () => undefined);
  const answered = once(call, 'response').catch(() => undefined);
  call.end();
  await begun.promise;
  if (isClientGone) call.destroy();
  else finish.resolve(undefined);
  await handled.promise;
  await answered;
  return levels;
}

it('logs a failure as an error where somebody waits for the response, else as a warning', async () => {
  expect(await open(false)).toEqual(['error']);
  expect(await open(true)).toEqual(['warn']);
});
