import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SubmitReceipt } from '../../../packages/contract/src/request.ts';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import {
  dataUrl,
  openService,
  testModel,
  testRemover,
  type TestService,
} from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const route = '/api/image-upscaler';

async function refusalOf(service: TestService, body: unknown, at = route): Promise<string> {
  const response = await service.call('POST', at, body);
  const { statusCode, code, message } = response.body as Record<string, string>;
  expect(statusCode).toBe(response.status);
  return `${response.status} ${code}: ${message}`;
}

async function expectNothingStored(service: TestService): Promise<void> {
  const { tasks, counts } = (await service.call('GET', '/api/tasks')).body as TaskList;
  expect(tasks).toEqual([]);
  expect(new Set(Object.values(counts))).toEqual(new Set([0]));
  for (const folder of ['sources', 'uploads', 'scratch', 'results'])
    expect([folder, await readdir(path.join(service.dataDir, folder))]).toEqual([folder, []]);
}

describe('a submit', () => {
  it('is answered with the id of a task that is there, also after a restart', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir, script: () => ({ do: 'hold' }) });
    const response = await first.call('POST', `${route}?utm=1&scale=3`, { imageUrl: dataUrl });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(response.body as object)).toEqual(['taskId']);
    const { taskId } = response.body as { taskId: string };
    await first.close();
    const second = await openService({ dataDir });
    expect((await second.until(taskId, 'FINISHED')).taskId).toBe(taskId);
  });

  it('means scale 2, the same format and depth, and metadata kept', async () => {
    const service = await openService();
    const { options } = await service.record(await service.submit());
    expect(options).toEqual({
      scale: 2,
      model: 'faithful',
      format: 'same',
      formatChosen: false,
      bitDepth: 'same',
      metadata: 'keep',
    });
  });

  it('settles where the network is used, and by which model the subject is found', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const options = async (body: object) => {
      const { taskId } = (await service.call('POST', route, { imageUrl: dataUrl, ...body }))
        .body as SubmitReceipt;
      return (await service.record(taskId)).options;
    };
    expect(await options({ amount: 100 })).not.toHaveProperty('amount');
    expect(await options({ amount: 40, amountMask: 'subject' })).toMatchObject({
      amount: 40,
      amountMask: 'subject',
      maskModel: testRemover.id,
    });
    const strokes = [{ kind: 'keep', radius: 0.1, points: [[0.5, 0.5]] }];
    const painted = await options({ amountMask: 'painted', strokes });
    expect(painted).toMatchObject({ amountMask: 'painted', strokes });
    expect(painted).not.toHaveProperty('maskModel');
    const less = [{ ...strokes[0], kind: 'remove' }];
    const spared = await options({ amountMask: 'everywhere', strokes: less });
    expect(spared).toMatchObject({ amountMask: 'everywhere', strokes: less });
    expect(spared).not.toHaveProperty('maskModel');
    expect(await options({ amountMask: 'everywhere' })).not.toHaveProperty('amountMask');
    expect(await refusalOf(service, { imageUrl: dataUrl, amountMask: 'painted' })).toBe(
      '400 INVALID_REQUEST: Expected strokes beside amountMask painted, which is where they paint, but received none.',
    );
    expect(await refusalOf(service, { imageUrl: dataUrl, amount: 101 })).toMatch(/^400 .*amount/);
  });

  it('takes every scale of the contract', async () => {
    const service = await openService();
    for (const scale of [2, 4, 8, 16])
      expect((await service.record(await service.submit(dataUrl, { scale }))).options.scale).toBe(
        scale,
      );
  });

  it('may clean without enlarging, but part 1 of the contract knows no such scale', async () => {
    const service = await openService();
    const plain = await service.call('POST', '/api/image-upscaler', {
      imageUrl: dataUrl,
      scale: 1,
    });
    expect(plain.status).toBe(400);
    const cleaning = { scale: 1, restore: 40, grain: 'auto', keep: 'faithful' };
    const { options } = await service.record(await service.submit(dataUrl, cleaning));
    expect(options).toMatchObject(cleaning);
  });

  it('that the schema does not allow is told the field, what was expected and what came', async () => {
    const service = await openService();
    const imageUrl = dataUrl;
    const scales = 'Expected scale to be one of 1, 2, 4, 8, 16 but received';
    const sentences: [unknown, string][] = [
      [{ imageUrl, scale: 3 }, `${scales} 3 of type number.`],
      [{ imageUrl, scale: '2' }, `${scales} "2" of type string.`],
      [{ imageUrl, scale: null }, `${scales} null.`],
      [{ imageUrl, scale: [2] }, `${scales} [2] of type array.`],
      [{ imageUrl, scale: 2.5 }, `${scales} 2.5 of type number.`],
      [{ imageUrl, source: 'web' }, 'Expected source to be api but received "web" of type string.'],
      [{}, 'Expected imageUrl to be a string that is not empty but received nothing.'],
      [
        { imageUrl: 7 },
        'Expected imageUrl to be a string that is not empty but received 7 of type number.',
      ],
      [
        { imageUrl, quality: 101 },
        'Expected quality to be a whole number from 1 to 100 but received 101 of type number.',
      ],
      [
        { imageUrl, bitDepth: 10 },
        'Expected bitDepth to be one of 8, 16, same but received 10 of type number.',
      ],
      [
        { imageUrl, model: 'other' },
        'Expected model to be one of faithful but received "other" of type string.',
      ],
      [[], 'Expected the body to be an object with imageUrl, scale'],
      ['"text"', 'Expected the body to be an object with imageUrl, scale'],
      ['', 'Expected the body to be an object with imageUrl, scale'],
      [{ imageUrl, colour: 'red' }, 'Expected only the fields imageUrl, scale'],
      ['{"imageUrl": ', 'Expected the body to be JSON: '],
      [
        '{"imageUrl":"http://a.example/","__proto__":{"scale":4}}',
        'Expected the body to be JSON: ',
      ],
    ];
    for (const [body, sentence] of sentences)
      expect(await refusalOf(service, body)).toContain(`400 INVALID_REQUEST: ${sentence}`);
    await expectNothingStored(service);
  });

  it('refuses what is no image URL', async () => {
    const service = await openService();
    const forms = ['photo.jpg', '/etc/passwd', 'ftp://a.example/b.jpg', 'javascript:alert(1)'];
    const broken = ['http://', 'C:\\photo.jpg', 'data:image/png', 'data:;base64,%%%', 'data:,'];
    const gone = `${service.url}/api/uploads/00000000-0000-0000-0000-000000000000`;
    for (const imageUrl of [
      ...forms,
      ...broken,
      gone,
      'file://server/share/a.jpg',
      'file:///a%00b',
    ])
      expect([imageUrl, await refusalOf(service, { imageUrl })]).toEqual([
        imageUrl,
        expect.stringContaining('400 INVALID_REQUEST: Expected imageUrl to be'),
      ]);
    await expectNothingStored(service);
  });

  it('refuses bodies of another type, and larger ones than the limit', async () => {
    const service = await openService();
    const text = await service.call('POST', route, '{}', { 'content-type': 'text/plain' });
    expect(text.body).toMatchObject({
      statusCode: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message:
        'Expected a body of the type application/json or multipart/form-data but received text/plain. Name the type in Content-Type.',
    });
    const batch = await service.call('POST', '/api/batch', '{}', { 'content-type': 'text/plain' });
    expect(batch.body).toMatchObject({
      statusCode: 415,
      message: expect.stringContaining('type application/json but received text/plain') as string,
    });
    await service.call('PATCH', '/api/settings', { maxBodyBytes: 65_536 });
    const imageUrl = `data:;base64,${'A'.repeat(100_000)}`;
    expect(await refusalOf(service, { imageUrl })).toMatch(/^413 PAYLOAD_TOO_LARGE: .*65536 bytes/);
    await expectNothingStored(service);
  });

  it('is refused with Retry-After when the queue is full', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    await service.call('POST', '/api/queue/pause');
    await service.call('PATCH', '/api/settings', { maxWaitingTasks: 1 });
    await service.submit();
    const response = await service.call('POST', route, { imageUrl: dataUrl });
    expect(response.body).toMatchObject({ statusCode: 503, code: 'QUEUE_FULL' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect.poll(() => readdir(path.join(service.dataDir, 'sources'))).toHaveLength(1);
  });
});

describe('files of this machine', () => {
  it('are taken inside a granted folder only, by their real path', async () => {
    const root = temporaryFolder();
    const granted = path.join(root, 'granted');
    await mkdir(path.join(root, 'granted-not'));
    await mkdir(granted);
    for (const name of ['granted/ä photo.jpg', 'secret.jpg', 'granted-not/a.jpg'])
      await writeFile(path.join(root, name), 'x');
    await symlink(path.join(root, 'secret.jpg'), path.join(granted, 'link.jpg'));
    await symlink(root, path.join(granted, 'up'));
    const service = await openService({ allowFolders: [granted] });
    const url = (name: string) => pathToFileURL(path.join(root, name)).href;

    const taskId = await service.submit(url('granted/ä photo.jpg'));
    expect((await service.record(taskId)).source).toEqual({
      kind: 'file',
      name: 'ä photo.jpg',
      kept: true,
    });
    const outside = [
      url('secret.jpg'),
      url('granted-not/a.jpg'),
      url('granted/link.jpg'),
      url('granted/up/secret.jpg'),
      url('granted/none.jpg'),
      url('granted'),
      `${url('granted')}/../secret.jpg`,
      `${url('granted')}/%2e%2e/secret.jpg`,
      'file:///etc/passwd',
      'file:///dev/zero',
    ];
    for (const imageUrl of outside)
      expect([imageUrl, await refusalOf(service, { imageUrl })]).toEqual([
        imageUrl,
        expect.stringContaining('403 FORBIDDEN_PATH'),
      ]);
  });

  it('are saved inside a granted folder only', async () => {
    const granted = temporaryFolder();
    const service = await openService({ allowFolders: [granted] });
    const taskId = await service.submit(dataUrl, { saveTo: granted, name: '{name}-big' });
    await service.until(taskId, 'FINISHED');
    expect((await service.record(taskId)).savedTo).toBe(path.join(granted, 'image-big.jpg'));
    const refused = {
      [path.dirname(granted)]: 'Expected a path inside a folder that was granted',
      [`${granted}/none`]: 'Expected a folder but found none at',
      relative: 'Expected saveTo to be the absolute path of a granted folder',
    };
    for (const [saveTo, sentence] of Object.entries(refused))
      expect(await refusalOf(service, { imageUrl: dataUrl, saveTo })).toContain(
        `403 FORBIDDEN_PATH: ${sentence}`,
      );
  });
});

describe('Idempotency-Key', () => {
  const once = { 'idempotency-key': 'order-7' };

  it('answers the same task for the same body and 409 for another', async () => {
    const service = await openService();
    const first = await service.call('POST', route, { imageUrl: dataUrl, scale: 4 }, once);
    const again = await service.call('POST', route, { scale: 4, imageUrl: dataUrl }, once);
    expect(again.body).toEqual(first.body);
    const other = await service.call('POST', route, { imageUrl: dataUrl, scale: 8 }, once);
    expect(other.body).toMatchObject({ statusCode: 409, code: 'CONFLICT' });
    expect(((await service.call('GET', '/api/tasks')).body as TaskList).tasks).toHaveLength(1);
  });

  it('is told apart by whose key it came with', async () => {
    const service = await openService();
    const { key } = (await service.call('POST', '/api/keys', { name: 'b' })).body as {
      key: string;
    };
    const body = { imageUrl: dataUrl };
    const mine = await service.call('POST', route, body, once);
    const theirs = await service.call('POST', route, body, {
      ...once,
      authorization: `KEY ${key}`,
    });
    expect(theirs.status).toBe(200);
    expect(theirs.body).not.toEqual(mine.body);
  });

  it('holds for calls at the same moment', async () => {
    const service = await openService();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => service.call('POST', route, { imageUrl: dataUrl }, once)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  it('must be visible ASCII', async () => {
    const service = await openService();
    const response = await service.call(
      'POST',
      route,
      { imageUrl: dataUrl },
      { 'idempotency-key': 'a b' },
    );
    expect(response.body).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('remove-bg', () => {
  const stroke = { kind: 'keep', radius: 0.05, points: [[0.5, 0.25]] };

  it('answers 503 with Retry-After while no network removes backgrounds', async () => {
    const service = await openService();
    const response = await service.call('POST', '/api/remove-bg', { imageUrl: dataUrl });
    expect(response.body).toMatchObject({ statusCode: 503, code: 'MODEL_UNAVAILABLE' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectNothingStored(service);
  });

  it('is taken as PNG once the catalogue has one', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const response = await service.call('POST', '/api/remove-bg', { imageUrl: dataUrl });
    const { taskId } = response.body as { taskId: string };
    expect((await service.record(taskId)).options).toMatchObject({
      model: 'cutout',
      format: 'png',
    });
    expect(await refusalOf(service, { imageUrl: dataUrl, scale: 2 }, '/api/remove-bg')).toContain(
      '400',
    );
  });

  it.each([
    [{}, { background: 'transparent' }],
    [{ background: '#FA0' }, { background: '#ffaa00' }],
    [
      { background: 'white', format: 'jpeg' },
      { background: '#ffffff', format: 'jpeg' },
    ],
    [
      { background: 'blur', format: 'jpeg' },
      { background: 'blur', format: 'jpeg' },
    ],
    [{ crop: true }, { crop: 5 }],
    [{ crop: 12 }, { crop: 12 }],
    [
      { maskOnly: true, format: 'tiff' },
      { maskOnly: true, format: 'tiff' },
    ],
    [{ strokes: [stroke] }, { strokes: [stroke] }],
  ])('takes %j as %j', async (fields, options) => {
    const service = await openService({ models: [testModel, testRemover] });
    const body = { imageUrl: dataUrl, ...fields };
    const { taskId } = (await service.call('POST', '/api/remove-bg', body)).body as SubmitReceipt;
    expect((await service.record(taskId)).options).toMatchObject(options);
  });

  it.each([
    [{ background: 'url(x)' }, 'Expected background to be transparent, blur or a colour'],
    [{ background: '#ffff' }, 'Expected background to be transparent, blur or a colour'],
    [{ format: 'jpeg' }, 'Expected background to be a colour or blur with format jpeg'],
    [{ maskOnly: true, background: 'blur' }, 'Expected no background with maskOnly'],
    [{ crop: 101 }, 'crop'],
    [{ crop: 'tight' }, 'crop'],
    [{ maskOnly: 1 }, 'maskOnly'],
    [{ strokes: [{ ...stroke, kind: 'blur' }] }, 'kind'],
    [{ strokes: [{ ...stroke, radius: 0.3 }] }, 'radius'],
    [{ strokes: [{ ...stroke, points: [] }] }, 'points'],
    [{ model: 'faithful' }, 'Expected model to be one of cutout'],
  ])('refuses %j with a sentence', async (fields, sentence) => {
    const service = await openService({ models: [testModel, testRemover] });
    const said = await refusalOf(service, { imageUrl: dataUrl, ...fields }, '/api/remove-bg');
    expect(said).toContain(sentence);
    expect(said).toContain('400');
  });

  it('leaves out crop, mask and strokes where they are not asked for', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const body = { imageUrl: dataUrl, crop: false, maskOnly: false, strokes: [] };
    const { taskId } = (await service.call('POST', '/api/remove-bg', body)).body as SubmitReceipt;
    const { options } = await service.record(taskId);
    expect(options).not.toHaveProperty('crop');
    expect(options).not.toHaveProperty('maskOnly');
    expect(options).not.toHaveProperty('strokes');
  });
});
