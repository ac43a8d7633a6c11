/** The images of OpenAI's API: by OpenAI's own package, with nothing changed but address and key, and by hand. */
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  containing,
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../../support/compat-service.ts';

let jpeg: Buffer;
let service: CompatService;
beforeAll(async () => {
  service = await startPictureService();
  jpeg = await subjectJpeg();
});
afterAll(() => service.close());

const clientOf = ({ compatUrl, programKey }: CompatService, apiKey = programKey) =>
  new OpenAI({ baseURL: `${compatUrl}/v1`, apiKey, maxRetries: 0 });
const photo = () => toFile(jpeg, 'photo.jpg', { type: 'image/jpeg' });
const sizeOf = async (base64 = '') => {
  const { width, height, format, hasAlpha } = await sharp(Buffer.from(base64, 'base64')).metadata();
  return { width, height, format, hasAlpha };
};

describe("OpenAI's package", () => {
  it('lists models, enlarges and cuts out, with address and key alone', async () => {
    const openai = clientOf(service);
    const ids = (await openai.models.list()).data.map(({ id }) => id);
    expect(ids).toContain('enlarger-cutout');
    expect(ids).toContain('enlarger-2x-natural');
    expect((await openai.models.retrieve('enlarger-2x')).owned_by).toBe('enlarger');

    const edited = await openai.images.edit({
      image: await photo(),
      prompt: 'Enlarge it.',
      model: 'enlarger-2x',
    });
    expect(await sizeOf(edited.data?.[0]?.b64_json)).toMatchObject({
      width: 640,
      height: 480,
      format: 'png',
    });
    expect(edited).toMatchObject({ size: '640x480', output_format: 'png', background: 'opaque' });

    const cut = await openai.images.edit({
      image: [await photo()],
      prompt: 'Remove the background.',
      model: 'gpt-image-1',
      background: 'transparent',
      output_format: 'webp',
    });
    expect(await sizeOf(cut.data?.[0]?.b64_json)).toEqual({
      width: 320,
      height: 240,
      format: 'webp',
      hasAlpha: true,
    });

    // Its clients call it all the same.
    // oxlint-disable-next-line typescript/no-deprecated
    const varied = await openai.images.createVariation({
      image: await photo(),
      model: 'enlarger-4x',
      size: '512x512',
    });
    const link = varied.data?.[0]?.url ?? '';
    const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
    expect(await sizeOf(bytes.toString('base64'))).toMatchObject({ width: 512, height: 384 });
  });

  it('reads errors as its own: a key, a model, a field', async () => {
    await expect(clientOf(service, 'sk-wrong').models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const openai = clientOf(service);
    const image = await photo();
    const edit = (fields: object) => openai.images.edit({ image, prompt: 'x', ...fields });
    await expect(edit({ model: 'dall-e-99x' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    await expect(edit({ n: 2 })).rejects.toMatchObject({
      status: 400,
      param: 'n',
      type: 'invalid_request_error',
    });
    await expect(edit({ mask: image })).rejects.toMatchObject({ status: 400, param: 'mask' });
    await expect(edit({ size: 'big' })).rejects.toMatchObject({ status: 400, param: 'size' });
    await expect(edit({ strength: '1' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'strength',
    });
    const broken = await toFile(Buffer.from('no picture'), 'photo.jpg');
    await expect(openai.images.edit({ image: broken, prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'unreadable_image',
    });
  });
});

describe('/v1/images/upscale', () => {
  const post = (service: CompatService, body: FormData | object, route = '/v1') =>
    fetch(`${service.compatUrl}${route}/images/upscale`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.programKey}`,
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });

  it('takes JSON as Lemonade does, also below /api/v1, and says 400 and 404 as it does', async () => {
    const image = jpeg.toString('base64');
    for (const route of ['/v1', '/api/v1']) {
      const response = await post(service, { image, model: 'RealESRGAN-x2plus' }, route);
      const { created, data } = (await response.json()) as {
        created: number;
        data: { b64_json: string }[];
      };
      expect(created).toBeGreaterThan(1e9);
      expect(await sizeOf(data[0]?.b64_json)).toMatchObject({ width: 640, format: 'png' });
    }
    expect((await post(service, { model: 'RealESRGAN-x4plus' })).status).toBe(400);
    expect((await post(service, { image })).status).toBe(400);
    const unknown = await post(service, { image, model: 'nothing' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { message: containing('nothing') } },
    ]);
  });

  it('takes a form as LocalAI does, and answers a link', async () => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(jpeg)]), 'photo.jpg');
    form.set('model', 'natural');
    form.set('scale', '2');
    const response = (await (await post(service, form)).json()) as {
      id: string;
      data: { url: string }[];
    };
    expect(response.id).toMatch(/^[0-9a-f-]{36}$/);
    const bytes = Buffer.from(await (await fetch(response.data[0]?.url ?? '')).arrayBuffer());
    expect(await sizeOf(bytes.toString('base64'))).toMatchObject({ width: 640, height: 480 });
  });
});
