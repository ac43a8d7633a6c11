/**
 * Resolutions are carried from every format that holds one into every other, without an EXIF of the source.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { densityOf } from '../../../../packages/photo-files/src/metadata/exif/exif-model.ts';
import { readExifBlock } from '../../../../packages/photo-files/src/metadata/exif/read-exif.ts';
import { readSourceMetadata } from '../../../../packages/photo-files/src/metadata/source-metadata.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, photo } from '../../../support/images.ts';
import { bmpOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** A JFIF of 300 pixels an inch and no EXIF. */
async function jfif(): Promise<Buffer> {
  const plain = await asSharp(photo(24, 16)).jpeg().toBuffer();
  const segment = Buffer.from('ffe000104a46494600010201012c012c0000', 'hex');
  return Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]);
}

/** 300 pixels an inch are 11811 a metre. */
function bmp(): Buffer {
  const file = bmpOf(photo(24, 16));
  file.writeInt32LE(11_811, 38);
  file.writeInt32LE(11_811, 42);
  return file;
}

const sources = {
  jpeg: jfif,
  png: () => asSharp(photo(24, 16)).withMetadata({ density: 300 }).png().toBuffer(),
  tiff: () =>
    asSharp(photo(24, 16))
      .tiff({ xres: 300 / 25.4, yres: 300 / 25.4 })
      .toBuffer(),
  webp: () => asSharp(photo(24, 16)).withMetadata({ density: 300 }).webp().toBuffer(),
  bmp,
};
const formats = ['jpeg', 'png', 'tiff', 'webp', 'avif', 'jxl'] as const;

/** Reads the resolution in pixels an inch from where programs look for it in the format. */
async function densityIn(path: string, format: (typeof formats)[number]) {
  if (format === 'jxl') return readSourceMetadata(path, 'jxl', {}).density;
  const { density, exif } = await sharp(path).metadata();
  if (format !== 'webp' && format !== 'avif') return density;
  const model = exif && readExifBlock(exif);
  return model && densityOf(model);
}

describe('a resolution', () => {
  it.each(Object.entries(sources))('of %s stays in every format', async (name, make) => {
    const sourcePath = join(engine.dir, `source.${name}`);
    writeFileSync(sourcePath, await make());
    const passes = [nearestNetwork(join(engine.dir, 'networks'))];
    for (const format of formats) {
      const { outputPath } = await engine.run({ sourcePath, passes, format, formatChosen: true });
      const found = await densityIn(outputPath, format);
      expect([format, found && Math.round(found)]).toEqual([format, 300]);
    }
  });

  it('is not made up, and makes no EXIF where no metadata is wanted', async () => {
    const plain = join(engine.dir, 'plain.jpg');
    writeFileSync(plain, await asSharp(photo(24, 16)).jpeg().toBuffer());
    const passes = [nearestNetwork(join(engine.dir, 'networks'))];
    const bare = await engine.run({ sourcePath: plain, passes });
    expect(readFileSync(bare.outputPath).includes('JFIF')).toBe(false);
    const told = join(engine.dir, 'told.jpg');
    writeFileSync(told, await jfif());
    const wish = { sourcePath: told, passes, format: 'webp', metadata: 'none' } as const;
    const { outputPath } = await engine.run(wish);
    expect((await sharp(outputPath).metadata()).exif).toBeUndefined();
  });
});
