/** What a plain key could try at the newer ways in: batches, forms, waiting, masks of tasks, and what is served without a key. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer, TaskList } from '../../../packages/contract/src/task.ts';
import { dataUrl, openService, testModel, testRemover } from '../../support/service.ts';
import type { TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const upscale = '/api/image-upscaler';

async function plainKey(service: TestService) {
  const { body } = await service.call('POST', '/api/keys', { name: 'A program' });
  const { id, key } = body as { id: string; key: string };
  return { id, headers: { authorization: `Bearer ${key}` } };
}

/** A photo that no folder was granted for, and a folder to save into. */
async function notGranted() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'private.jpg');
  await writeFile(file, 'a picture');
  return { folder, file, imageUrl: pathToFileURL(file).href };
}

const tasksOf = async (service: TestService) =>
  ((await service.call('GET', '/api/tasks')).body as TaskList).tasks;

describe('with a plain key', () => {
  it('no item of a batch grants, reads or writes elsewhere, or calls this machine', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { headers } = await plainKey(service);
    const { folder, file, imageUrl } = await notGranted();
    const items = [
      { imageUrl, grants: [file] },
      { imageUrl },
      { imageUrl: dataUrl, saveTo: folder },
      { imageUrl: dataUrl, callbackUrl: `${service.url}/api/keys` },
      { imageUrl: dataUrl, callbackUrl: 'http://169.254.169.254/latest' },
      { imageUrl: dataUrl, options: { device: 'cpu' } },
      { imageUrl: dataUrl },
    ];
    const { body } = await service.call('POST', '/api/batch', { items }, headers);
    expect((body as BatchAnswer).items.map(({ error }) => error?.code)).toEqual([
      ...['FORBIDDEN_KEY', 'FORBIDDEN_PATH', 'FORBIDDEN_PATH', 'INVALID_REQUEST'],
      ...['INVALID_REQUEST', 'INVALID_REQUEST', undefined],
    ]);
    const hidden = `{"items":[{"imageUrl":"${dataUrl}","__proto__":{"grants":["/"]}}]}`;
    expect((await service.call('POST', '/api/batch', hidden, headers)).status).toBe(400);
    expect(await tasksOf(service)).toHaveLength(1);
    // Nothing that was refused was granted for the next one.
    const again = await service.call('POST', upscale, { imageUrl }, headers);
    expect(again.body).toMatchObject({ code: 'FORBIDDEN_PATH' });
  });

  it('no form does so either', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { headers } = await plainKey(service);
    const { folder, file, imageUrl } = await notGranted();
    const codeOf = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return ((await service.call('POST', upscale, form, headers)).body as { code?: string }).code;
    };
    expect(await codeOf({ imageUrl, grants: JSON.stringify([file]) })).toBe('FORBIDDEN_KEY');
    expect(await codeOf({ imageUrl })).toBe('FORBIDDEN_PATH');
    expect(await codeOf({ imageUrl: dataUrl, saveTo: folder })).toBe('FORBIDDEN_PATH');
    const callbackUrl = `${service.url}/api/keys`;
    expect(await codeOf({ imageUrl: dataUrl, callbackUrl })).toBe('INVALID_REQUEST');
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(await codeOf({ imageUrl: dataUrl, [name]: '{"scale":2}' })).toBe('INVALID_REQUEST');
    expect(await tasksOf(service)).toEqual([]);
  });

  it('no folder is written or read that was granted to a task of another key alone', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const { headers } = await plainKey(service);
    const { folder, imageUrl } = await notGranted();
    const own = { grants: [folder], saveTo: folder, name: 'own', format: 'png' };
    const taskId = await service.submit(imageUrl, own);
    await service.until(taskId, 'FINISHED');
    await service.call('POST', '/api/queue/pause');
    const pending = await service.submit(imageUrl, own);
    const before = (await readdir(folder)).toSorted();
    const routes: [method: string, route: string, body: object][] = [
      ['POST', `/api/task/${taskId}/save`, { saveTo: folder, onConflict: 'overwrite' }],
      ['POST', `/api/task/${taskId}/save`, { saveTo: '.' }],
      ['POST', `/api/task/${taskId}/convert`, { format: 'jpeg', saveTo: folder }],
      ['POST', `/api/task/${taskId}/again`, { options: { saveTo: folder } }],
      ['POST', `/api/task/${taskId}/again`, { options: { scale: 4 } }],
      [
        'POST',
        `/api/task/${taskId}/again`,
        {
          operation: 'remove-bg',
          options: { saveTo: null, name: null, backgroundImage: imageUrl },
        },
      ],
      ['PATCH', `/api/task/${pending}`, { options: { saveTo: folder, name: 'other' } }],
    ];
    for (const [method, route, body] of routes) {
      const { text } = await service.call(method, route, body, headers);
      expect(`${route} ${JSON.stringify(body)} ${text}`).toContain('FORBIDDEN_PATH');
    }
    expect((await readdir(folder)).toSorted()).toEqual(before);
    for (const [method, route, body] of routes.slice(0, 5))
      expect([route, (await service.call(method, route, body)).status]).toEqual([route, 200]);
  });

  it('settings, keys and grants stay closed, by Bearer as by KEY', async () => {
    const service = await openService();
    const { headers } = await plainKey(service);
    const closed = [
      ['PATCH', '/api/settings', { allowLocalSources: true }],
      ['POST', '/api/keys', { name: 'Another', localCallbacks: true }],
      ['GET', '/api/keys', undefined],
      ['POST', '/api/grants', { folder: '/' }],
      ['POST', '/api/origins', { origin: 'https://a.example' }],
      ['GET', '/api/pool', undefined],
    ] as const;
    for (const [method, route, body] of closed) {
      const { status } = await service.call(method, route, body, headers);
      expect([route, status]).toEqual([route, 403]);
    }
  });

  it('everything is closed that SECURITY.md does not leave to every key', async () => {
    const service = await openService();
    const { body } = await service.call('GET', '/api/openapi.json');
    const { paths } = body as OpenApi;
    const changing = Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods)
        .filter(([method]) => !['get', 'head'].includes(method))
        .map(([method, { responses }]) => ({
          call: `${method.toUpperCase()} ${route}`,
          isClosed: responses['403']?.description.includes('FORBIDDEN_KEY') === true,
        })),
    );
    const open = changing.filter(({ isClosed }) => !isClosed).map(({ call }) => call);
    const everyKeys =
      /^[A-Z]+ \/(mcp$|api\/(image-upscaler|remove-bg|batch|uploads|estimate|previews|thumbnails|task|photos|queue|notices|models|devices|presets|watches|session$))/;
    expect(open.filter((call) => !everyKeys.test(call))).toEqual([]);
    const closed = changing.filter(({ isClosed }) => isClosed).map(({ call }) => call);
    expect(closed.length).toBeGreaterThan(10);
  });
});

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

describe('Prefer: wait', () => {
  it.each(['wait=99999999999999999999', 'wait=-1', 'wait=1e9', 'wait', 'wait=;wait=', 'wait=0x9'])(
    'that is no number of seconds does not wait: %s',
    async (prefer) => {
      const service = await openService({ script: () => ({ do: 'hold' }) });
      const answer = await service.call('POST', upscale, { imageUrl: dataUrl }, { prefer });
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, ['taskId']]);
    },
  );

  it('ends with the key that is revoked', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { id, headers } = await plainKey(service);
    const waiting = service.call(
      'POST',
      upscale,
      { imageUrl: dataUrl },
      { ...headers, prefer: 'wait=100000' },
    );
    const ended = expect(waiting).rejects.toThrow();
    await expect.poll(async () => (await tasksOf(service)).length).toBe(1);
    await service.call('DELETE', `/api/keys/${id}`);
    await ended;
  });
});

describe('POST /api/task/{id}/mask', () => {
  it('is of cut-outs that are there', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const { headers } = await plainKey(service);
    const statusOf = async (taskId: string, body: object = {}) =>
      (await service.call('POST', `/api/task/${taskId}/mask`, body, headers)).status;
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    expect(await statusOf(taskId)).toBe(400);
    for (const id of ['none', '..%2fsettings', '__proto__', `${taskId}%00`])
      expect([id, await statusOf(id)]).toEqual([id, 404]);
    const point = { x: 0.5, y: 0.5, kind: 'keep' };
    expect(await statusOf(taskId, { points: Array.from({ length: 201 }, () => point) })).toBe(400);
    expect(await statusOf(taskId, { points: [{ ...point, x: 1e300 }] })).toBe(400);
    await service.call('DELETE', `/api/task/${taskId}?now=true`);
    expect(await statusOf(taskId)).toBe(404);
  });
});

it('no address of the page or the documentation leads out of its folder', async () => {
  const dataDir = temporaryFolder();
  const pageDir = path.join(dataDir, 'page');
  await mkdir(path.join(pageDir, 'assets'), { recursive: true });
  await writeFile(path.join(pageDir, 'index.html'), '<p>The page</p>');
  const service = await openService({ dataDir, pageDir });
  const outside = ['cli.key', 'enlarger.db', 'page/../cli.key'].flatMap((name) =>
    ['../', '..%2f', '%2e%2e/', '..%5c', '....//', '%252e%252e%252f'].flatMap((up) =>
      ['/', '/assets/', '/api/docs/', '/assets/%00'].map((at) => `${at}${up}${up}${name}`),
    ),
  );
  const { hostname, port } = new URL(service.url);
  const get = (target: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      // Sent as it is: fetch would resolve the dots.
      const sent = request({ hostname, port, path: target }, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end();
      onTestFinished(() => void sent.destroy());
    });
  for (const target of outside) {
    const { status, text } = await get(target);
    expect([target, status < 500, text.includes(service.key), text.includes('SQLite')]).toEqual([
      ...[target, true, false, false],
    ]);
  }
});
