/** A task that nobody wants any more can be cancelled only by who knows its id. */
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A service that has stored the task and keeps its answer back. */
async function lateService() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ url: `http://127.0.0.1:${port}`, key: 'k' });
  const asked = async () => {
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return () => response.end(JSON.stringify({ taskId: 'a' }));
  };
  return { client, asked };
}

it('a submit that was sent tells the id of its task, also once it is not wanted', async () => {
  const { client, asked } = await lateService();
  const giving = new AbortController();
  const [submitted, answer] = [
    client.submit('upscale', {}, { signal: giving.signal }),
    await asked(),
  ];
  giving.abort();
  answer();
  expect(await submitted).toBe('a');
});

it('a submit that was given up before is not sent', async () => {
  const { client } = await lateService();
  const submitted = client.submit('upscale', {}, { signal: AbortSignal.abort() });
  await expect(submitted).rejects.toThrow(/abort/i);
});

it('a submit that was given up ends, also where no answer comes', { timeout: 30_000 }, async () => {
  const { client, asked } = await lateService();
  const giving = new AbortController();
  const submitted = client.submit('upscale', {}, { signal: giving.signal });
  await asked();
  giving.abort();
  await expect(submitted).rejects.toThrow(/abort/i);
});

it(
  'files whose connection is lost while they are sent fail without an error that nobody can catch',
  { timeout: 60_000 },
  async () => {
    let count = 0;
    const server = createServer(({ socket }) => {
      if ((count += 1) % 2 === 0) socket.destroy();
      else setImmediate(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    server.on('connection', (socket) => count % 5 === 0 && socket.destroy());
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: `http://127.0.0.1:${port}`, key: 'k' });
    const file = path.join(temporaryFolder(), 'photo.bin');
    await writeFile(file, Buffer.alloc(200_000));
    const photo = { blob: await openAsBlob(file), name: 'a.bin' };
    const sent = [];
    // The rejected ones alone; an uncaught exception fails the run.
    for (let round = 0; round < 200; round += 1) {
      const { signal } = new AbortController();
      const calls = [client.upload(photo, signal), client.addModel([photo, photo], {}, signal)];
      sent.push(...(await Promise.allSettled(calls)));
    }
    expect(sent.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  },
);
