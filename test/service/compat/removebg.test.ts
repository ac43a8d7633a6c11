/** remove.bg's API as its clients speak it: fields in, pictures, headers and errors out. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { containing, withCompat, type CompatService } from '../../support/compat-service.ts';
import { openCutoutService } from '../../support/cutout-service.ts';
import { asSharp, photo } from '../../support/images.ts';
import { subjectPhoto } from '../../support/subjects.ts';

const box = { x: 200, y: 120, width: 240, height: 180 };
let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await asSharp(subjectPhoto(640, 480, box))
    .jpeg({ quality: 95 })
    .toBuffer();
});

const open = async () => withCompat(await openCutoutService({ compatPort: 0 }));

function formOf(fields: Record<string, string>, picture = jpeg): FormData {
  const form = new FormData();
  form.set('image_file', new Blob([new Uint8Array(picture)]), 'shop.jpg');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function send(
  { compatUrl, programKey }: CompatService,
  body: FormData | URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  return fetch(`${compatUrl}/v1.0/removebg`, {
    method: 'POST',
    headers: { 'x-api-key': programKey, ...json, ...headers },
    body,
  });
}

const pictureOf = async (answer: Response) =>
  sharp(Buffer.from(await answer.arrayBuffer())).metadata();

describe('POST /v1.0/removebg', () => {
  it('answers a form with a file by a transparent PNG of the preview size and the known headers', async () => {
    const service = await open();
    const answer = await send(service, formOf({}));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { width, height, hasAlpha } = await pictureOf(answer);
    expect(width * height).toBeLessThanOrEqual(250_500);
    expect(width * height).toBeGreaterThan(248_000);
    expect(hasAlpha).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-width': String(width),
      'x-height': String(height),
      'x-max-width': '640',
      'x-max-height': '480',
      'x-type': 'other',
      'x-credits-charged': '0',
      'x-ratelimit-limit': '500',
      'x-ratelimit-remaining': '500',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
      'x-enlarger-model': 'cutout',
    });
  });

  it('takes the picture as base64 in JSON and in a form, and answers JSON to who reads that', async () => {
    const service = await open();
    const fields = { image_file_b64: jpeg.toString('base64'), size: 'auto' };
    for (const body of [JSON.stringify(fields), new URLSearchParams(fields)]) {
      const answer = await send(service, body, { accept: 'application/json' });
      const { data } = (await answer.json()) as { data: { result_b64: string } };
      const { width, height } = await sharp(Buffer.from(data.result_b64, 'base64')).metadata();
      expect([width, height]).toEqual([640, 480]);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(data.result_b64.length);
    }
  });

  it('crops, colours and writes the format that is asked for', async () => {
    const service = await open();
    const cropped = await send(service, formOf({ size: 'full', crop: 'true', crop_margin: '10%' }));
    const { width } = await pictureOf(cropped);
    expect(Math.abs(width - (box.width + 48))).toBeLessThan(16);
    const coloured = await send(service, formOf({ bg_color: 'c8ffc8', size: '4k' }));
    expect(coloured.headers.get('content-type')).toBe('image/jpeg');
    const pixels = sharp(Buffer.from(await coloured.arrayBuffer())).extract({
      left: 0,
      top: 0,
      width: 1,
      height: 1,
    });
    const [red = 0, green = 0] = await pixels.raw().toBuffer();
    expect(Math.abs(red - 0xc8)).toBeLessThan(4);
    expect(green).toBeGreaterThan(250);
    const named = await send(service, formOf({ bg_color: 'seagreen', format: 'png' }));
    expect((await pictureOf(named)).hasAlpha).toBe(false);
    const onWhite = await send(service, formOf({ format: 'jpg' }));
    expect((await pictureOf(onWhite)).format).toBe('jpeg');
    const mask = await pictureOf(await send(service, formOf({ channels: 'alpha', size: 'full' })));
    expect([mask.channels, mask.depth, mask.width]).toEqual([1, 'uchar', 640]);
  });

  it('says in its own shape what is wrong', async () => {
    const service = await open();
    const titleOf = async (body: FormData | URLSearchParams, headers = {}) => {
      const answer = await send(service, body, headers);
      const { errors } = (await answer.json()) as { errors: { title: string; code: string }[] };
      return [answer.status, errors[0]?.code, errors[0]?.title];
    };
    expect(await titleOf(formOf({}), { 'x-api-key': 'no' })).toEqual([
      403,
      'auth_failed',
      'API Key invalid',
    ]);
    expect(await titleOf(new URLSearchParams({ size: 'auto' }))).toEqual([
      400,
      'invalid_parameter',
      containing('No image given'),
    ]);
    const two = formOf({ image_url: 'https://example.org/a.jpg' });
    expect((await titleOf(two))[2]).toContain('Multiple image sources given');
    const plain = await asSharp(photo(200, 150)).modulate({ brightness: 0.2 }).jpeg().toBuffer();
    expect(await titleOf(formOf({}, plain))).toEqual([
      400,
      'unknown_foreground',
      containing('stands out'),
    ]);
    expect((await titleOf(formOf({}, Buffer.from('no picture'))))[1]).toBe('invalid_file_type');
    const local = new URLSearchParams({ image_url: 'http://127.0.0.1:9/a.jpg' });
    expect(await titleOf(local)).toEqual([400, 'source_refused', containing('private network')]);
    const file = new URLSearchParams({ image_url: 'file:///etc/passwd' });
    expect((await titleOf(file))[0]).toBe(400);
  });

  it('refuses a picture for the background, which it would not lay there', async () => {
    const service = await open();
    const form = formOf({});
    form.set('bg_image_file', new Blob([new Uint8Array(jpeg)]), 'beach.jpg');
    const answer = await send(service, form);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('bg_image_file');
  });

  it('refuses what would change the picture and cannot be done, by its name', async () => {
    const service = await open();
    for (const fields of [
      { size: 'huge' },
      { crop: 'perhaps' },
      { bg_color: 'nocolour' },
      { roi: '10% 0% 50% 100%' },
    ]) {
      const answer = await send(service, formOf(fields));
      const text = await answer.text();
      expect([answer.status, text]).toEqual([400, containing(Object.keys(fields)[0] ?? '')]);
    }
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({ tasks: [] });
  });

  it('has an account that never runs out', async () => {
    const { compatUrl, programKey } = await open();
    const answer = await fetch(`${compatUrl}/v1.0/account`, {
      headers: { 'x-api-key': programKey },
    });
    expect(await answer.json()).toMatchObject({
      data: {
        attributes: { credits: { total: expect.any(Number) as number }, api: { sizes: 'all' } },
      },
    });
  });
});
