/** rembg's server as its clients speak to it. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containing, withCompat, type CompatService } from '../../../support/compat-service.ts';
import { openMadeService, remover, startMadeService } from '../../../support/made-service.ts';
import { asSharp } from '../../../support/images.ts';
import type { TestService } from '../../../support/service.ts';
import { subjectPhoto } from '../../../support/subjects.ts';

let jpeg: Buffer;
/** Its clients show no key. */
let service: CompatService;
beforeAll(async () => {
  service = await keyless(await startMadeService([remover], { compatPort: 0 }));
  const box = { x: 100, y: 60, width: 120, height: 90 };
  jpeg = await asSharp(subjectPhoto(320, 240, box))
    .jpeg({ quality: 95 })
    .toBuffer();
});

afterAll(() => service.close());

async function keyless(made: TestService): Promise<CompatService> {
  const opened = await withCompat(made);
  await opened.call('PATCH', '/api/settings', { compatKeyless: true });
  return opened;
}

function send(fields: Record<string, string> = {}, query = ''): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(jpeg)]), 'animal.jpg');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return fetch(`${service.compatUrl}/api/remove${query}`, { method: 'POST', body: form });
}

const pictureOf = async (response: Response) =>
  sharp(Buffer.from(await response.arrayBuffer())).metadata();

describe('/api/remove', () => {
  it('answers a PNG as large as the picture, and says which network made it', async () => {
    const response = await send({
      model: 'u2net',
      a: 'false',
      af: '240',
      ab: '10',
      ae: '10',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('x-enlarger-model')).toBe('cutout');
    expect(await pictureOf(response)).toMatchObject({ width: 320, height: 240, hasAlpha: true });
  });

  it('takes a mask, a background from the address, and every name of a session', async () => {
    const mask = await pictureOf(await send({ om: 'true', ppm: 'true' }));
    expect(mask).toMatchObject({ format: 'png', channels: 1, depth: 'uchar' });
    const onColour = await send({ model: 'birefnet-general' }, '?bgc=0,128,0,255');
    const { data, info } = await sharp(Buffer.from(await onColour.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.channels, ...data.subarray(0, 3)]).toEqual([3, 0, 128, 0]);
    const cleaned = await send({ model: 'isnet-anime', ppm: 'true' });
    expect(cleaned.headers.get('x-enlarger-notes')).toContain('ppm');
  });

  it('refuses as FastAPI does', async () => {
    const wrong = await send({ model: 'nothing' });
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({
      detail: [{ loc: ['body', 'model'], msg: containing('u2netp') }],
    });
    const empty = await fetch(`${service.compatUrl}/api/remove`, {
      method: 'POST',
      body: new FormData(),
    });
    expect(empty.status).toBeLessThan(500);
    expect(empty.status).toBeGreaterThanOrEqual(400);
    const noUrl = await fetch(`${service.compatUrl}/api/remove`);
    expect([noUrl.status, await noUrl.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['query', 'url'] }] },
    ]);
    const local = await fetch(
      `${service.compatUrl}/api/remove?url=http%3A%2F%2F127.0.0.1%3A9%2Fa.jpg`,
    );
    expect([local.status, await local.json()]).toMatchObject([
      400,
      { detail: containing('private network') },
    ]);
    const matting = await send({ a: 'true', af: '200' });
    expect(matting.status).toBe(422);
    await service.call('PATCH', '/api/settings', { compatKeyless: false });
    const refused = await send();
    await service.call('PATCH', '/api/settings', { compatKeyless: true });
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { detail: containing('API key') },
    ]);
  });

  it('is cancelled when its client goes away, and the picture is not kept', async () => {
    // An engine that has yet to start is not done before the client has gone.
    const fresh = await keyless(await openMadeService([remover], { compatPort: 0 }));
    const leaving = new AbortController();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(jpeg)]), 'animal.jpg');
    const asked = fetch(`${fresh.compatUrl}/api/remove`, {
      method: 'POST',
      body: form,
      signal: leaving.signal,
    });
    const tasks = async () =>
      (
        (await fresh.call('GET', '/api/tasks')).body as {
          tasks: { status: string; priority: number; error?: { code: string } }[];
        }
      ).tasks;
    await expect.poll(async () => (await tasks()).length, { interval: 2 }).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(async () => (await tasks())[0]?.error?.code).toBe('CANCELLED');
    // A submit's is at most 10.
    expect((await tasks())[0]?.priority).toBe(11);
  });
});
