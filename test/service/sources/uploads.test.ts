import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { sendRaw } from '../../support/sse.ts';

const bytes = Buffer.from('a picture of some bytes');
const raw = { 'content-type': 'application/octet-stream' };

const uploadsOf = (service: TestService) => readdir(path.join(service.dataDir, 'uploads'));

describe('an upload', () => {
  it('takes raw bytes and answers the URL to submit', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    for (const type of [
      'image/jpeg',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
    ]) {
      const response = await service.call('POST', '/api/uploads?name=beach.jpg', bytes, {
        'content-type': type,
      });
      expect(response.status).toBe(200);
      expect(Object.keys(response.body as object)).toEqual(['imageUrl']);
    }
    const [name = ''] = await uploadsOf(service);
    expect(await readFile(path.join(service.dataDir, 'uploads', name))).toEqual(bytes);
  });

  it('takes a form with one file and keeps its name', async () => {
    const service = await openService();
    const form = new FormData();
    form.append('note', 'ignored');
    form.append('file', new File([bytes], '../räume/Grüße ☀.png', { type: 'image/png' }));
    const { imageUrl } = (await service.call('POST', '/api/uploads', form)).body as {
      imageUrl: string;
    };
    const taskId = await service.submit(imageUrl);
    expect((await service.record(taskId)).source).toMatchObject({
      kind: 'upload',
      name: 'Grüße ☀.png',
    });
  });

  it('can be submitted by any name of this machine, also of a former port', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { imageUrl } = (await service.call('POST', '/api/uploads', bytes, raw)).body as {
      imageUrl: string;
    };
    const { pathname, port } = new URL(imageUrl);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, '127.0.0.1:1234'])
      expect(
        (await service.record(await service.submit(`http://${host}${pathname}`))).source.kind,
      ).toBe('upload');
    const elsewhere = await service.submit(`http://photos.example${pathname}`);
    expect((await service.record(elsewhere)).source.kind).toBe('url');
  });

  it('that is empty, no picture form or of a wrong type is refused and not kept', async () => {
    const service = await openService();
    const statusOf = async (body: unknown, headers = {}) =>
      (await service.call('POST', '/api/uploads', body, headers)).status;
    expect(await statusOf(Buffer.alloc(0), raw)).toBe(400);
    expect(await statusOf(new FormData())).toBe(400);
    expect(await statusOf({ imageUrl: 'x' })).toBe(415);
    expect(await statusOf('text', { 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf(bytes, { ...raw, authorization: '' })).toBe(401);
    expect(await uploadsOf(service)).toEqual([]);
  });

  it('that is a text in its form is refused by a sentence that says how to send it', async () => {
    const service = await openService();
    const form = new FormData();
    form.append('file', '/photos/a.jpg');
    const refused = await service.call('POST', '/api/uploads', form);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('received a text in its field file');
    expect(refused.text).toContain('-F file=@photo.jpg');
  });

  it('larger than the limit is 413, announced or not, raw or as a form, and not kept', async () => {
    const service = await openService();
    await service.call('PATCH', '/api/settings', { maxSourceBytes: 1 << 20 });
    const large = Buffer.alloc((1 << 20) + 1);
    const announced = await service.call('POST', '/api/uploads', Buffer.alloc(3 << 20), raw);
    expect(announced.body).toMatchObject({ statusCode: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect((await service.call('POST', '/api/uploads', large, raw)).status).toBe(413);
    const form = new FormData();
    form.append('file', new Blob([large]), 'a.jpg');
    expect((await service.call('POST', '/api/uploads', form)).status).toBe(413);
    const exact = await service.call('POST', '/api/uploads', large.subarray(1), raw);
    expect(exact.status).toBe(200);
    expect(await uploadsOf(service)).toHaveLength(1);
  });

  it('that breaks off leaves nothing', async () => {
    const service = await openService();
    const { host } = new URL(service.url);
    const stream = sendRaw(
      service.url,
      `POST /api/uploads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${service.key}\r\n` +
        'Content-Type: image/jpeg\r\nContent-Length: 1000\r\n\r\nhalf',
    );
    await expect.poll(() => uploadsOf(service)).toHaveLength(1);
    stream.socket.destroy();
    await expect.poll(() => uploadsOf(service)).toHaveLength(0);
  });
});
