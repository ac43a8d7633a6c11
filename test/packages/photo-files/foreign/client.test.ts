/** How many threads the codecs of WebAssembly take. */
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { requestForeign, requestJxl } from '../../../../packages/photo-files/src/foreign/client.ts';
import { photo, asSharp } from '../../../support/images.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('reads the header and the pixels of a JPEG XL in one thread, those of another file in another', async () => {
  const folder = temporaryFolder();
  const [rasterPath, first, second] = ['photo.v', 'first.jxl', 'second.jxl'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  await asSharp(photo(60, 40)).toFile(rasterPath);
  await requestJxl({ rasterPath, outputPath: first, lossless: true, quality: 100 }, 60_000);
  await copyFile(first, second);
  let threads = 0;
  const count = () => (threads += 1);
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const header = (file: string) =>
    requestForeign({ format: 'jxl', path: file, isDeep: false, maxPixels: 1e6 }, 60_000);
  const decode = async (file: string) => {
    const toPath = path.join(temporaryFolder(), 'decoded.v');
    const request = { format: 'jxl', path: file, isDeep: false, maxPixels: 1e6 } as const;
    await requestForeign({ ...request, rasterPath: toPath }, 60_000);
    return sharp(toPath).metadata();
  };
  await header(first);
  expect(await decode(first)).toMatchObject({ width: 60, height: 40 });
  expect(threads).toBe(1);
  await header(second);
  expect(await decode(first)).toMatchObject({ width: 60, height: 40 });
  expect(threads).toBe(3);
});
