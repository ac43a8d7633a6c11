/** What a program with a plain key, or a page, once could do to the service. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { decodeDataUrl } from '../../../../electron/service/sources/data-url.ts';
import { openService, startTestService, type TestService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"';
const brokenForms = [
  '',
  '--x',
  '--x\r\n\r\n',
  file,
  `${file}\r\n\r\npicture`,
  `${file}\r\n\r\npicture\r\n--x`,
];

describe('a body', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(temporaryFolder());
  });
  afterAll(() => service.close());

  it('that is nested deeper than any call needs is refused, and queues nothing', async () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const body = `{"imageUrl":"http://a.example/","strokes":${deep}}`;
    const answer = await service.call('POST', '/api/image-upscaler', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({ tasks: [] });
  });

  it.each(
    ['/api/uploads', '/api/models', '/api/image-upscaler', '/api/remove-bg'].flatMap((route) =>
      brokenForms.map((body) => [route, body] as const),
    ),
  )('of a form that is broken is no fault of ours: %s %j', async (route, body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await service.call('POST', route, Buffer.from(body), headers);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(readdirSync(path.join(service.dataDir, 'uploads'))).toEqual([]);
  });
});

describe('a form', () => {
  it('of a thousand large fields is refused, and the next upload taken', async () => {
    const service = await openService();
    const form = new FormData();
    for (let i = 0; i < 950; i += 1) form.append(`field ${i}`, 'x'.repeat(20_000));
    form.append('file', new Blob(['picture']), 'a.png');
    const answer = await service.call('POST', '/api/uploads', form);
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const plain = new FormData();
    plain.append('note', 'hello');
    plain.append('file', new Blob(['picture']), 'a.png');
    expect((await service.call('POST', '/api/uploads', plain)).status).toBe(200);
  });
});

describe('an upload', () => {
  it('that is refused before it was read says that its connection ends', async () => {
    const service = await openService();
    const set = await service.call('PATCH', '/api/settings', { maxSourceBytes: 1024 * 1024 });
    expect(set.status, set.text).toBe(200);
    const post = request(`${service.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `KEY ${service.key}`, 'content-type': 'image/png' },
    });
    post.on('error', () => undefined);
    post.write(Buffer.alloc(2 * 1024 * 1024));
    const [answer] = (await once(post, 'response')) as [import('node:http').IncomingMessage];
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('close');
    post.destroy();
  });
});

describe('a data: URL', () => {
  it.each([
    ['spaces between', 'iVBO Rw0K\n Gg o='],
    ['the other alphabet', 'iVBORw0KGgo'],
    ['escapes', 'iVBORw0KGgo%3D'],
    ['nothing odd', 'iVBORw0KGgo='],
  ])('with %s in its base64 is read', (_what, data) => {
    const bytes = decodeDataUrl(`data:image/png;base64,${data}`);
    expect(bytes.toString('hex')).toBe('89504e470d0a1a0a');
  });

  it.each(['iVBO!w0K', 'iVBO=Rw0K', 'iVBO====', 'iVB\u00a0w0K', '💾'])(
    'with %j as base64 is refused',
    (data) => {
      expect(() => decodeDataUrl(`data:;base64,${data}`)).toThrow(EnlargerError);
    },
  );
});

describe('a key', () => {
  it('that is revoked ends what it has open', async () => {
    const service = await openService();
    const { body } = await service.call('POST', '/api/keys', { name: 'a program' });
    const { id, key } = body as { id: string; key: string };
    const stream = request(`${service.url}/api/tasks/sse`, {
      headers: { authorization: `KEY ${key}` },
    });
    stream.end();
    const [answer] = (await once(stream, 'response')) as [import('node:http').IncomingMessage];
    const ended = once(answer, 'close');
    answer.on('error', () => undefined).resume();
    const upload = request(`${service.url}/api/uploads`, {
      method: 'POST',
      headers: { authorization: `KEY ${key}`, 'content-type': 'image/png' },
    });
    upload.on('error', () => undefined);
    const uploadEnded = new Promise((resolve) => void upload.once('close', resolve));
    upload.write(Buffer.alloc(1000));
    await expect.poll(() => readdirSync(path.join(service.dataDir, 'uploads'))).toHaveLength(1);
    expect((await service.call('DELETE', `/api/keys/${id}`)).status).toBe(204);
    await ended;
    await uploadEnded;
    await expect.poll(() => readdirSync(path.join(service.dataDir, 'uploads'))).toEqual([]);
    const again = await service.call('GET', '/api/tasks', undefined, {
      authorization: `KEY ${key}`,
    });
    expect(again.status).toBe(401);
  });

  it("of the application's own window outlives a thousand pages", async () => {
    const service = await openService();
    for (let i = 0; i < 1001; i += 1) await service.call('POST', '/api/sessions');
    const headers = { authorization: `KEY ${service.sessionKey}` };
    expect((await service.call('GET', '/api/settings', undefined, headers)).status).toBe(200);
  });
});
