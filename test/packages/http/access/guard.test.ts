import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { sendRaw } from '../../../support/sse.ts';

/** Sends a request as it stands and gives the status and the code of the answer. */
async function raw(service: TestService, lines: string[]): Promise<string> {
  const stream = sendRaw(service.url, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  await stream.closed();
  const status = stream.text().split(' ', 2)[1] ?? '';
  const code = /"code":"(\w+)"/.exec(stream.body())?.[1] ?? '';
  return `${status} ${code}`.trim();
}

interface DescribedOperation {
  parameters?: { name: string; in: string }[];
  requestBody?: object;
}

/**
 * Why a browser would block the call: "CORS-preflight fetch" of the Fetch standard, steps 7 and on. Methods
 * are compared by letter, header names without regard to case; * does not cover Authorization.
 */
function preflightProblem(
  { status, headers: got }: { status: number; headers: Headers },
  wanted: { origin: string; method: string; headers: string[] },
): string {
  const list = (name: string) => (got.get(name) ?? '').split(',').map((one) => one.trim());
  const allowed = list('access-control-allow-headers').map((one) => one.toLowerCase());
  const isSimple = ['GET', 'HEAD', 'POST'].includes(wanted.method);
  if (status < 200 || status > 299) return `status ${status}`;
  if (got.get('access-control-allow-origin') !== wanted.origin) return 'origin';
  if (!isSimple && !list('access-control-allow-methods').includes(wanted.method)) return 'method';
  return wanted.headers.filter((name) => !allowed.includes(name.toLowerCase())).join();
}

const portOf = (service: TestService) => new URL(service.url).port;

describe('the Host header', () => {
  it('may name this server in any of its three ways', async () => {
    const service = await openService();
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])
      expect(
        await raw(service, ['GET /api/health HTTP/1.1', `Host: ${name}:${portOf(service)}`]),
      ).toBe('200');
  });

  it('must name it: another name, another port, none, an empty one and two are refused', async () => {
    const service = await openService();
    const port = portOf(service);
    const refused = [
      ['GET /api/health HTTP/1.1', `Host: evil.example:${port}`],
      ['GET /api/health HTTP/1.1', 'Host: 127.0.0.1'],
      ['GET /api/health HTTP/1.1', 'Host: 127.0.0.1:1'],
      ['GET /api/health HTTP/1.1', `Host: 127.0.0.1.nip.io:${port}`],
      ['GET /api/health HTTP/1.1', `Host: localhost.:${port}`],
      ['GET /api/health HTTP/1.1', 'Host:'],
      ['GET /api/health HTTP/1.1'],
      ['GET /api/health HTTP/1.0'],
      ['GET /api/health HTTP/1.1', `Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
      ['GET / HTTP/1.1', `Host: evil.example:${port}`],
      ['GET /nothing HTTP/1.1', `Host: evil.example:${port}`],
      ['GET /api/results/a/image?expires=1&signature=a HTTP/1.1', `Host: evil.example:${port}`],
    ];
    for (const lines of refused)
      expect([lines.join(' | '), await raw(service, lines)]).toEqual([
        lines.join(' | '),
        '403 FORBIDDEN_HOST',
      ]);
  });
});

describe('pages of other origins', () => {
  it('are refused, with a key too, and by Sec-Fetch-Site alone', async () => {
    const service = await openService();
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:1` },
      { origin: `https://127.0.0.1:${portOf(service)}` },
    ];
    for (const headers of foreign)
      expect((await service.call('GET', '/api/tasks', undefined, headers)).body).toMatchObject({
        statusCode: 403,
        code: 'FORBIDDEN_ORIGIN',
      });
    const lines = ['GET /api/health HTTP/1.1', `Host: 127.0.0.1:${portOf(service)}`];
    expect(await raw(service, [...lines, 'Sec-Fetch-Site: cross-site'])).toBe(
      '403 FORBIDDEN_ORIGIN',
    );
    expect(await raw(service, [...lines, 'Sec-Fetch-Site: same-site'])).toBe(
      '403 FORBIDDEN_ORIGIN',
    );
    expect(await raw(service, [...lines, 'Sec-Fetch-Site: none'])).toBe('200');
    expect(await raw(service, [...lines, 'Sec-Fetch-Site: same-origin'])).toBe('200');
  });

  it('may call when the user added the origin, and then with a key only', async () => {
    const service = await openService();
    const origin = 'https://photos.example';
    await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
    const allowed = await service.call('GET', '/api/tasks', undefined, { origin });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('vary')).toContain('Origin');
    const keyless = await service.call('GET', '/api/tasks', undefined, {
      origin,
      authorization: '',
    });
    expect(keyless.status).toBe(401);
    const other = await service.call('GET', '/api/tasks', undefined, {
      origin: 'https://b.example',
    });
    expect(other.status).toBe(403);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('get a preflight answered for an added origin only', async () => {
    const service = await openService();
    const origin = 'https://photos.example';
    const ask = { origin, 'access-control-request-method': 'POST', authorization: '' };
    expect((await service.call('OPTIONS', '/api/image-upscaler', undefined, ask)).status).toBe(403);
    await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
    const response = await service.call('OPTIONS', '/api/image-upscaler', undefined, ask);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  it('may call every method of every route with its headers, by the rules of Fetch', async () => {
    const service = await openService();
    const origin = 'https://photos.example';
    await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
    const { paths } = (await service.call('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, DescribedOperation>>;
    };
    const calls = Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        route: route.replaceAll(/[{}]/g, ''),
        method: method.toUpperCase(),
        headers: [
          ...['authorization', ...(requestBody ? ['content-type'] : [])],
          ...parameters.filter((one) => one.in === 'header').map(({ name }) => name),
        ],
      })),
    );
    const mcp = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
    for (const method of ['GET', 'POST', 'DELETE'])
      calls.push({ route: '/mcp', method, headers: mcp });
    expect(new Set(calls.map(({ method }) => method)).size).toBe(6);
    expect(calls.some(({ headers }) => headers.includes('idempotency-key'))).toBe(true);
    for (const call of calls) {
      const { route, method, headers } = call;
      const response = await service.call('OPTIONS', route, undefined, {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers.toSorted().join(','),
        authorization: '',
      });
      expect([call, preflightProblem(response, { origin, method, headers })]).toEqual([call, '']);
    }
  });

  it('may read the errors of their calls, too', async () => {
    const service = await openService();
    const origin = 'https://photos.example';
    await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
    const calls = [
      ['GET', '/api/tasks', { authorization: '' }, 401],
      ['GET', '/api/task/none', {}, 404],
      ['POST', '/api/image-upscaler', {}, 400],
      ['PUT', '/api/health', {}, 405],
    ] as const;
    for (const [method, route, headers, status] of calls) {
      const response = await service.call(method, route, undefined, { origin, ...headers });
      expect([route, response.status]).toEqual([route, status]);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('show their key as Bearer, too', async () => {
    const service = await openService();
    for (const authorization of [`Bearer ${service.key}`, `bearer ${service.key}`])
      expect((await service.call('GET', '/api/tasks', undefined, { authorization })).status).toBe(
        200,
      );
    const wrong = { authorization: 'Bearer wrong' };
    expect((await service.call('GET', '/api/tasks', undefined, wrong)).status).toBe(401);
  });

  it('still need the right Host when their origin was added', async () => {
    const service = await openService();
    await service.call('PATCH', '/api/settings', { allowedOrigins: ['https://photos.example'] });
    const lines = ['GET /api/tasks HTTP/1.1', 'Host: evil.example'];
    expect(await raw(service, [...lines, 'Origin: https://photos.example'])).toBe(
      '403 FORBIDDEN_HOST',
    );
  });
});

describe('broken requests', () => {
  it('are answered in the shape of every other error', async () => {
    const service = await openService();
    expect(await raw(service, ['NONSENSE'])).toBe('400 INVALID_REQUEST');
    const host = `Host: 127.0.0.1:${portOf(service)}`;
    const long = `X-Long: ${'x'.repeat(40_000)}`;
    expect(await raw(service, ['GET / HTTP/1.1', host, long])).toBe('431 INVALID_REQUEST');
  });

  it('that never end are cut off, and others are answered meanwhile', async () => {
    const service = await openService({ limits: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
    const host = `Host: 127.0.0.1:${portOf(service)}`;
    const slow = sendRaw(service.url, `GET /api/health HTTP/1.1\r\n${host}\r\n`);
    const slowBody = sendRaw(
      service.url,
      `POST /api/image-upscaler HTTP/1.1\r\n${host}\r\nAuthorization: KEY ${service.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"imageUrl":',
    );
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    await Promise.all([slow.closed(), slowBody.closed()]);
    expect(slow.text()).toContain('408');
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({ tasks: [] });
  });
});
