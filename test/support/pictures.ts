/** Small picture files for tests of the service's clients. */
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { photo } from './images.ts';

export async function smallJpeg(width: number, height: number): Promise<Buffer> {
  const { data, channels } = photo(width, height);
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality: 95 }).toBuffer();
}

export async function writeSmallJpeg(file: string, width = 48, height = 32): Promise<void> {
  await writeFile(file, await smallJpeg(width, height));
}
