import { expect, it } from 'vitest';
import { describeExif } from '../../../../../packages/photo-files/src/metadata/exif/describe-exif.ts';
import { readExifBlock } from '../../../../../packages/photo-files/src/metadata/exif/read-exif.ts';
import { writeExifBlock } from '../../../../../packages/photo-files/src/metadata/exif/write-exif.ts';
import type { ExifEntry } from '../../../../../packages/file-records/src/tiff/entry.ts';
import {
  emptyExif,
  tags,
  textEntry,
  type ExifModel,
} from '../../../../../packages/photo-files/src/metadata/exif/exif-model.ts';

const bytesEntry = (tag: number, length: number): ExifEntry => ({
  ...{ tag, type: 7, count: length },
  bytes: Buffer.alloc(length, 1),
});
const make = textEntry(0x010f, 'Enlarger Works');

/** What is read of a block that was written. */
function written(model: ExifModel) {
  const { block, ...rest } = writeExifBlock(model);
  const fields = describeExif(readExifBlock(block)!).map(({ name }) => name);
  return { block, ...rest, fields };
}

it('EXIF too large for a segment loses the notes of the maker first', () => {
  const photo = [bytesEntry(tags.makerNote, 60_000), bytesEntry(0x9286, 20_000)];
  const { droppedMakerNote, dropped, fields } = written({ ...emptyExif(), image: [make], photo });
  expect([droppedMakerNote, dropped]).toEqual([true, []]);
  expect(fields).toEqual(['Make', 'UserComment']);
});

it('then it loses the longest of its other entries, and no more', () => {
  const photo = [bytesEntry(0x9286, 90_000), bytesEntry(0x9102, 30_000)];
  const { block, dropped, fields } = written({ ...emptyExif(), image: [make], photo });
  expect(dropped.map(({ entry }) => entry.tag)).toEqual([0x9286]);
  expect(fields).toEqual(['Make', 'CompressedBitsPerPixel']);
  expect(block.length).toBeLessThan(65_000);
});

it('of thousands of short entries it keeps what fits', () => {
  const image = Array.from({ length: 4000 }, (_, i) => bytesEntry(0x1_0000 - 4000 + i, 20));
  const { block, dropped } = written({ ...emptyExif(), image });
  expect(block.length).toBeLessThan(65_000);
  expect(dropped.length).toBeGreaterThan(1900);
  expect(dropped.length).toBeLessThan(2200);
});

it('text in UTF-8, a type of EXIF 3.0, is read and kept', () => {
  const text = { ...textEntry(0x010f, 'Züri'), type: 129 };
  const { block } = writeExifBlock({ ...emptyExif(), image: [text] });
  const [field] = describeExif(readExifBlock(block)!);
  expect(field).toMatchObject({ name: 'Make', value: 'Züri' });
  expect(block.includes(Buffer.from([129, 0, 6, 0, 0, 0]))).toBe(true);
});
