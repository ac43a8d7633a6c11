/** The extras of AUTOMATIC1111 as its clients send them. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  containing,
  leftFiles,
  openPictureService,
  startPictureService,
  subjectJpeg,
  type CompatService,
} from '../../../support/compat-service.ts';

let image: string;
let service: CompatService;
beforeAll(async () => {
  service = await startPictureService();
  image = (await subjectJpeg()).toString('base64');
});
afterAll(() => service.close());

async function call(
  { compatUrl, programKey }: CompatService,
  route: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const basic = Buffer.from(`me:${programKey}`).toString('base64');
  const response = await fetch(`${compatUrl}/sdapi/v1/${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const defaults = {
  resize_mode: 0,
  show_extras_results: true,
  gfpgan_visibility: 0,
  codeformer_visibility: 0,
  codeformer_weight: 0,
  upscaling_resize: 2,
  upscaling_resize_w: 512,
  upscaling_resize_h: 512,
  upscaling_crop: true,
  upscaler_1: 'R-ESRGAN 4x+',
  upscaler_2: 'None',
  extras_upscaler_2_visibility: 0,
  upscale_first: false,
};

const sizeOf = async (base64: string) => {
  const { width, height, format } = await sharp(Buffer.from(base64, 'base64')).metadata();
  return [width, height, format];
};

describe('the extras of AUTOMATIC1111', () => {
  it('enlarge one picture by a factor, also an odd one, and to a size', async () => {
    const single = async (fields: object) => {
      const response = await call(service, 'extra-single-image', { ...defaults, image, ...fields });
      expect([response.status, response.body]).toEqual([200, expect.anything()]);
      return response.body as { image: string; html_info: string };
    };
    const doubled = await single({});
    expect(await sizeOf(doubled.image)).toEqual([640, 480, 'png']);
    expect(doubled.html_info).toContain('640 x 480');
    expect(
      await sizeOf((await single({ upscaling_resize: 1.5, upscaler_1: 'Enlarger Natural' })).image),
    ).toEqual([480, 360, 'png']);
    const sized = await single({
      image: `data:image/jpeg;base64,${image}`,
      resize_mode: 1,
      upscaling_resize_w: 600,
      upscaling_resize_h: 450,
    });
    expect(await sizeOf(sized.image)).toEqual([600, 450, 'png']);
  });

  it('enlarge several in their order', async () => {
    const small = await sharp(Buffer.from(image, 'base64')).resize(64, 32).png().toBuffer();
    const imageList = [
      { data: image, name: 'a.jpg' },
      { data: small.toString('base64'), name: 'b.png' },
    ];
    const { body } = await call(service, 'extra-batch-images', { ...defaults, imageList });
    const { images } = body as { images: string[] };
    expect(await Promise.all(images.map(sizeOf))).toEqual([
      [640, 480, 'png'],
      [128, 64, 'png'],
    ]);
  });

  it('refuse what they cannot do by its name', async () => {
    const refused = [
      [{ upscaler_1: 'None' }, 422, 'upscaler_1'],
      [{ upscaler_1: 'Unheard of' }, 404, 'upscaler_1'],
      [{ gfpgan_visibility: 0.5 }, 422, 'gfpgan_visibility'],
      [{ upscaler_2: 'Lanczos', extras_upscaler_2_visibility: 0.5 }, 422, 'upscaler_2'],
      [{ resize_mode: 1 }, 422, 'upscaling_crop'],
      [{ image: 'not base64!' }, 422, 'image'],
    ] as const;
    for (const [fields, status, part] of refused) {
      const response = await call(service, 'extra-single-image', { ...defaults, image, ...fields });
      expect(response).toMatchObject({ status, body: { detail: containing(part) } });
    }
  });

  it('take a picture that is too large to stand in a body while it is read', async () => {
    const noise = { type: 'gaussian' as const, mean: 120, sigma: 60 };
    const create = { width: 300, height: 200, channels: 3 as const, background: '#888' };
    const large = await sharp({ create: { ...create, noise } })
      .png()
      .toBuffer();
    expect(large.length).toBeGreaterThan(100_000);
    const response = await call(service, 'extra-single-image', {
      ...defaults,
      image: large.toString('base64'),
    });
    expect(await sizeOf((response.body as { image: string }).image)).toEqual([600, 400, 'png']);
    await expect.poll(() => leftFiles(service)).toEqual([]);
  });

  it('have what their clients ask around them', async () => {
    // One that has its engine to start yet: the picture is not done before it is asked for.
    const service = await openPictureService();
    const upscalers = (await call(service, 'upscalers')).body as { name: string; scale: number }[];
    expect(upscalers.map(({ name }) => name)).toEqual(['None', 'R-ESRGAN 4x+', 'Enlarger Natural']);
    expect((await call(service, 'progress')).body).toMatchObject({
      progress: 0,
      state: { job_count: 0 },
    });
    expect((await call(service, 'sd-models')).body).toEqual([]);
    expect((await call(service, 'face-restorers')).body).toEqual([]);
    expect((await call(service, 'options')).body).toMatchObject({ samples_format: 'png' });
    const asked = call(service, 'extra-single-image', { ...defaults, image });
    await expect
      .poll(async () => (await call(service, 'progress')).body, { interval: 5 })
      .toMatchObject({ state: { job_count: 1, job: 'extras' } });
    expect(await call(service, 'interrupt', {})).toEqual({ status: 200, body: {} });
    expect(await asked).toMatchObject({ status: 400, body: { detail: containing('cancelled') } });
  });
});
