import { describe, expect, it } from 'vitest';
import type { RequestLog } from '../../../packages/contract/src/queue.ts';
import { createClient, openService, type TestService } from '../../support/service.ts';

const logged = async (service: TestService) =>
  ((await service.call('GET', '/api/requests')).body as RequestLog).requests;

async function program(service: TestService, name = 'Lightroom') {
  const { key } = (await service.call('POST', '/api/keys', { name })).body as { key: string };
  return createClient(service.url, key);
}

describe('the log of requests', () => {
  it('has who asked what, newest first, without query strings', async () => {
    const service = await openService();
    const { call } = await program(service);
    await call('GET', '/api/tasks?limit=7&status=FINISHED');
    await call('POST', '/api/image-upscaler', { imageUrl: 'data:secret' });
    await service.call('GET', '/api/tasks?limit=1', undefined, { authorization: '' });
    const [third, second, first] = await logged(service);
    expect(first).toMatchObject({ method: 'GET', path: '/api/tasks', statusCode: 200 });
    expect(second).toMatchObject({ path: '/api/image-upscaler', statusCode: 400 });
    expect([first?.keyName, second?.keyName, third?.keyName]).toEqual([
      'Lightroom',
      'Lightroom',
      undefined,
    ]);
    expect(third).toMatchObject({ statusCode: 401 });
    expect(Date.parse(first?.at ?? '')).toBeGreaterThan(0);
    expect(first?.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify([first, second, third])).not.toMatch(/secret|FINISHED|limit/);
  });

  it("leaves out the application's own page, and keeps 200", async () => {
    const service = await openService();
    const page = createClient(service.url, service.sessionKey);
    await page.call('GET', '/api/tasks');
    await service.call('GET', '/', undefined, { authorization: '' });
    expect(await logged(service)).toEqual([]);
    for (let i = 0; i < 205; i++) await service.call('GET', `/api/task/${i}`);
    const requests = await logged(service);
    expect(requests).toHaveLength(200);
    expect(requests[0]).toMatchObject({ path: '/api/task/204', keyName: 'Command line' });
  });

  it('is not for the keys of programs', async () => {
    const service = await openService();
    const { call } = await program(service);
    expect((await call('GET', '/api/requests')).body).toMatchObject({ code: 'FORBIDDEN_KEY' });
  });
});
