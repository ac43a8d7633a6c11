/** What one key has open at a time is bounded, and other keys do not notice. */
import { expect, it } from 'vitest';
import { maxOpenPerKey } from '../../../../packages/http/src/access/open-requests.ts';
import { openService } from '../../../support/service.ts';
import { openStream, type RawStream } from '../../../support/sse.ts';

it('more streams than one key may have are refused, until some are closed', async () => {
  const service = await openService();
  const { body } = await service.call('POST', '/api/keys', { name: 'a program' });
  const { key } = body as { key: string };
  const headers = { authorization: `KEY ${key}` };
  const list = () => service.call('GET', '/api/tasks', undefined, headers);
  const streams: RawStream[] = [];
  for (let i = 0; i < maxOpenPerKey; i += 100) {
    const some = Array.from({ length: 100 }, () => openStream(service.url, '/api/tasks/sse', key));
    await Promise.all(some.map((stream) => stream.until('event: queue')));
    streams.push(...some);
  }
  const refused = await list();
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.call('GET', '/api/tasks')).status).toBe(200);
  for (const { socket } of streams.slice(0, 10)) socket.destroy();
  await expect.poll(async () => (await list()).status).toBe(200);
});
