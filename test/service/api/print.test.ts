/** A size on paper, over the real engine: as many pixels as it takes, and tags that say how many an inch. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pixelsOfPrint, ppiOfPrint } from '../../../packages/contract/src/options/print-size.ts';
import { readSourceMetadata } from '../../../packages/photo-files/src/metadata/source-metadata.ts';
import { asSharp, photo } from '../../support/images.ts';
import { ended, openRealService } from '../../support/real-service.ts';

describe('a print', { timeout: 300_000 }, () => {
  it('has as many pixels as its length and resolution take', () => {
    expect(pixelsOfPrint({ millimetres: 254, ppi: 300 })).toBe(3000);
    expect(pixelsOfPrint({ millimetres: 0.01, ppi: 10 })).toBe(1);
    expect(ppiOfPrint(3000, 254)).toBeCloseTo(300);
  });

  it('comes out in its size, and says its resolution in every format that can', async () => {
    const service = await openRealService();
    const file = path.join(service.folder, 'beach.jpg');
    const exif = { IFD0: { XResolution: '72/1', YResolution: '72/1', ResolutionUnit: '2' } };
    await writeFile(file, await asSharp(photo(90, 60)).withExif(exif).jpeg().toBuffer());
    const printSize = { side: 'longEdge', millimetres: 12.7, ppi: 300 };
    for (const format of ['jpeg', 'png', 'tiff', 'webp'] as const) {
      const taskId = await service.submit(pathToFileURL(file).href, { printSize, format });
      const record = await ended(service, taskId);
      expect(record.options.printSize).toEqual(printSize);
      const bytes = await (await fetch(record.imageUrl ?? '')).bytes();
      const metadata = await sharp(bytes).metadata();
      const { width, height } = metadata;
      const made = path.join(service.folder, `made.${format}`);
      await writeFile(made, bytes);
      const { density } = readSourceMetadata(made, format, metadata);
      expect({ width, height, density: Math.round(density ?? 0) }, format).toEqual({
        width: 150,
        height: 100,
        density: 300,
      });
    }
  });

  it('is made again as it was asked for, or by a scale in its place', async () => {
    const service = await openRealService();
    const file = path.join(service.folder, 'beach.jpg');
    await writeFile(file, await asSharp(photo(90, 60)).jpeg().toBuffer());
    const printSize = { side: 'width', millimetres: 25.4, ppi: 120 };
    const first = await service.submit(pathToFileURL(file).href, { printSize });
    await ended(service, first);
    const again = async (body: object) => {
      const response = await service.call('POST', `/api/task/${first}/again`, body);
      return ended(service, (response.body as { taskId: string }).taskId);
    };
    expect((await again({ options: { format: 'png' } })).output).toMatchObject({ width: 120 });
    const scaled = await again({ options: { scale: 2 } });
    expect(scaled.output?.width).toBe(180);
    expect(scaled.options).not.toHaveProperty('printSize');
    const both = { imageUrl: pathToFileURL(file).href, printSize, scale: 2 };
    const refused = await service.call('POST', '/api/image-upscaler', both);
    expect([refused.status, refused.text]).toMatchObject([400, expect.stringMatching(/printSize/)]);
  });
});
