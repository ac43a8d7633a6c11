/** Requests by node:http, beside what the platform's fetch answers to the same. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { nodeFetch } from '../../../packages/api-client/src/node-fetch.ts';
import { readAll } from '../../../packages/api-client/src/read-all.ts';
import { root } from '../../support/program.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Echoes what was asked. */
const echo: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  const { authorization, 'content-type': type, 'content-length': length } = headers;
  void textOf(request).then((text) =>
    response.end(JSON.stringify({ method, url, authorization, type, length, text })),
  );
};

describe.each([
  ['node:http', nodeFetch],
  ['fetch', fetch],
])('a client that asks by %s', (_name, send) => {
  it('sends method, key and body, and reads the answer', async () => {
    const client = createClient({ url: await serve(echo), key: 'k', fetch: send });
    expect(await client.settings()).toEqual({
      method: 'GET',
      url: '/api/settings',
      authorization: 'KEY k',
      text: '',
    });
    expect(await client.changeSettings({ retentionHours: 3 })).toEqual({
      method: 'PATCH',
      url: '/api/settings',
      authorization: 'KEY k',
      type: 'application/json',
      length: '20',
      text: '{"retentionHours":3}',
    });
    expect(await client.switchQueue('pause')).toMatchObject({ method: 'POST', length: '0' });
  });

  it('sends a file', async () => {
    const url = await serve((request, response) => {
      void textOf(request).then((imageUrl) => response.end(JSON.stringify({ imageUrl })));
    });
    const client = createClient({ url, key: 'k', fetch: send });
    expect(await client.upload({ blob: new Blob(['photo']), name: 'a.jpg' })).toBe('photo');
  });

  it('reads bytes as they are', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0, 1]);
    const url = await serve((_request, response) => response.end(bytes));
    const blob = await createClient({ url, key: 'k', fetch: send }).pictures.mask('a');
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(bytes);
  });

  it('tells a refusal with its code, and when to come again', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(503, { 'retry-after': '7' });
      response.end(JSON.stringify({ code: 'QUEUE_FULL', message: 'Full.' }));
    });
    await expect(createClient({ url, key: 'k', fetch: send }).settings()).rejects.toMatchObject({
      code: 'QUEUE_FULL',
      message: 'Full.',
      statusCode: 503,
      retryAfterSeconds: 7,
    });
  });

  it('reads events as they come, until it is ended', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('data: ä');
    });
    const ending = new AbortController();
    const client = createClient({ url, key: 'k', fetch: send });
    const answer = await client.events(ending.signal);
    const heard = Promise.withResolvers<string>();
    const reading = readAll(answer, heard.resolve);
    expect(await heard.promise).toBe('data: ä');
    ending.abort();
    await expect(reading).rejects.toThrow(/abort/i);
  });

  it('is offline where nobody answers, or the answer breaks off', async () => {
    const gone = createClient({ url: 'http://127.0.0.1:1', key: 'k', fetch: send });
    await expect(gone.settings()).rejects.toMatchObject({ code: 'OFFLINE' });
    const url = await serve((request) => request.socket.destroy());
    const broken = createClient({ url, key: 'k', fetch: send });
    await expect(broken.settings()).rejects.toMatchObject({ code: 'OFFLINE' });
  });

  it("ends with the signal's reason", async () => {
    const client = createClient({ url: await serve(() => undefined), key: 'k', fetch: send });
    const ending = new AbortController();
    const asked = client.record('a', ending.signal);
    ending.abort(new Error('Interrupted.'));
    await expect(asked).rejects.toThrow('Interrupted.');
    await expect(client.record('a', ending.signal)).rejects.toThrow('Interrupted.');
  });
});

it("loads no fetch of Node's, and an answer that is not read keeps no program running", async () => {
  const url = await serve(echo);
  const module = (name: string) => JSON.stringify(path.join(root, 'packages/api-client/src', name));
  const code = `
    const { createClient } = await import(${module('client.ts')});
    const { nodeFetch } = await import(${module('node-fetch.ts')});
    const client = createClient({ url: ${JSON.stringify(url)}, key: 'k', fetch: nodeFetch });
    await client.settings();
    await client.cancel('a');
    console.log(process.moduleLoadList.join());`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    code,
  ]);
  expect(stdout).toContain('NativeModule http');
  expect(stdout).not.toContain('undici');
});
