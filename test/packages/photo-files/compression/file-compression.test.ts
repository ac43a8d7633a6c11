import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  qualityOfSteps,
  stepsInJpeg,
  stepsOfQuality,
} from '../../../../packages/file-records/src/jpeg-quality.ts';
import {
  avifQuantiserOf,
  readAvifQuality,
} from '../../../../packages/photo-files/src/compression/headers/heif-quality.ts';
import { stepsInTiff } from '../../../../packages/photo-files/src/compression/headers/tiff-steps.ts';
import { readFileCompression } from '../../../../packages/photo-files/src/compression/file-compression.ts';
import { quantiserIndexOf } from '../../../../packages/photo-files/src/compression/headers/webp-quality.ts';
import { bytesInMemory } from '../../../../packages/file-records/src/tiff/tiff-directory.ts';
import { damage, randomFrom } from '../../../support/damaged.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { chance, encoded, scene } from '../../../engine/analysis/damaged-pictures.ts';

const folder = temporaryFolder();

describe('JPEG quality from its tables', () => {
  it.each([10, 35, 50, 60, 75, 80, 92, 100])('reads %i from a file of libjpeg', async (quality) => {
    const file = await encoded(scene(1)).jpeg({ quality }).toBuffer();
    const steps = stepsInJpeg(bytesInMemory(file));
    expect(steps).toEqual(stepsOfQuality(quality));
    expect(qualityOfSteps(steps ?? [])).toBe(quality);
  });

  it('comes near with the tables of another encoder', async () => {
    const file = await encoded(scene(1)).jpeg({ quality: 70, quantisationTable: 3 }).toBuffer();
    const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
    expect(steps).not.toEqual(stepsOfQuality(70));
    expect(Math.abs(qualityOfSteps(steps) - 70)).toBeLessThanOrEqual(10);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a table', Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, 1, 2, 3])],
    ['fill bytes alone', Buffer.alloc(5000, 0xff)],
    ['a segment without a length', Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0])],
  ])('finds none in %s', (_, bytes) => {
    expect(stepsInJpeg(bytesInMemory(bytes))).toBeUndefined();
  });
});

describe('the steps of a TIFF of JPEGs', () => {
  const tiff = (options: Parameters<ReturnType<typeof encoded>['tiff']>[0]) =>
    encoded(scene(1)).tiff(options).toBuffer();
  const stepsIn = (bytes: Buffer) => stepsInTiff(bytesInMemory(bytes));

  it.each([35, 60, 80, 92])('are those of quality %i in strips and in tiles', async (quality) => {
    for (const options of [{}, { tile: true }, { bigtiff: true }]) {
      const file = await tiff({ compression: 'jpeg', quality, ...options });
      expect(stepsIn(file)).toEqual(stepsOfQuality(quality));
    }
  });

  it('are those of its first strip where it has its own', async () => {
    const file = await tiff({ compression: 'jpeg', quality: 80 });
    const jpeg = await encoded(scene(1)).jpeg({ quality: 55 }).toBuffer();
    // Its only strip's offset, tag 0x0111, stands in the directory itself; another one is put in its place.
    const entry = file.indexOf(Buffer.from('1101040001000000', 'hex'));
    const joined = Buffer.concat([file, jpeg]);
    joined.writeUInt32LE(file.length, entry + 8);
    expect(stepsIn(joined)).toEqual(stepsOfQuality(55));
  });

  it("tell a file's compression, and other kinds of TIFF tell none", async () => {
    const path = join(folder, 'picture.tif');
    writeFileSync(path, await tiff({ compression: 'jpeg', quality: 70 }));
    expect(readFileCompression(path, 'tiff')).toEqual({ kind: 'jpeg', steps: stepsOfQuality(70) });
    for (const compression of ['none', 'lzw', 'deflate'] as const) {
      writeFileSync(path, await tiff({ compression }));
      expect(readFileCompression(path, 'tiff')).toEqual({ kind: 'unsaid' });
    }
  });

  it('are none or 64 numbers in what was damaged or cut short', async () => {
    const whole = await tiff({ compression: 'jpeg', quality: 50, tile: true });
    const random = randomFrom(5);
    for (let turn = 0; turn < 1000; turn += 1) {
      const steps = stepsIn(damage(whole, random));
      expect(steps === undefined || steps.every((step) => step >= 1)).toBe(true);
    }
    expect(stepsIn(whole.subarray(0, 8))).toBeUndefined();
  });
});

describe('the quantiser of a WebP', () => {
  it('is coarser for a lower quality, and missing without loss', async () => {
    const indexOf = async (options: { quality?: number; lossless?: boolean }) =>
      quantiserIndexOf(bytesInMemory(await encoded(scene(1)).webp(options).toBuffer()));
    const found = await Promise.all([95, 80, 60, 30].map((quality) => indexOf({ quality })));
    expect(found).toEqual([...found].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(found[0]).toBeLessThan(8);
    expect(found[3]).toBeGreaterThan(40);
    expect(await indexOf({ lossless: true })).toBeUndefined();
  });
});

describe('the quantiser of an AVIF', () => {
  const file = (options: Parameters<ReturnType<typeof encoded>['avif']>[0], sidePx?: number) =>
    encoded(scene(1, sidePx))
      .avif({ effort: 1, ...options })
      .toBuffer();
  const indexIn = (bytes: Buffer) => avifQuantiserOf(bytesInMemory(bytes));

  /** libheif's quality in 64 steps, each of libaom's own table of indices. */
  it.each([
    [90, 32],
    [70, 92],
    [50, 148],
    [20, 216],
  ])('of quality %i is %i', async (quality, index) => {
    expect(indexIn(await file({ quality }))).toBe(index);
  });

  it('is read from pictures of several tiles, of odd sizes, grey, of 10 bits and 4:2:0', async () => {
    const wide = encoded({
      ...scene(1),
      data: new Uint8Array(4500 * 70 * 3),
      width: 4500,
      height: 70,
    });
    const all = await Promise.all([
      wide.avif({ quality: 50, effort: 0 }).toBuffer(),
      file({ quality: 50 }, 77),
      encoded(scene(1)).greyscale().avif({ quality: 50, effort: 1 }).toBuffer(),
      file({ quality: 50, bitdepth: 10 }),
      file({ quality: 50, chromaSubsampling: '4:2:0' }),
      encoded(scene(1)).ensureAlpha(0.5).avif({ quality: 50, effort: 1 }).toBuffer(),
    ]);
    expect(all.map(indexIn)).toEqual(all.map(() => 148));
  });

  it('is missing without loss, and in what is cut short', async () => {
    expect(indexIn(await file({ lossless: true }))).toBeUndefined();
    const whole = await file({ quality: 50 });
    for (const length of [0, 7, 40, 150, 260])
      expect(indexIn(whole.subarray(0, length))).toBeUndefined();
  });

  it('is never more than undefined or a number of what was damaged', async () => {
    const whole = await file({ quality: 50 });
    const random = chance(7);
    for (let turn = 0; turn < 2000; turn += 1) {
      const damaged = Buffer.from(whole.subarray(0, 700));
      for (let i = 0; i < 4; i += 1)
        damaged[Math.floor(random() * 600)] = Math.floor(random() * 256);
      const index = indexIn(damaged);
      expect(index === undefined || (index > 0 && index < 256)).toBe(true);
    }
  });

  it('falls as the equivalent quality rises', async () => {
    const path = join(folder, 'picture.avif');
    const qualities: (number | undefined)[] = [];
    for (const quality of [20, 50, 80, 95]) {
      writeFileSync(path, await file({ quality }));
      qualities.push(readAvifQuality(path));
    }
    expect(qualities).toEqual(qualities.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(qualities[0]).toBeLessThan(30);
    expect(qualities[3]).toBeGreaterThan(93);
  });
});
