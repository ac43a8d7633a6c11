/** The port for programs of other services: when it is open, and whom it answers. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CompatState } from '../../../packages/contract/src/settings/settings.ts';
import type { RequestLog } from '../../../packages/contract/src/queue.ts';
import { containing, openCompatService, withCompat } from '../../support/compat-service.ts';
import { openService, type TestService } from '../../support/service.ts';
import { sendRaw } from '../../support/sse.ts';

const stateOf = async (service: TestService) =>
  (await service.call('GET', '/api/compat')).body as CompatState;

const account = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1.0/account`, { headers });

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('the port for programs of other services', () => {
  it('is closed until it is switched on, follows its settings and closes with them', async () => {
    const service = await openService();
    expect(await stateOf(service)).toEqual({ on: false });
    const compatPort = await freePort();
    await service.call('PATCH', '/api/settings', { compatOn: true, compatPort });
    expect(await stateOf(service)).toEqual({ on: true, url: `http://127.0.0.1:${compatPort}` });
    const key = { 'x-api-key': service.key };
    expect((await account(`http://127.0.0.1:${compatPort}`, key)).status).toBe(200);
    const next = await freePort();
    await service.call('PATCH', '/api/settings', { compatPort: next });
    expect((await account(`http://127.0.0.1:${next}`, key)).status).toBe(200);
    await expect(account(`http://127.0.0.1:${compatPort}`, key)).rejects.toThrow('fetch failed');
    await service.call('PATCH', '/api/settings', { compatOn: false });
    expect(await stateOf(service)).toEqual({ on: false });
    await expect(account(`http://127.0.0.1:${next}`, key)).rejects.toThrow('fetch failed');
  });

  it('says when its port is taken, and opens on another', async () => {
    const service = await openService();
    const compatPort = Number(new URL(service.url).port);
    await service.call('PATCH', '/api/settings', { compatOn: true, compatPort });
    const state = await stateOf(service);
    expect(state).toMatchObject({ on: true, problem: containing('taken') });
    expect(state.url).toBeUndefined();
    await service.call('PATCH', '/api/settings', { compatPort: await freePort() });
    expect((await stateOf(service)).problem).toBeUndefined();
    expect((await stateOf(service)).url).toBeDefined();
  });

  it('fails a start that asked for a port that is taken', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port: compatPort } = taken.address() as { port: number };
    await expect(openService({ compatPort })).rejects.toThrow(`Port ${compatPort} is taken`);
  });

  it('takes the same keys in every form, and no other', async () => {
    const { compatUrl, programKey } = await openCompatService();
    const basic = Buffer.from(`someone:${programKey}`).toString('base64');
    const forms = [
      { 'x-api-key': programKey },
      { authorization: `Bearer ${programKey}` },
      { authorization: `Basic ${basic}` },
      { authorization: `KEY ${programKey}` },
    ];
    for (const headers of forms) expect((await account(compatUrl, headers)).status).toBe(200);
    const wrong = [
      {},
      { 'x-api-key': 'enl_no' },
      { authorization: 'Basic ' },
      { authorization: programKey },
    ];
    for (const headers of wrong) expect((await account(compatUrl, headers)).status).toBe(403);
  });

  it('needs no key only while the switch for that is on', async () => {
    const service = await openCompatService();
    await service.call('PATCH', '/api/settings', { compatKeyless: true });
    expect((await account(service.compatUrl)).status).toBe(200);
    expect((await account(service.compatUrl, { 'x-api-key': 'sk-any' })).status).toBe(200);
    expect((await service.call('GET', '/api/tasks', undefined, { authorization: '' })).status).toBe(
      401,
    );
    await service.call('PATCH', '/api/settings', { compatKeyless: false });
    expect((await account(service.compatUrl)).status).toBe(403);
  });

  it('is guarded as the service is: by Host and Origin, also without keys', async () => {
    const service = await openCompatService();
    await service.call('PATCH', '/api/settings', { compatKeyless: true });
    const { host } = new URL(service.compatUrl);
    const statusOf = async (lines: string[]) => {
      const request = ['GET /v1.0/account HTTP/1.1', ...lines, 'Connection: close', '', ''];
      const stream = sendRaw(service.compatUrl, request.join('\r\n'));
      await stream.closed();
      return stream.text().split(' ', 2)[1];
    };
    expect(await statusOf([`Host: ${host}`])).toBe('200');
    expect(await statusOf(['Host: evil.example'])).toBe('403');
    expect(await statusOf([`Host: ${host}`, 'Origin: https://evil.example'])).toBe('403');
    expect(await statusOf([`Host: ${host}`, 'Sec-Fetch-Site: cross-site'])).toBe('403');
    expect(await statusOf([`Host: ${host}`, 'Sec-Fetch-Site: same-site'])).toBe('403');
    // The service's own address is another origin.
    expect(await statusOf([`Host: ${host}`, `Origin: ${service.url}`])).toBe('403');
    await service.call('PATCH', '/api/settings', { allowedOrigins: ['https://photos.example'] });
    expect(await statusOf([`Host: ${host}`, 'Origin: https://photos.example'])).toBe('200');
  });

  it("has its requests in the window's log, under the key's name", async () => {
    const service = await openCompatService();
    await account(service.compatUrl, { 'x-api-key': service.programKey });
    await account(service.compatUrl, { 'x-api-key': 'wrong' });
    const { requests } = (await service.call('GET', '/api/requests')).body as RequestLog;
    const compat = requests.filter(({ path }) => path === '/v1.0/account');
    expect(compat).toMatchObject([{ statusCode: 403 }, { statusCode: 200, keyName: 'Program' }]);
  });

  it('answers nothing of the service itself, and an address of no family as the service does', async () => {
    const service = await withCompat(await openService({ compatPort: 0 }));
    for (const route of ['/api/tasks', '/api/settings', '/', '/api/docs']) {
      const response = await fetch(service.compatUrl + route, {
        headers: { authorization: `KEY ${service.key}` },
      });
      expect([route, response.status]).toEqual([route, 404]);
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
