/** What programs expect of a submit: an answer when the task has ended, many at once, and names of operations. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { BatchAnswer, TaskList } from '../../../packages/contract/src/task.ts';
import { leftFiles } from '../../support/compat-service.ts';
import {
  dataUrl,
  openService,
  testModel,
  testRemover,
  type TestService,
} from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const upscale = '/api/image-upscaler';
const pictureBytes = Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');

describe('Prefer: wait', () => {
  it('answers 200 with the task when it has ended', async () => {
    const service = await openService();
    const response = await service.call(
      'POST',
      upscale,
      { imageUrl: dataUrl },
      { prefer: 'wait=60' },
    );
    expect([response.status, response.body]).toEqual([
      200,
      expect.objectContaining({ status: 'FINISHED', imageUrl: expect.any(String) as string }),
    ]);
    expect(response.headers.get('preference-applied')).toBe('wait=60');
  });

  it('answers 202 with the id when it has not, and plain submits as ever', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const waited = await service.call('POST', upscale, { imageUrl: dataUrl }, { prefer: 'wait=1' });
    expect([waited.status, Object.keys(waited.body as object)]).toEqual([202, ['taskId']]);
    const plain = await service.call('POST', upscale, { imageUrl: dataUrl });
    expect([plain.status, Object.keys(plain.body as object)]).toEqual([200, ['taskId']]);
  });
});

describe('POST /api/batch', () => {
  it('takes what it can in order, and says of each other item why not', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const items = [
      { imageUrl: dataUrl },
      { imageUrl: dataUrl, scale: 3 },
      { imageUrl: dataUrl, operation: 'blur' },
      { imageUrl: dataUrl, scale: 4 },
    ];
    const send = async () =>
      (await service.call('POST', '/api/batch', { items }, { 'idempotency-key': 'b1' }))
        .body as BatchAnswer;
    const response = await send();
    expect(response.items.map(({ error }) => error?.code)).toEqual([
      ...[undefined, 'INVALID_REQUEST', 'INVALID_REQUEST', undefined],
    ]);
    expect(response.items[1]?.error?.message).toContain('item.scale');
    expect(await send()).toEqual(response);
    const { tasks } = (await service.call('GET', '/api/tasks')).body as TaskList;
    expect(tasks.map(({ taskId }) => taskId).toReversed()).toEqual(
      response.items.flatMap(({ taskId }) => taskId ?? []),
    );
  });

  it('refuses more than 1,000 items', async () => {
    const service = await openService();
    const items = Array.from({ length: 1001 }, () => ({
      imageUrl: 'https://photos.example/a.jpg',
    }));
    expect((await service.call('POST', '/api/batch', { items })).status).toBe(400);
  });
});

it('only a key that may change settings grants paths with a submit', async () => {
  const service = await openService();
  const file = path.join(temporaryFolder(), 'a.jpg');
  await writeFile(file, 'a picture');
  const body = { imageUrl: pathToFileURL(file).href, grants: [file] };
  const { key } = (await service.call('POST', '/api/keys', { name: 'A program' })).body as {
    key: string;
  };
  const refused = await service.call('POST', upscale, body, { authorization: `KEY ${key}` });
  expect(refused.body).toMatchObject({ code: 'FORBIDDEN_KEY' });
  expect((await service.call('POST', upscale, body)).status).toBe(200);
  const plain = { imageUrl: body.imageUrl };
  expect((await service.call('POST', upscale, plain)).body).toMatchObject({
    code: 'FORBIDDEN_PATH',
  });
});

it('every operation of the description has a name of its own', async () => {
  const service = await openService();
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const names = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(names.length).toBeGreaterThan(80);
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  expect(new Set(names).size).toBe(names.length);
});

describe('a submit as a form', () => {
  const formOf = (fields: Record<string, string>, file?: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file !== undefined) form.append('file', new Blob([pictureBytes]), file);
    return form;
  };
  const send = async (service: TestService, form: FormData, headers: object = {}, to = upscale) => {
    const response = await fetch(service.url + to, {
      method: 'POST',
      headers: { authorization: `KEY ${service.key}`, ...headers },
      body: form,
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('has the picture as its file and the fields as texts', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const fields = { scale: '4', restore: '30', format: 'png' };
    const response = await send(service, formOf(fields, 'Äpfel am Baum.jpg'));
    expect(response.status).toBe(200);
    const record = await service.record(response.body['taskId'] ?? '');
    expect(record).toMatchObject({
      source: { kind: 'data', name: 'Äpfel am Baum.jpg' },
      options: { scale: 4, restore: 30, format: 'png' },
    });
    const cut = await send(
      service,
      formOf({ enlarge: '{"scale":2}', crop: 'true', background: 'white' }, 'a.jpg'),
      { prefer: 'wait=60' },
      '/api/remove-bg',
    );
    expect([cut.status, cut.body['status']]).toEqual([200, 'FINISHED']);
    const { taskId = '' } = cut.body;
    expect((await service.record(taskId)).options).toMatchObject({
      background: '#ffffff',
      crop: 5,
      enlarge: { scale: 2 },
    });
  });

  it('may name its picture by imageUrl', async () => {
    const service = await openService();
    expect((await send(service, formOf({ imageUrl: dataUrl }))).status).toBe(200);
  });

  it('is one task for one Idempotency-Key and the same bytes', async () => {
    const service = await openService();
    const key = { 'idempotency-key': 'form-1' };
    const first = await send(service, formOf({ scale: '2' }, 'a.jpg'), key);
    expect(await send(service, formOf({ scale: '2' }, 'a.jpg'), key)).toEqual(first);
    expect((await send(service, formOf({ scale: '4' }, 'a.jpg'), key)).status).toBe(409);
  });

  it('is refused by the sentence of the field that is wrong, and leaves no file', async () => {
    const service = await openService();
    await service.call('PATCH', '/api/settings', { maxSourceBytes: 2 ** 20 });
    const doubled = formOf({}, 'a.jpg');
    doubled.append('file', new Blob([pictureBytes]), 'b.jpg');
    const empty = new FormData();
    empty.append('file', new Blob([]), 'a.jpg');
    const large = new FormData();
    large.append('file', new Blob([new Uint8Array(2 ** 20 + 1)]), 'a.jpg');
    const refusals: [FormData, number, string][] = [
      [formOf({ scale: '3' }, 'a.jpg'), 400, 'scale'],
      [formOf({ scale: 'two' }, 'a.jpg'), 400, 'scale'],
      [formOf({ none: '3' }, 'a.jpg'), 400, 'none'],
      [formOf({ scale: '2' }), 400, "the field file to be the picture's file but received none"],
      [formOf({ file: 'photo.jpg' }), 400, 'received a text. Send it as curl does with -F file=@'],
      [formOf({ imageUrl: dataUrl }, 'a.jpg'), 400, 'one picture'],
      [doubled, 400, 'one picture'],
      [empty, 400, 'empty'],
      [large, 413, '1048576'],
    ];
    for (const [form, status, words] of refusals) {
      const response = await send(service, form);
      expect([response.status, response.body['message']]).toEqual([
        status,
        expect.stringContaining(words),
      ]);
    }
    await expect.poll(() => leftFiles(service)).toEqual([]);
  });
});

it('the description shows what a callbackUrl receives, and forms', async () => {
  const service = await openService();
  const { paths, components } = (await service.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, { post?: SubmitOperation }>;
    components: { schemas: Record<string, { properties: { type: { enum: string[] } } }> };
  };
  const names = new Set<string>();
  for (const route of [upscale, '/api/remove-bg']) {
    const post = paths[route]?.post;
    expect(Object.keys(post?.requestBody.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
    ]);
    expect(Object.keys(post?.callbacks ?? {})).toEqual(['started', 'ended']);
    for (const callback of Object.values(post?.callbacks ?? {})) {
      const [sent] = Object.values(callback);
      names.add(sent?.post.operationId ?? '');
      expect(JSON.stringify(sent)).toContain('#/components/schemas/TaskEventMessage');
    }
  }
  expect(names.size).toBe(4);
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  expect(components.schemas['TaskEventMessage']?.properties.type.enum).toEqual([
    ...['task.started', 'task.finished', 'task.failed'],
  ]);
});

it('the description has the schema of each stream of events', async () => {
  const service = await openService();
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
  };
  const streams = Object.keys(paths).filter((route) => route.endsWith('/sse'));
  expect(streams.length).toBeGreaterThanOrEqual(4);
  for (const route of streams)
    expect([route, JSON.stringify(paths[route]?.get?.responses['200']?.content)]).toEqual([
      route,
      expect.stringMatching(/text\/event-stream.*#\/components\/schemas\//) as string,
    ]);
});

interface SubmitOperation {
  requestBody: { content: object };
  callbacks: Record<string, Record<string, { post: { operationId: string } }>>;
}
