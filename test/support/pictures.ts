/** Small pictures for tests of the service's clients. */
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';

/** A JPEG with something to see: a gradient over noise-free colours. */
export async function smallJpeg(width: number, height: number): Promise<Buffer> {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.set([(255 * x) / width, (255 * y) / height, (x ^ y) & 255], (y * width + x) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

export async function writeSmallJpeg(file: string, width = 48, height = 32): Promise<void> {
  await writeFile(file, await smallJpeg(width, height));
}
