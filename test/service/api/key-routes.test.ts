import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const unauthorized = {
  statusCode: 401,
  code: 'UNAUTHORIZED',
  error: 'Unauthorized',
  message: 'Invalid or missing API key',
};

async function statusWith(service: TestService, authorization: string, route = '/api/tasks') {
  return (await service.call('GET', route, undefined, { authorization })).status;
}

async function makeKey(
  service: TestService,
  name = 'camera',
): Promise<{ id: string; key: string }> {
  return (await service.call('POST', '/api/keys', { name })).body as { id: string; key: string };
}

describe('the key', () => {
  it('is the word KEY or Bearer, one space and the key; anything else is 401', async () => {
    const service = await openService();
    expect(await statusWith(service, `KEY ${service.key}`)).toBe(200);
    expect(await statusWith(service, `Bearer ${service.key}`)).toBe(200);
    const wrong = ['', 'KEY', 'KEY ', 'Bearer', 'Bearer nope', `KEY  ${service.key}`, service.key];
    for (const authorization of [...wrong, `key ${service.key}`, `KEY ${service.key}x`, 'KEY nope'])
      expect((await service.call('GET', '/api/tasks', undefined, { authorization })).body).toEqual(
        unauthorized,
      );
  });

  it('is asked for before anything else of a request is looked at', async () => {
    const service = await openService();
    const response = await service.call('POST', '/api/image-upscaler', 'not json', {
      authorization: '',
    });
    expect(response.body).toEqual(unauthorized);
  });

  it('is not needed for health, which says nothing else', async () => {
    const service = await openService();
    const { body } = await service.call('GET', '/api/health', undefined, { authorization: '' });
    expect(body).toEqual({ status: 'ok', version: '1.2.3' });
  });

  it('can be made, used, listed without itself, and revoked', async () => {
    const service = await openService();
    const { id, key } = await makeKey(service);
    expect(await statusWith(service, `KEY ${key}`)).toBe(200);
    const listed = await service.call('GET', '/api/keys');
    expect(listed.body).toMatchObject({ keys: [{ id, name: 'camera' }] });
    expect(listed.text).toContain('lastUsedAt');
    expect(listed.text).not.toContain(key);
    expect((await service.call('DELETE', `/api/keys/${id}`)).status).toBe(204);
    expect(await statusWith(service, `KEY ${key}`)).toBe(401);
    expect((await service.call('DELETE', `/api/keys/${id}`)).status).toBe(404);
  });

  it('is stored hashed', async () => {
    const service = await openService();
    const { key } = await makeKey(service);
    await service.close();
    for (const name of ['enlarger.db', 'service.lock']) {
      const bytes = await readFile(path.join(service.dataDir, name));
      expect(bytes.includes(key)).toBe(false);
    }
  });

  it('that a user made does not open settings and keys', async () => {
    const service = await openService();
    const { key } = await makeKey(service);
    const authorization = `KEY ${key}`;
    for (const route of ['/api/settings', '/api/keys'])
      expect((await service.call('GET', route, undefined, { authorization })).body).toMatchObject({
        statusCode: 403,
        code: 'FORBIDDEN_KEY',
      });
    const patch = await service.call(
      'PATCH',
      '/api/settings',
      { device: 'cpu' },
      { authorization },
    );
    expect(patch.status).toBe(403);
  });
});

describe('the key file', () => {
  it('is readable by its user only and outlives restarts', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    expect((await stat(first.keyFile)).mode & 0o777).toBe(0o600);
    await first.close();
    const second = await openService({ dataDir });
    expect(second.key).toBe(first.key);
  });

  it('is made anew when it holds no key', async () => {
    const dataDir = temporaryFolder();
    await mkdir(dataDir, { recursive: true });
    await writeFile(path.join(dataDir, 'cli.key'), '\n');
    const service = await openService({ dataDir });
    expect(service.key).toMatch(/^enl_/);
    expect(await statusWith(service, `KEY ${service.key}`)).toBe(200);
  });
});

describe("the page's session", () => {
  it('is opened once by the token in its link', async () => {
    const service = await openService();
    const token = new URL(service.pageUrl()).hash.replace('#token=', '');
    const first = await service.call('POST', '/api/session', { token }, { authorization: '' });
    const { key } = first.body as { key: string };
    expect(await statusWith(service, `KEY ${key}`, '/api/settings')).toBe(200);
    const second = await service.call('POST', '/api/session', { token });
    expect(second.body).toMatchObject({ statusCode: 401, code: 'UNAUTHORIZED' });
  });

  it('has a key of the application that ends with the service', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    expect(await statusWith(first, `KEY ${first.sessionKey}`, '/api/settings')).toBe(200);
    await first.close();
    const second = await openService({ dataDir });
    expect(await statusWith(second, `KEY ${first.sessionKey}`)).toBe(401);
  });
});
