/** Bodies that never end take bounded memory, for each key and in all, and small calls are answered beside them. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createBodyBudget } from '../../../../packages/http/src/bodies/body-budget.ts';
import { openCompatService } from '../../../support/compat-service.ts';
import { openService, type TestService } from '../../../support/service.ts';

const mib = 1024 * 1024;
const patiently = { timeout: 20_000 };

const response = () =>
  Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;

it('the memory of one key and that of all is bounded, and is free again with the response', () => {
  const budget = createBodyBudget({ totalBytes: 5 * mib, keyBytes: 3 * mib });
  const [first, second] = [response(), response()];
  budget.open('one', first).add(2 * mib);
  expect(() => budget.open('one', response()).add(2 * mib)).toThrow(/one key hold/);
  budget.open('other', second).add(2 * mib);
  const third = budget.open('third', response());
  expect(() => third.add(2 * mib)).toThrow(/all keys together hold/);
  third.add(64 * 1024);
  first.emit('close');
  third.add(2 * mib);
  budget.open('fourth', response()).add(64 * 1024);
});

it('a body that was dropped takes none', () => {
  const budget = createBodyBudget({ totalBytes: 3 * mib, keyBytes: 3 * mib });
  const account = budget.open('one', response());
  for (let turn = 0; turn < 10; turn += 1) {
    account.add(2 * mib);
    account.clear();
  }
  account.add(2 * mib);
});

/** Sends the beginning of a body of 1 GB and holds the connection. */
function begin(url: string, route: string, headers: string[], start: string): Socket {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const head = [
    `POST ${route} HTTP/1.1`,
    `Host: ${host}`,
    ...headers,
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(`${start.length.toString(16)}\r\n${start}\r\n`);
  return socket;
}

const statusOf = async (
  service: TestService,
  body: string,
  headers: Record<string, string> = {},
  url = '',
) => (await service.call('POST', `${url}/api/image-upscaler`, body, headers)).status;

it('open bodies of one key are refused beyond its share, and other keys are not', async () => {
  const service = await openService({ limits: { bodyBytes: 8 * mib } });
  const { body } = await service.call('POST', '/api/keys', { name: 'a program' });
  const { key } = body as { key: string };
  const json = ['Content-Type: application/json', `Authorization: KEY ${key}`];
  const open = Array.from({ length: 12 }, () =>
    begin(service.url, '/api/image-upscaler', json, `{"x":"${'x'.repeat(mib)}`),
  );
  const large = JSON.stringify({ x: 'x'.repeat(mib) });
  const own = { authorization: `KEY ${key}` };
  await expect.poll(() => statusOf(service, large, own), patiently).toBe(429);
  expect(await statusOf(service, '{"imageUrl":"data:image/png;base64,iVBORw0KGgo="}', own)).toBe(
    200,
  );
  expect(await statusOf(service, large)).toBe(400);
  for (const socket of open) socket.destroy();
  await expect.poll(() => statusOf(service, large, own), patiently).toBe(400);
});

it('a text of a submit as a form has 64 KB at most, since it is counted when it has come whole', async () => {
  const service = await openService();
  const send = async (bytes: number) => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from('iVBORw0KGgo=', 'base64')]), 'photo.png');
    form.append('name', 'x'.repeat(bytes));
    const headers = { authorization: `KEY ${service.key}` };
    const answer = await fetch(`${service.url}/api/image-upscaler`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const tooLong = await send(64 * 1024 + 1);
  expect(tooLong.status).toBe(413);
  expect(tooLong.text).toContain('at most 65536 bytes');
  expect((await send(20)).status).toBe(200);
});

it('open bodies on the port for other programs count too, without a key as well', async () => {
  const service = await openCompatService({ limits: { bodyBytes: 8 * mib } });
  await service.call('PATCH', '/api/settings', { compatKeyless: true });
  const open = Array.from({ length: 12 }, () =>
    begin(
      service.compatUrl,
      '/sdapi/v1/extra-single-image',
      ['Content-Type: application/json'],
      `{"x":"${'x'.repeat(mib)}`,
    ),
  );
  const send = async () => {
    const answer = await fetch(`${service.compatUrl}/sdapi/v1/extra-single-image`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ x: 'x'.repeat(mib) }),
    });
    return answer.status;
  };
  await expect.poll(send, patiently).toBe(429);
  for (const socket of open) socket.destroy();
  await expect.poll(send, patiently).not.toBe(429);
});
