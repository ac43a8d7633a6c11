/** A picture that was cut off, over the real engine: it is found before it is started, and its part is shown. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Thumbnail } from '../../../packages/contract/src/picture.ts';
import type { Estimate, TaskRecord } from '../../../packages/contract/src/task.ts';
import { asSharp, photo } from '../../support/images.ts';
import { ended, openRealService } from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';

const [width, height] = [240, 160];
const picture = asSharp(photo(width, height));
const halfOf = (file: Buffer) => file.subarray(0, Math.floor(file.length / 2));
const jpeg = await picture.clone().jpeg().toBuffer();
const png = await picture.clone().png().toBuffer();
/** So large that only its head is read of a file on the disk. */
const largeJpeg = await sharp({
  create: {
    ...{ width: 1600, height: 1200, channels: 3, background: '#777' },
    noise: { type: 'gaussian', sigma: 40 },
  },
})
  .jpeg({ quality: 95 })
  .toBuffer();

async function estimateOf(service: TestService, imageUrl: string): Promise<Estimate> {
  return (await service.call('POST', '/api/estimate', { imageUrl })).body as Estimate;
}

async function uploaded(service: TestService, name: string, file: Buffer): Promise<string> {
  const { body } = await service.call('POST', `/api/uploads?name=${name}`, file, {
    'content-type': 'application/octet-stream',
  });
  return (body as { imageUrl: string }).imageUrl;
}

/** Mean level of a band of rows of a small picture. */
async function meanOf(file: Buffer, top: number, rows: number): Promise<number> {
  const { channels } = await sharp(
    await sharp(file).extract({ left: 0, top, width, height: rows }).toBuffer(),
  ).stats();
  return channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length;
}

describe('a picture that was cut off', { timeout: 240_000 }, () => {
  it('cannot be started, says how much is there, and is shown as far as it goes', async () => {
    const service = await openRealService();
    expect(largeJpeg.length).toBeGreaterThan(1.2e6);
    const onDisk = path.join(service.folder, 'large.jpg');
    await writeFile(onDisk, largeJpeg.subarray(0, -200_000));
    const wholeOnDisk = path.join(service.folder, 'whole.jpg');
    await writeFile(wholeOnDisk, Buffer.concat([largeJpeg, Buffer.alloc(5000, 7)]));
    const cut = await uploaded(service, 'cut.jpg', halfOf(jpeg));
    const cutPng = await uploaded(service, 'cut.png', halfOf(png));
    for (const imageUrl of [cut, cutPng])
      expect(await estimateOf(service, imageUrl)).toMatchObject({
        problem: {
          code: 'UNREADABLE_IMAGE',
          message: expect.stringMatching(/^The first \d+ of its 160 rows are there/) as string,
        },
      });
    const { problem } = await estimateOf(service, pathToFileURL(onDisk).href);
    expect(problem?.message).toMatch(/^The first \d+ of its 1200 rows are there/);
    for (const whole of [
      pathToFileURL(wholeOnDisk).href,
      await uploaded(service, 'whole.jpg', jpeg),
      await uploaded(service, 'padded.jpg', Buffer.concat([jpeg, Buffer.alloc(300_000, 7)])),
      await uploaded(service, 'no-end.jpg', jpeg.subarray(0, -2)),
      await uploaded(service, 'whole.png', png),
    ])
      expect(await estimateOf(service, whole)).not.toHaveProperty('problem');

    for (const imageUrl of [cut, cutPng]) {
      const made = await service.call('POST', '/api/thumbnails', { imageUrl, sidePx: 2048 });
      const bytes = Buffer.from((made.body as Thumbnail).imageUrl.split(',')[1] ?? '', 'base64');
      const [whole, part] = [await meanOf(jpeg, 0, 48), await meanOf(bytes, 0, 48)];
      expect(Math.abs(part - whole)).toBeLessThan(4);
    }
  });

  it('is shown as far as it goes after its task failed and its upload is gone', async () => {
    const service = await openRealService();
    const imageUrl = await uploaded(service, 'cut.jpg', halfOf(jpeg));
    const { body } = await service.call('POST', '/api/image-upscaler', { imageUrl });
    const { taskId } = body as TaskRecord;
    const failed = await ended(service, taskId);
    expect(failed).toMatchObject({ status: 'FAILED', error: { code: 'UNREADABLE_IMAGE' } });
    expect(failed.sourceThumbUrl).toBeDefined();
    expect((await fetch(failed.sourceThumbUrl ?? '')).status).toBe(200);
    const tiles = await service.call('GET', `/api/task/${taskId}/tiles/source`);
    expect(tiles.body).toMatchObject({ width, height });
  });
});
