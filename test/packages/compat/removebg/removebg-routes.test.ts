/** remove.bg's API as its clients speak it: fields in, pictures, headers and errors out. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  containing,
  leftFiles,
  withCompat,
  type CompatService,
} from '../../../support/compat-service.ts';
import { openMadeService, remover, startMadeService } from '../../../support/made-service.ts';
import { asSharp, photo, readPixels } from '../../../support/images.ts';
import { subjectPhoto, type Box } from '../../../support/subjects.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const box = { x: 100, y: 60, width: 120, height: 90 };
const made = [[remover], { compatPort: 0 }] as const;
const jpegOf = (width: number, height: number, subject: Box) =>
  asSharp(subjectPhoto(width, height, subject))
    .jpeg({ quality: 95 })
    .toBuffer();
let jpeg: Buffer;
/** For all that do not look at what the others left in it. */
let service: CompatService;
beforeAll(async () => {
  service = await withCompat(await startMadeService(...made));
  jpeg = await jpegOf(320, 240, box);
});
afterAll(() => service.close());

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

async function cornerOf(answer: Response): Promise<number[]> {
  const corner = { left: 0, top: 0, width: 1, height: 1 };
  return [
    ...(await sharp(Buffer.from(await answer.arrayBuffer()))
      .extract(corner)
      .raw()
      .toBuffer()),
  ];
}

/** Of a PNG with transparency. */
async function alphaOf(answer: Response): Promise<(x: number, y: number) => number> {
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  return (x, y) => data[4 * (y * info.width + x) + 3] ?? 0;
}

describe('POST /v1.0/removebg', () => {
  it('answers a form with a file by a transparent PNG of the preview size and the known headers', async () => {
    const large = await jpegOf(640, 480, { x: 200, y: 120, width: 240, height: 180 });
    const answer = await send(service, formOf({}, large));
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
    const fields = { image_file_b64: jpeg.toString('base64'), size: 'auto' };
    for (const body of [JSON.stringify(fields), new URLSearchParams(fields)]) {
      const answer = await send(service, body, { accept: 'application/json' });
      const { data } = (await answer.json()) as { data: { result_b64: string } };
      const { width, height } = await sharp(Buffer.from(data.result_b64, 'base64')).metadata();
      expect([width, height]).toEqual([320, 240]);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(data.result_b64.length);
    }
  });

  it('crops, colours and writes the format that is asked for', async () => {
    const cropped = await send(service, formOf({ size: 'full', crop: 'true', crop_margin: '10%' }));
    const { width } = await pictureOf(cropped);
    expect(Math.abs(width - (box.width + 24))).toBeLessThan(8);
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
    expect([mask.channels, mask.depth, mask.width]).toEqual([1, 'uchar', 320]);
  });

  it('answers a ZIP of colours and mask, which laid over each other are the PNG', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const answer = await send(service, formOf({ format: 'zip', size: 'full' }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    // Node warns when a response has more than ten listeners of one event.
    expect(warnings.filter((one) => one.startsWith('MaxListeners'))).toEqual([]);
    const folder = temporaryFolder();
    const zip = path.join(folder, 'result.zip');
    await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
    // A reader that is none of ours, and looks at the checksums.
    await promisify(execFile)('python3', ['-m', 'zipfile', '-t', zip]);
    await promisify(execFile)('python3', ['-m', 'zipfile', '-e', zip, folder]);
    const colours = await readPixels(path.join(folder, 'color.jpg'));
    const alpha = await readPixels(path.join(folder, 'alpha.png'));
    expect([colours.width, colours.height, colours.channels]).toEqual([320, 240, 3]);
    expect([alpha.width, alpha.height, alpha.channels]).toEqual([320, 240, 1]);
    const png = await send(service, formOf({ format: 'png', size: 'full' }));
    const whole = path.join(folder, 'whole.png');
    await writeFile(whole, Buffer.from(await png.arrayBuffer()));
    const { data } = await readPixels(whole);
    let [worstAlpha, error, seen] = [0, 0, 0];
    for (let i = 0; i < 320 * 240; i += 1) {
      const own = data[4 * i + 3] ?? 0;
      worstAlpha = Math.max(worstAlpha, Math.abs(own - (alpha.data[i] ?? 0)));
      if (own < 255) continue;
      seen += 3;
      for (let c = 0; c < 3; c += 1)
        error += Math.abs((data[4 * i + c] ?? 0) - (colours.data[3 * i + c] ?? 0));
    }
    expect(worstAlpha).toBe(0);
    expect(seen).toBeGreaterThan(25_000);
    expect(error / seen).toBeLessThan(2);
    await expect.poll(() => leftFiles(service)).toEqual([]);
  });

  it('answers a ZIP of an opaque picture with a mask that is white', async () => {
    const answer = await send(service, formOf({ format: 'zip', bg_color: 'c8ffc8' }));
    const folder = temporaryFolder();
    const zip = path.join(folder, 'result.zip');
    await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
    await promisify(execFile)('python3', ['-m', 'zipfile', '-e', zip, folder]);
    const alpha = await readPixels(path.join(folder, 'alpha.png'));
    expect(alpha.data.every((value) => value === 255)).toBe(true);
    const colours = await readPixels(path.join(folder, 'color.jpg'));
    expect(Math.abs((colours.data[0] ?? 0) - 0xc8)).toBeLessThan(3);
  });

  it('says in its own shape what is wrong', async () => {
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
      'missing_source',
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

  it('lays a picture behind the subject, from a form and from an address', async () => {
    const service = await withCompat(await openMadeService(...made));
    const sea = await sharp({
      create: { width: 40, height: 30, channels: 3, background: '#1e5ac8' },
    })
      .png()
      .toBuffer();
    const form = formOf({ size: 'full' });
    form.set('bg_image_file', new Blob([new Uint8Array(sea)]), 'beach.png');
    const answer = await send(service, form);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const corner = await cornerOf(answer);
    for (const [i, value] of [0x1e, 0x5a, 0xc8].entries())
      expect(Math.abs((corner[i] ?? 0) - value)).toBeLessThan(4);
    const url = `data:image/png;base64,${sea.toString('base64')}`;
    const png = await send(service, formOf({ bg_image_url: url, format: 'png' }));
    expect(await cornerOf(png)).toEqual([0x1e, 0x5a, 0xc8]);
    await expect.poll(() => leftFiles(service)).toEqual([]);
    // By the rules of sources: no address of this machine and of its network.
    const local = await send(service, formOf({ bg_image_url: 'http://127.0.0.1:9/a.jpg' }));
    expect([local.status, await local.text()]).toEqual([400, containing('private network')]);
    const file = await send(service, formOf({ bg_image_url: 'file:///etc/passwd' }));
    expect([file.status, await file.text()]).toEqual([400, containing('bg_image_url')]);
    const both = await send(service, formOf({ bg_image_url: url, bg_color: 'fff' }));
    expect([both.status, await both.text()]).toEqual([400, containing('bg_color')]);
  });

  it('scales, positions and shades the subject on its canvas', async () => {
    const fields = { size: 'full', scale: '50%', position: '0% 100%', format: 'png' };
    const left = await alphaOf(await send(service, formOf(fields)));
    // The box of 120 x 90 fits in half of 320 x 240 as 160 x 120, in the lower left corner.
    expect([left(80, 180), left(250, 60), left(180, 180), left(80, 100)]).toEqual([255, 0, 0, 0]);
    const centred = await alphaOf(
      await send(service, formOf({ size: 'full', position: 'center' })),
    );
    expect([centred(160, 120), centred(102, 67)]).toEqual([255, 0]);
    const shaded = await alphaOf(
      await send(service, formOf({ size: 'full', add_shadow: 'true', shadow_opacity: '80' })),
    );
    // Right under the box, which ends at 150.
    expect(shaded(160, 152)).toBeGreaterThan(40);
    expect(shaded(160, 152)).toBeLessThan(204);
  });

  it('removes all that is outside of the region of interest', async () => {
    for (const roi of ['0% 0% 50% 100%', '0px 0px 160px 240px']) {
      const alpha = await alphaOf(
        await send(service, formOf({ size: 'full', roi, format: 'png' })),
      );
      expect([alpha(150, 100), alpha(158, 100), alpha(162, 100), alpha(200, 100)]).toEqual([
        255, 255, 0, 0,
      ]);
    }
  });

  it('refuses what would change the picture and cannot be done, by its name', async () => {
    const service = await withCompat(await openMadeService(...made));
    for (const fields of [
      { size: 'huge' },
      { crop: 'perhaps' },
      { bg_color: 'nocolour' },
      { roi: '50% 0% 10% 100%' },
      { roi: 'left' },
      { scale: '5%' },
      { position: '120%' },
      { shadow_type: '3D' },
      { crop_margin: '30px', crop: 'true' },
    ]) {
      const answer = await send(service, formOf(fields));
      const text = await answer.text();
      expect([answer.status, text]).toEqual([400, containing(Object.keys(fields)[0] ?? '')]);
    }
    expect((await service.call('GET', '/api/tasks')).body).toMatchObject({ tasks: [] });
  });

  it('has an account that never runs out', async () => {
    const { compatUrl, programKey } = service;
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
