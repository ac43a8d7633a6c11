/** Over the real engine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Thumbnail } from '../../../packages/contract/src/picture.ts';
import { asSharp, photo } from '../../support/images.ts';
import { dngOf } from '../../support/made-files.ts';
import { openRealService } from '../../support/real-service.ts';
import { type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function thumbnail(service: TestService, body: object) {
  const response = await service.call('POST', '/api/thumbnails', body);
  return { status: response.status, text: response.text, ...(response.body as Thumbnail) };
}

async function shapeOf(dataUrl: string) {
  const bytes = Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

describe('a thumbnail of a source that has no task', { timeout: 240_000 }, () => {
  it('is made of a file in a granted folder, of an upload, and of what a browser does not read', async () => {
    const service = await openRealService();
    const files = {
      'turned.tif': await asSharp(photo(700, 300))
        .withMetadata({ orientation: 6 })
        .tiff()
        .toBuffer(),
      'raw.dng': dngOf(64, 48, 20_000),
      'portrait.dng': dngOf(64, 48, 20_000, { orientation: 8 }),
    };
    for (const [name, bytes] of Object.entries(files))
      await writeFile(path.join(service.folder, name), bytes);
    const urlOf = (name: string) => pathToFileURL(path.join(service.folder, name)).href;
    const turned = await thumbnail(service, { imageUrl: urlOf('turned.tif'), sidePx: 192 });
    expect(turned).toMatchObject({ status: 200, width: 300, height: 700 });
    expect(await shapeOf(turned.imageUrl)).toEqual({ format: 'webp', width: 82, height: 192 });
    const raw = await thumbnail(service, { imageUrl: urlOf('raw.dng') });
    expect(raw).toMatchObject({ status: 200, width: 64, height: 48 });
    const portrait = await thumbnail(service, { imageUrl: urlOf('portrait.dng') });
    expect(portrait).toMatchObject({ status: 200, width: 48, height: 64 });
    expect(await shapeOf(portrait.imageUrl)).toEqual({ format: 'webp', width: 48, height: 64 });
    const planned = await service.call('POST', '/api/estimate', {
      imageUrl: urlOf('portrait.dng'),
    });
    expect(planned.body).toMatchObject({ width: 96, height: 128 });
    const uploaded = await service.call('POST', '/api/uploads?name=a.tif', files['turned.tif'], {
      'content-type': 'application/octet-stream',
    });
    const large = await thumbnail(service, { ...(uploaded.body as object), sidePx: 2048 });
    expect(await shapeOf(large.imageUrl)).toEqual({ format: 'webp', width: 300, height: 700 });
  });

  it('is refused outside the granted folders, and with a sentence where there is no picture', async () => {
    const service = await openRealService();
    const [inside, outside] = [service.folder, temporaryFolder()].map((folder) =>
      path.join(folder, 'notes.jpg'),
    ) as [string, string];
    await writeFile(inside, 'not a picture');
    await writeFile(outside, 'not a picture');
    const refused = await thumbnail(service, { imageUrl: pathToFileURL(outside).href });
    expect([refused.status, refused.text]).toMatchObject([403, expect.stringContaining('granted')]);
    const broken = await thumbnail(service, { imageUrl: pathToFileURL(inside).href });
    expect([broken.status, broken.text]).toMatchObject([404, expect.stringContaining('NOT_FOUND')]);
    const large = await thumbnail(service, { imageUrl: 'data:,a', sidePx: 5000 });
    expect([large.status, large.text]).toMatchObject([400, expect.stringContaining('sidePx')]);
  });
});
