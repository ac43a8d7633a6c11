/** What answers without a key: SECURITY.md names these routes, and no other does. */
import { expect, it } from 'vitest';
import { openService } from '../../support/service.ts';

const open = ['get /api/health', 'get /api/openapi.json', 'post /api/session'];
/** Links that are signed, each for one file. */
const isSigned = (route: string) => /^(get|head) \/api\/results\//.test(route);
const pages = ['/api/openapi.json', '/api/compatibility', '/api/docs'];

it('of all routes only health, the documentation, the exchange of a page link and signed links', async () => {
  const service = await openService();
  const noKey = { authorization: '' };
  const { paths } = (await service.call('GET', '/api/openapi.json', undefined, noKey)).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const answered: string[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods)) {
      const route = path.replaceAll(/\{[^}]*\}/g, 'a');
      const { status } = await service.call(method.toUpperCase(), route, undefined, noKey);
      if (status !== 401) answered.push(`${method} ${path}`);
    }
  expect(answered.filter((route) => !isSigned(route)).sort()).toEqual(open);
  for (const path of Object.keys(paths).filter((one) => one.startsWith('/api/results/'))) {
    const route = path.replaceAll(/\{[^}]*\}/g, 'a');
    const { status } = await service.call('GET', route, undefined, noKey);
    expect([route, status >= 400]).toEqual([route, true]);
  }
  for (const page of pages)
    expect((await service.call('GET', page, undefined, noKey)).status).toBeLessThan(400);
});
