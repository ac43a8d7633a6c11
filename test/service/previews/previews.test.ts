/** Over the real engine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelView } from '../../../packages/contract/src/models/model.ts';
import type { Previews } from '../../../packages/contract/src/picture.ts';
import { asSharp, photo, type Pixels } from '../../support/images.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';
import { subjectPhoto } from '../../support/subjects.ts';
import { openMadeService, upscaler } from '../../support/made-service.ts';
import { slowNetwork } from '../../support/networks-made.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, patience, startRealService, type RealService } from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';

let services: Record<'made' | 'shipped', RealService>;
beforeAll(async () => {
  services = { made: await startRealService(), shipped: await startRealService('shipped') };
});
afterAll(async () => {
  await services.made.close();
  await services.shipped.close();
});

/** A picture of its own in a service of all tests. */
async function open(picture: Pixels, networks: 'made' | 'shipped' = 'made') {
  const service = services[networks];
  return { service, imageUrl: await fileOf(picture, service.folder) };
}

let files = 0;

async function fileOf(picture: Pixels, folder: string): Promise<string> {
  const file = path.join(folder, `photo-${(files += 1)}.png`);
  await writeFile(file, await asSharp(picture).png().toBuffer());
  return pathToFileURL(file).href;
}

async function preview(service: TestService, body: object) {
  const response = await service.call('POST', '/api/previews', body);
  return { status: response.status, text: response.text, ...(response.body as Previews) };
}

async function pixelsOf(png: string | Uint8Array): Promise<Pixels> {
  const bytes = typeof png === 'string' ? Buffer.from(png.split(',')[1] ?? '', 'base64') : png;
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

async function resultOf(service: TestService, taskId: string) {
  const { imageUrl = '' } = await ended(service, taskId);
  return (await fetch(imageUrl)).bytes();
}

describe('a preview', { timeout: 300_000 }, () => {
  it('shows the very pixels that the product would have there', async () => {
    const picture = photo(340, 96);
    const { service, imageUrl } = await open(picture, 'shipped');
    const taskId = await service.submit(imageUrl, { scale: 2 });
    const whole = await resultOf(service, taskId);
    const { previews, source } = await preview(service, { imageUrl, x: 200, y: 40, scale: 2 });
    expect(source).toMatchObject({ x: 72, y: 0, width: 256, height: 96 });
    expect(previews.map(({ model }) => model)).toEqual([
      'natural',
      'detail',
      'faithful',
      'restore',
    ]);
    const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
    const part = sharp(whole).extract({ left: 144, top: 0, width: 512, height: 192 });
    const { most } = differenceOf(shown, await pixelsOf(await part.png().toBuffer()));
    // Whether the device is known yet, and so int8 or fp32 is taken, may differ by a few levels.
    expect(most).toBeLessThan(7);
    const before = await pixelsOf(source.imageUrl);
    const own = { left: 72, top: 0, width: 256, height: 96 };
    const sample = await asSharp(picture).extract(own).png().toBuffer();
    expect(differenceOf(before, await pixelsOf(sample)).most).toBe(0);
  });

  it('is sharpened and grained as it is asked for, and says what was measured', async () => {
    const { service, imageUrl } = await open(photo(64, 48), 'shipped');
    const place = { imageUrl, x: 32, y: 24, scale: 2, models: ['natural'] };
    const pictureOf = async (body: object) => {
      const { previews, measured } = await preview(service, { ...place, ...body });
      return { pixels: await pixelsOf(previews[0]?.imageUrl ?? ''), measured };
    };
    const plain = await pictureOf({});
    expect(plain.measured?.why).toMatch(/\.$/);
    expect(plain.measured?.grain).toBeUndefined();
    const sharp = await pictureOf({ sharpen: 100 });
    expect(differenceOf(sharp.pixels, plain.pixels).most).toBeGreaterThan(2);
    const grained = await pictureOf({ grain: 50 });
    expect(grained.measured?.grain?.deviation).toBe(6);
    expect(differenceOf(grained.pixels, plain.pixels).most).toBeGreaterThan(6);
    expect(
      differenceOf((await pictureOf({ grain: 0, sharpen: 0 })).pixels, plain.pixels).most,
    ).toBe(0);
  });

  it('is between Natural and Detail as far as it is asked for', async () => {
    const { service, imageUrl } = await open(photo(64, 48), 'shipped');
    const pictureOf = async (body: object) => {
      const { previews } = await preview(service, { imageUrl, x: 32, y: 24, scale: 4, ...body });
      return pixelsOf(previews[0]?.imageUrl ?? '');
    };
    const natural = await pictureOf({ models: ['natural'] });
    const far = async (body: object) =>
      differenceOf(await pictureOf({ models: ['detail'], ...body }), natural).mean;
    const [whole, half, none] = [
      await far({}),
      await far({ detail: 50 }),
      await far({ detail: 0 }),
    ];
    expect(await far({ detail: 100 })).toBe(whole);
    expect(half).toBeLessThan(whole);
    expect(none).toBeLessThan(half);
  });

  it('stays with the photo as far as it is asked for', async () => {
    const { service, imageUrl } = await open(photo(64, 48), 'shipped');
    const place = { imageUrl, x: 32, y: 24, scale: 4, models: ['restore'] };
    const farFrom = async (body: object) => {
      const { previews, source } = await preview(service, { ...place, ...body });
      const { width, height } = source;
      const small = await sharp(Buffer.from(previews[0]?.imageUrl.split(',')[1] ?? '', 'base64'))
        .resize(width, height, { kernel: 'linear' })
        .png()
        .toBuffer();
      return differenceOf(await pixelsOf(small), await pixelsOf(source.imageUrl)).mean;
    };
    const plain = await farFrom({});
    expect(await farFrom({ keep: 'faithful' })).toBeLessThan(0.7 * plain);
    expect(await farFrom({ keep: 'colours' })).toBeLessThanOrEqual(plain);
  });

  it('is made of the whole picture where that is smaller, and by three passes for 8x', async () => {
    const { service, imageUrl } = await open(photo(60, 40));
    const { previews, source } = await preview(service, { imageUrl, x: 900, y: 0, scale: 8 });
    expect(source).toMatchObject({ x: 0, y: 0, width: 60, height: 40 });
    const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
    expect(differenceOf(shown, repeated(photo(60, 40), 8)).most).toBe(0);
  });

  it('has every pixel in its place where passes follow each other', async () => {
    const picture = photo(420, 380);
    const { service, imageUrl } = await open(picture);
    for (const [x, left] of [
      [10, 0],
      [211, 83],
      [419, 164],
    ] as const) {
      const { previews } = await preview(service, { imageUrl, x, y: 190, scale: 4 });
      const own = { left, top: 62, width: 256, height: 256 };
      const part = await asSharp(picture).extract(own).png().toBuffer();
      const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
      expect(differenceOf(shown, repeated(await pixelsOf(part), 4)).most).toBe(0);
    }
  });

  it('reduces what a model makes to the scale that is asked for', async () => {
    const picture = photo(60, 40);
    const { service, imageUrl } = await open(picture);
    const { models } = (await service.call('GET', '/api/models')).body as { models: ModelView[] };
    const [upscaler] = models.filter(({ task }) => task === 'upscale');
    expect(upscaler?.scales).not.toContain(1);
    const asked = { imageUrl, x: 30, y: 20, scale: 1, models: [upscaler?.id] };
    const { previews } = await preview(service, asked);
    const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
    expect(shown).toMatchObject({ width: 60, height: 40 });
    expect(differenceOf(shown, picture).most).toBeLessThan(40);
  });

  it('sharpens what it reduced, as the product does, and not before', async () => {
    const { service, imageUrl } = await open(photo(420, 380));
    const [upscaler] = ((await service.call('GET', '/api/models')).body as { models: ModelView[] })
      .models;
    const options = { scale: 1, sharpen: 100 };
    const taskId = await service.submit(imageUrl, { ...options, model: upscaler?.id });
    const own = { left: 72, top: 22, width: 256, height: 256 };
    const part = sharp(await resultOf(service, taskId)).extract(own);
    const asked = { imageUrl, x: 200, y: 150, ...options, models: [upscaler?.id] };
    const { previews } = await preview(service, asked);
    const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
    expect(differenceOf(shown, await pixelsOf(await part.png().toBuffer())).most).toBe(0);
  });

  it('cuts a subject out of the picture around the place', async () => {
    const { service, imageUrl } = await open(
      subjectPhoto(160, 120, { x: 50, y: 30, width: 60, height: 60 }),
      'shipped',
    );
    const asked = { imageUrl, x: 60, y: 60, operation: 'remove-bg' };
    const { previews, problems, source } = await preview(service, asked);
    expect(problems).toEqual([]);
    expect(source).toMatchObject({ x: 0, y: 0, width: 160, height: 120 });
    const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
    expect(shown).toMatchObject({ width: 160, height: 120, channels: 4 });
    const alphaAt = (x: number, y: number) => shown.data[(y * 160 + x) * 4 + 3];
    expect([alphaAt(80, 60), alphaAt(4, 4)]).toEqual([255, 0]);
  });

  it('takes less of the source where the passes make much of it', async () => {
    const picture = photo(420, 380);
    const { service, imageUrl } = await open(picture);
    for (const [scale, size, left] of [
      [8, 96, 162],
      [16, 64, 178],
    ] as const) {
      const { previews, source } = await preview(service, { imageUrl, x: 210, y: 190, scale });
      expect(source).toMatchObject({ x: left, width: size, height: size });
      const own = { left, top: 190 - size / 2, width: size, height: size };
      const part = await asSharp(picture).extract(own).png().toBuffer();
      const shown = await pixelsOf(previews[0]?.imageUrl ?? '');
      expect(differenceOf(shown, repeated(await pixelsOf(part), scale)).most).toBe(0);
    }
  });

  it('cuts in on a running task, whose result stays the same', async () => {
    const folder = temporaryFolder();
    const picture = repeated(photo(140, 120), 4);
    const imageUrl = await fileOf(picture, folder);
    const slow = upscaler('Faithful', slowNetwork);
    const service = await openMadeService([slow], { allowFolders: [folder] });
    // The photo is open from here on: decoding it would take longer than its tiles.
    await preview(service, { imageUrl, x: 280, y: 400, scale: 2 });
    const taskId = await service.submit(imageUrl, { scale: 2 });
    const progress = async () => (await service.record(taskId)).progress;
    await expect.poll(progress, patience).toBeGreaterThan(5);
    for (const x of [80, 480]) {
      const { previews } = await preview(service, { taskId, x, y: 400, scale: 2 });
      expect(previews).toHaveLength(1);
      expect(await progress()).toBeLessThan(90);
    }
    const made = await pixelsOf(await resultOf(service, taskId));
    expect(differenceOf(made, repeated(picture, 2)).most).toBe(0);
  });

  it('is refused with a sentence', async () => {
    const { service, imageUrl } = await open(photo(60, 40));
    const place = { x: 0, y: 0, scale: 2 };
    const refusals = [
      [{ imageUrl, ...place, models: ['nothing'] }, 400, /Expected models to be one of faithful/],
      [place, 400, /either imageUrl or taskId/],
      [{ imageUrl, taskId: 'a', ...place }, 400, /both/],
      [{ taskId: 'a', ...place }, 404, /no task/],
      [{ imageUrl: 'data:,text', ...place }, 400, /but the file is of a kind/],
    ] as const;
    for (const [body, status, sentence] of refusals) {
      const response = await preview(service, body);
      expect(response.text).toMatch(sentence);
      expect(response.status).toBe(status);
    }
  });
});
