/** Metadata side by side and saving again, over the real engine. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskMetadata } from '../../../packages/contract/src/picture.ts';
import { asSharp, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { differenceOf } from '../../support/pixels.ts';
import { ended, openRealService } from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';

async function enlarged(picture: Sharp, fields: object = {}) {
  const service = await openRealService();
  const file = path.join(service.folder, 'beach.png');
  await writeFile(file, await picture.toBuffer());
  const taskId = await service.submit(pathToFileURL(file).href, { scale: 2, ...fields });
  await ended(service, taskId);
  return { service, taskId, folder: service.folder };
}

async function convert(service: TestService, taskId: string, body: object) {
  const response = await service.call('POST', `/api/task/${taskId}/convert`, body);
  if (response.status !== 200) throw new Error(response.text);
  return ended(service, (response.body as { taskId: string }).taskId);
}

async function pixelsOf(url: string | undefined): Promise<Pixels> {
  const bytes = await (await fetch(url ?? '')).bytes();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

describe('a result saved again', { timeout: 300_000 }, () => {
  it('has the same pixels in another format, and outlives the first task', async () => {
    const { service, taskId, folder } = await enlarged(asSharp(photo(90, 60)).png());
    const first = await pixelsOf((await service.task(taskId)).imageUrl);
    const record = await convert(service, taskId, { format: 'tiff', bitDepth: 16, saveTo: folder });
    expect(record).toMatchObject({
      operation: 'convert',
      source: { kind: 'task', name: 'beach.png', taskId },
      output: { format: 'tiff', width: 180, height: 120, bitDepth: 16 },
      notes: [],
      savedTo: path.join(folder, 'beach-2x.tif'),
    });
    expect(record).not.toHaveProperty('device');
    await service.call('DELETE', `/api/task/${taskId}?now=true`);
    const again = await convert(service, record.taskId, { format: 'png', bitDepth: 8 });
    expect(differenceOf(await pixelsOf(again.imageUrl), first).most).toBe(0);
    await expect.poll(() => readdir(path.join(service.dataDir, 'sources'))).toEqual([]);
  });

  it('says that a lossy one had lost something', async () => {
    const { service, taskId } = await enlarged(asSharp(photo(60, 40)).jpeg());
    const { notes, noteCodes } = await convert(service, taskId, { format: 'webp', quality: 70 });
    expect(notes[0]).toMatch(/made from the JPEG result, which had lost a little/);
    expect(noteCodes).toEqual([{ code: 'LOSSY_SOURCE', values: { format: 'JPEG' } }]);
  });

  it('keeps transparency, and takes a colour in its place for JPEG', async () => {
    const { service, taskId } = await enlarged(asSharp(withAlpha(photo(60, 40), 30)).png());
    const webp = await convert(service, taskId, { format: 'webp' });
    expect(webp.output?.channels).toBe(4);
    const refused = await service.call('POST', `/api/task/${taskId}/convert`, { format: 'jpeg' });
    expect([refused.status, refused.text]).toMatchObject([
      400,
      expect.stringMatching(/background/),
    ]);
    const jpeg = await convert(service, taskId, { format: 'jpeg', background: '#00ff00' });
    const { data } = await pixelsOf(jpeg.imageUrl);
    for (const [i, level] of [0, 255, 0].entries())
      expect(Math.abs((data[i] ?? 128) - level)).toBeLessThan(4);
  });

  it('is refused for a task that has no result yet', async () => {
    const { service } = await enlarged(asSharp(photo(9, 9)).png());
    await service.call('POST', '/api/queue/pause');
    const waiting = await service.submit('data:image/png;base64,iVBORw0KGgo=');
    const call = (id: string) => service.call('POST', `/api/task/${id}/convert`, { format: 'png' });
    expect((await call(waiting)).status).toBe(409);
    expect((await call('nothing')).status).toBe(404);
  });
});

describe('metadata', { timeout: 300_000 }, () => {
  it('stands side by side by the names of the standards, after the source is gone too', async () => {
    const picture = asSharp(photo(60, 40))
      .withIccProfile('p3')
      .withExifMerge({
        IFD0: { Artist: 'A. Photographer', Make: 'Camera' },
        IFD2: { ExposureTime: '1/250', FNumber: '28/10', DateTimeOriginal: '2024:05:01 12:00:00' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '48/1 51/1 0/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '2/1 21/1 0/1',
        },
      })
      .jpeg();
    const { service, taskId } = await enlarged(picture, { metadata: 'private' });
    const response = await service.call('GET', `/api/task/${taskId}/metadata`);
    const { fields } = response.body as TaskMetadata;
    const find = (name: string) => fields.find((one) => one.name === name);
    expect(find('ImageWidth')).toEqual({
      group: 'File',
      name: 'ImageWidth',
      source: '60',
      result: '120',
    });
    expect(find('ExposureTime')).toMatchObject({ source: '1/250 s', result: '1/250 s' });
    expect(find('FNumber')).toMatchObject({ source: 'f/2.8' });
    expect(find('DateTimeOriginal')).toMatchObject({ source: '2024-05-01 12:00:00' });
    expect(find('GPSLatitude')).toEqual({ group: 'GPS', name: 'GPSLatitude', source: '48.85° N' });
    expect(find('ProfileDescription')).toMatchObject({ group: 'Profile' });
    expect(find('tiff:Software') ?? find('xmpMM:History')).toMatchObject({ group: 'XMP' });
    const kept = path.join(service.dataDir, 'results', taskId, '1-metadata.json');
    expect(JSON.parse(await readFile(kept, 'utf8'))).toHaveProperty('source');
  });
});
