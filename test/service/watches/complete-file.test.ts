import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isCompleteFile } from '../../../electron/service/watches/complete-file.ts';
import { asSharp, photo } from '../../support/images.ts';
import { dngOf, tiffOf } from '../../support/made-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const file = path.join(temporaryFolder(), 'picture');

async function isWhole(bytes: Uint8Array): Promise<boolean> {
  await writeFile(file, bytes);
  return isCompleteFile(file);
}

const picture = () => asSharp(photo(80, 60)).withIccProfile('p3');
const thumbnail = await asSharp(photo(16, 12)).jpeg().toBuffer();
/** An APP1 of a JPEG with another one in it, as cameras leave their thumbnails. */
const withThumbnail = (jpeg: Buffer) => {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(2 + thumbnail.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, thumbnail, jpeg.subarray(2)]);
};
const tiff = (bigEndian: boolean, tile?: number) =>
  tiffOf(64, 48, (x, y) => x + y, {
    bits: 8,
    bands: 3,
    photometric: 2,
    bigEndian,
    ...(tile && { tile }),
  });

const files: [string, Promise<Buffer> | Buffer][] = [
  ['a JPEG', picture().jpeg().toBuffer()],
  ['a progressive JPEG', picture().jpeg({ progressive: true }).toBuffer()],
  ['a JPEG with a thumbnail', picture().jpeg().toBuffer().then(withThumbnail)],
  ['a PNG', picture().png().toBuffer()],
  ['a TIFF whose directory comes last', picture().tiff().toBuffer()],
  ['a TIFF of several sizes', picture().tiff({ pyramid: true, tile: true }).toBuffer()],
  ['a BigTIFF', picture().tiff({ bigtiff: true }).toBuffer()],
  ['a TIFF whose directory comes first', tiff(false)],
  ['a TIFF of tiles from a Mac', tiff(true, 16)],
  ['a WebP', picture().webp().toBuffer()],
  ['an AVIF', picture().avif().toBuffer()],
];

it.each(files)('%s is whole to its last byte, and cut nowhere before', async (_, made) => {
  const whole = await made;
  expect(await isWhole(whole)).toBe(true);
  for (let part = 1; part <= 40; part += 1) {
    const length = Math.floor(((whole.length - 16) * part) / 41) + 16;
    expect([length, await isWhole(whole.subarray(0, length))]).toEqual([length, false]);
  }
  expect(await isWhole(whole.subarray(0, -1))).toBe(false);
});

it('what a camera or a phone puts behind the picture is no fault', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  for (const more of [Buffer.alloc(3 << 20), Buffer.from('a short film')])
    expect(await isWhole(Buffer.concat([jpeg, more]))).toBe(true);
});

it('camera RAW is looked at as the TIFF that it is', async () => {
  const dng = dngOf(32, 24, 1);
  expect(await isWhole(dng)).toBe(true);
  expect(await isWhole(dng.subarray(0, dng.length / 2))).toBe(false);
});

it('room that was set aside for a JPEG is not its end', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  const half = Buffer.concat([jpeg.subarray(0, jpeg.length / 2), Buffer.alloc(jpeg.length / 2)]);
  expect(await isWhole(half)).toBe(false);
});

it('files of other kinds are taken as they are', async () => {
  for (const other of ['', 'GIF89a', 'a picture'])
    expect(await isWhole(Buffer.from(other))).toBe(true);
});
