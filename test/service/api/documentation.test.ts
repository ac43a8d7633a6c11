import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { namedSchemas } from '../../../electron/service/api/named-schemas.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const keyless = { authorization: '' };

interface Operation {
  responses: Record<string, { description: string }>;
  security?: unknown[];
  summary?: string;
}

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

async function describe31(): Promise<Description> {
  const service = await openService();
  return (await service.call('GET', '/api/openapi.json', undefined, keyless)).body as Description;
}

it('the schemas that validate are JSON Schema, which no service checks at its start', () => {
  const ajv = new Ajv({ strict: false });
  for (const schema of namedSchemas)
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
});

const calls = [
  'POST /api/image-upscaler',
  'POST /api/remove-bg',
  'GET /api/task/{taskId}',
  'GET /api/task/{taskId}/sse',
  'GET /api/results/{taskId}/source-thumb.webp',
  'GET /api/results/{taskId}/tiles/{side}/{level}/{tile}',
  'GET /api/results/{taskId}/{file}',
  'POST /api/uploads',
  'GET /api/task/{taskId}/tiles/{side}',
  'GET /api/task/{taskId}/metadata',
  'GET /api/task/{taskId}/changes',
  'GET /api/task/{taskId}/mask',
  'POST /api/task/{taskId}/mask',
  'POST /api/previews',
  'POST /api/thumbnails',
  'POST /api/task/{taskId}/convert',
  'POST /api/task/{taskId}/again',
  'GET /api/photos',
  'PUT /api/photos',
  'PUT /api/surroundings',
  'POST /api/photos/drop',
  'GET /api/compat',
  'GET /api/callbacks/secret',
  'PUT /api/callbacks/secret',
  'GET /api/tasks',
  'GET /api/tasks/{taskId}',
  'POST /api/estimate',
  'GET /api/tasks/sse',
  'POST /api/task/{taskId}/cancel',
  'POST /api/task/{taskId}/retry',
  'POST /api/task/{taskId}/restore',
  'POST /api/task/{taskId}/save',
  'POST /api/task/{taskId}/taken',
  'DELETE /api/task/{taskId}',
  'PUT /api/task/{taskId}/mark',
  'PATCH /api/task/{taskId}',
  'GET /api/queue',
  'GET /api/queue/estimate',
  'GET /api/requests',
  'POST /api/queue/pause',
  'POST /api/queue/resume',
  'DELETE /api/notices/{code}',
  'GET /api/models',
  'POST /api/models',
  'GET /api/models/obtainable',
  'GET /api/models/recommended',
  'GET /api/models/downloads',
  'GET /api/devices/obtainable',
  'GET /api/devices/downloads',
  'POST /api/batch',
  'POST /api/devices/{id}/download',
  'GET /api/devices/{id}/download',
  'GET /api/devices/{id}/download/sse',
  'DELETE /api/devices/{id}/download',
  'PUT /api/devices/{id}/files',
  'DELETE /api/devices/{id}/files',
  'POST /api/models/recommended/download',
  'POST /api/models/{id}/blend',
  'POST /api/models/{id}/download',
  'GET /api/models/{id}/download',
  'GET /api/models/{id}/download/sse',
  'DELETE /api/models/{id}/download',
  'PATCH /api/models/{id}',
  'DELETE /api/models/{id}',
  'GET /api/devices',
  'GET /api/settings',
  'PATCH /api/settings',
  'POST /api/grants',
  'DELETE /api/grants',
  'POST /api/origins',
  'DELETE /api/origins',
  'GET /api/keys',
  'POST /api/keys',
  'DELETE /api/keys/{id}',
  'POST /api/session',
  'POST /api/sessions',
  'POST /api/page-links',
  'GET /api/watches',
  'POST /api/watches',
  'PATCH /api/watches/{id}',
  'DELETE /api/watches/{id}',
  'GET /api/pool',
  'GET /api/presets',
  'POST /api/presets',
  'PATCH /api/presets/{id}',
  'DELETE /api/presets/{id}',
  'GET /api/health',
  'GET /api/storage',
  'GET /api/openapi.json',
];

describe('openapi.json', () => {
  it('is OpenAPI 3.1 and lists every call', async () => {
    const { openapi, paths } = await describe31();
    expect(openapi).toBe('3.1.0');
    const listed = Object.entries(paths).flatMap(([url, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${url}`),
    );
    expect(listed.filter((call) => !call.startsWith('HEAD')).toSorted()).toEqual(calls.toSorted());
  });

  it('has every reference it makes, and the key as its security', async () => {
    const description = await describe31();
    const text = JSON.stringify(description);
    const names = new Set(
      [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, n]) => n),
    );
    expect(names.size).toBeGreaterThan(10);
    for (const name of names) expect(Object.keys(description.components.schemas)).toContain(name);
    expect(text).not.toMatch(/"\$ref":"(?!#\/components)/);
    expect(description.components.securitySchemes).toHaveProperty('key');
    expect(description.paths['/api/health']?.['get']?.security).toEqual([]);
  });

  it('tells each refusal by its code', async () => {
    const { paths } = await describe31();
    const submit = paths['/api/image-upscaler']?.['post']?.responses ?? {};
    expect(submit['400']?.description).toContain('INVALID_REQUEST');
    expect(submit['401']?.description).toContain('UNAUTHORIZED');
    expect(submit['429']?.description).toContain('TOO_MANY_REQUESTS');
    expect(submit['403']?.description).toMatch(/FORBIDDEN_HOST.*FORBIDDEN_ORIGIN.*FORBIDDEN_PATH/);
    expect(submit['503']?.description).toContain('QUEUE_FULL');
    for (const methods of Object.values(paths))
      for (const { summary, responses } of Object.values(methods)) {
        expect(summary).toBeTruthy();
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['403', '500']));
      }
  });

  it('shows the headers and the bytes that no schema validates', async () => {
    const text = JSON.stringify(await describe31());
    expect(text).toContain('"name":"idempotency-key"');
    expect(text).toContain('"name":"last-event-id"');
    expect(text).toContain('"multipart/form-data"');
  });

  it('is readable offline', async () => {
    const service = await openService();
    const page = await service.call('GET', '/api/docs', undefined, keyless);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(3);
    const shown = await service.call('GET', '/api/docs/static/show.js', undefined, keyless);
    expect(shown.text).toContain('"/api/openapi.json"');
    for (const file of files) {
      expect(file).not.toMatch(/^(https?:)?\/\//);
      const url = new URL(file, `${service.url}/api/docs`).href;
      expect([file, (await service.call('GET', url, undefined, keyless)).status]).toEqual([
        file,
        200,
      ]);
    }
  });
});

describe('the page', () => {
  it('is served from its folder and nothing around it, under one strict policy', async () => {
    const dir = temporaryFolder();
    const pageDir = path.join(dir, 'page');
    await mkdir(path.join(pageDir, 'assets'), { recursive: true });
    await writeFile(path.join(pageDir, 'index.html'), '<p>Enlarger</p>');
    await writeFile(path.join(pageDir, 'assets/app-1.js'), 'run()');
    await writeFile(path.join(dir, 'secret.txt'), 'secret');
    const service = await openService({ pageDir });
    const get = (route: string) => service.call('GET', route, undefined, keyless);
    const page = await get('/');
    expect(page.text).toBe('<p>Enlarger</p>');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect((await get('/assets/app-1.js')).headers.get('cache-control')).toContain('immutable');
    for (const route of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/none.js'])
      expect([route, (await get(route)).text.includes('secret"')]).toEqual([route, false]);
    expect((await get('/none.js')).body).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
  });
});

describe('addresses that lead nowhere', () => {
  it('are 404, and 405 where another method is meant', async () => {
    const service = await openService();
    expect((await service.call('GET', '/api/none')).body).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
    });
    const wrong = await service.call('PUT', '/api/task/x');
    expect(wrong.body).toMatchObject({ statusCode: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(wrong.headers.get('allow')).toContain('PATCH');
    expect((await service.call('POST', '/api/health')).status).toBe(405);
    expect((await service.call('GET', '/api/%ff')).status).toBe(400);
  });
});

describe('settings', () => {
  it('all have a value, and a patch changes what it names and refuses what cannot hold', async () => {
    const folder = temporaryFolder();
    const service = await openService({ allowFolders: [folder] });
    const before = (await service.call('GET', '/api/settings')).body;
    expect(before).toMatchObject({ maxSourceBytes: 2 ** 31, grantedFolders: [folder] });
    await service.call('PATCH', '/api/settings', { device: 'cpu' });
    const { body } = await service.call('PATCH', '/api/settings', { retentionHours: 48 });
    expect(body).toEqual({ ...(before as object), device: 'cpu', retentionHours: 48 });
    for (const patch of [
      {},
      { device: 'gpu' },
      { defaultUpscaler: 'none' },
      { unknown: 1 },
      { grantedFolders: ['relative'] },
      { grantedFolders: ['/does/not/exist'] },
      { allowedOrigins: ['https://a.example/path'] },
      { allowedOrigins: ['*'] },
      { retentionHours: 1 },
    ])
      expect([patch, (await service.call('PATCH', '/api/settings', patch)).status]).toEqual([
        patch,
        400,
      ]);
    expect((await service.call('GET', '/api/settings')).body).toEqual(body);
  });

  it('grow by what is granted at the same moment, and none of it is lost', async () => {
    const service = await openService();
    const folders = [1, 2, 3, 4].map(() => temporaryFolder());
    const grant = (folder: string) => service.call('POST', '/api/grants', { folders: [folder] });
    await Promise.all([...folders, ...folders].map(grant));
    const { body } = await grant(folders[0] ?? '');
    expect((body as { grantedFolders: string[] }).grantedFolders.toSorted()).toEqual(
      folders.toSorted(),
    );
    expect((await grant('/does/not/exist')).status).toBe(400);
    expect((await service.call('GET', '/api/settings')).body).toMatchObject(body as object);
  });

  it('lose nothing where two programs grant and take back at the same moment', async () => {
    const service = await openService();
    const one = createClient({ url: service.url, key: service.key });
    const other = createClient({ url: service.url, key: service.key });
    const [kept, first] = [temporaryFolder(), temporaryFolder()];
    const [second, gone] = [temporaryFolder(), temporaryFolder()];
    await one.grant([kept, gone]);
    await one.allowOrigin('https://kept.example');
    await Promise.all([
      one.grant([first]),
      other.revokeGrant(gone),
      other.grant([second]),
      one.allowOrigin('https://one.example'),
      other.revokeOrigin('https://none.example'),
      other.allowOrigin('https://other.example'),
    ]);
    const { grantedFolders, allowedOrigins } = await other.settings();
    expect(grantedFolders.toSorted()).toEqual([kept, first, second].toSorted());
    expect(allowedOrigins.toSorted()).toEqual(
      ['kept', 'one', 'other'].map((name) => `https://${name}.example`),
    );
    await expect(one.allowOrigin('https://a.example/path')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    const [most, more] = [99, 2].map((many) =>
      Array.from({ length: many }, (_, n) => `https://${many}-${n}.example`),
    );
    await other.changeSettings({ allowedOrigins: most ?? [] });
    const { status, text } = await service.call('POST', '/api/origins', { origins: more });
    expect([status, text]).toEqual([400, expect.stringContaining('at most 100')]);
    // One that is not there is none any more.
    expect(await one.revokeGrant(gone)).toEqual(grantedFolders);
  });

  it('of one start are not stored', async () => {
    const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
    const first = await openService({ dataDir, allowFolders: [folder], allowLocalSources: true });
    await first.call('PATCH', '/api/settings', { grantedFolders: [folder] });
    await first.close();
    const second = await openService({ dataDir });
    expect((await second.call('GET', '/api/settings')).body).toMatchObject({
      grantedFolders: [],
      allowLocalSources: false,
    });
  });
});
