/** What programs expect of a submit: an answer when the task has ended, many at once, and names of operations. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { BatchAnswer, TaskList } from '../../../electron/contract/task.ts';
import { dataUrl, openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const upscale = '/api/image-upscaler';

describe('Prefer: wait', () => {
  it('answers 200 with the task when it has ended', async () => {
    const service = await openService();
    const answer = await service.call(
      'POST',
      upscale,
      { imageUrl: dataUrl },
      { prefer: 'wait=60' },
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ status: 'FINISHED', imageUrl: expect.any(String) as string }),
    ]);
    expect(answer.headers.get('preference-applied')).toBe('wait=60');
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
    const answer = await send();
    expect(answer.items.map(({ error }) => error?.code)).toEqual([
      ...[undefined, 'INVALID_REQUEST', 'INVALID_REQUEST', undefined],
    ]);
    expect(answer.items[1]?.error?.message).toContain('item.scale');
    expect(await send()).toEqual(answer);
    const { tasks } = (await service.call('GET', '/api/tasks')).body as TaskList;
    expect(tasks.map(({ taskId }) => taskId).toReversed()).toEqual(
      answer.items.flatMap(({ taskId }) => taskId ?? []),
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
