/**
 * Bytes in the shape of EXIF, TIFF, profiles, IPTC and chunks with false contents are read or refused in
 * time.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  commentsOf,
  readSegments,
  xmpOf,
} from '../../../../packages/photo-files/src/metadata/containers/jpeg-segments.ts';
import { readJxlMetadata } from '../../../../packages/photo-files/src/metadata/containers/jxl-boxes.ts';
import {
  readResources,
  iptcOf,
} from '../../../../packages/photo-files/src/metadata/containers/photoshop.ts';
import {
  readChunks,
  textOfChunk,
} from '../../../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import {
  describeIptc,
  describeProfile,
} from '../../../../packages/photo-files/src/metadata/describe.ts';
import { describeExif } from '../../../../packages/photo-files/src/metadata/exif/describe-exif.ts';
import { readExifBlock } from '../../../../packages/photo-files/src/metadata/exif/read-exif.ts';
import { ofTiff } from '../../../../packages/photo-files/src/metadata/source-metadata.ts';
import {
  isRawTiff,
  isCompleteRaw,
} from '../../../../packages/file-records/src/tiff/sensor-data.ts';
import { readRawExif } from '../../../../packages/photo-files/src/metadata/tiff/raw-metadata.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const size = 1_000_000;
const maxMs = 1000;
let folder = '';
beforeAll(() => void (folder = temporaryFolder()));

function inFile<T>(read: (path: string) => T): (bytes: Buffer) => T {
  return (bytes) => {
    const path = join(folder, 'a');
    writeFileSync(path, bytes);
    return read(path);
  };
}

const readers: Record<string, (bytes: Buffer) => unknown> = {
  EXIF: (bytes) => {
    const model = readExifBlock(bytes);
    return model && describeExif(model);
  },
  TIFF: inFile((path) => ofTiff(path)),
  RAW: inFile((path) => (isRawTiff(path) ? [isCompleteRaw(path), readRawExif(path)] : undefined)),
  Photoshop: (bytes) => iptcOf(readResources(bytes)),
  IPTC: describeIptc,
  ICC: describeProfile,
  'PNG chunks': inFile((path) => readChunks(path).text.map((chunk) => textOfChunk(chunk, 65_536))),
  'JPEG segments': inFile((path) => {
    const segments = readSegments(path);
    return [xmpOf(segments), commentsOf(segments)];
  }),
  'JPEG XL boxes': inFile((path) => readJxlMetadata(path)),
};

/** Each kind begins with its right bytes, so that more is read than those. */
const heads = [
  '',
  '4578696600004949 2a0008000000',
  '49492a0008000000',
  '4d4d002a00000008',
  '49492b00080000001000000000000000',
  '89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc',
  'ffd8ffe1',
  '0000000c4a584c200d0a870a',
  '3842494d040400000000',
  '1c0219',
].map((text) => Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** The numbers are what directories are made of: small counts, offsets near the start, and ends of ranges. */
const word = fc.oneof(
  fc.constantFrom(
    ...[
      '0000',
      '0100',
      '0001',
      '0200',
      '0400',
      '0c00',
      'ffff',
      'feff',
      '6987',
      '2588',
      '7c92',
      '4b86',
    ],
  ),
  fc.constantFrom(
    ...['00000008', '08000000', 'ffffffff', '00000000', '00010000', '7fffffff', '10000000'],
  ),
  fc.constantFrom(
    ...[
      '74455874',
      '69545874',
      '7a545874',
      '4578696600',
      '6a78 6c20',
      '62726f62',
      'fffe0004',
      '1c025500ff',
    ],
  ),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex')),
);
const part = fc
  .array(word, { minLength: 1, maxLength: 40 })
  .map((words) => Buffer.from(words.join('').replaceAll(' ', ''), 'hex'));

/** Measures the processor's time of this thread, in which other programs do not count. */
function costMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  try {
    work();
  } catch (thrown) {
    // A reader may refuse the bytes, but not fail as a program does that reads outside them.
    if (thrown instanceof TypeError || thrown instanceof RangeError) throw thrown;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  it('of a few bytes that lie is read or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...heads), part, (head, tail) => {
        expect(costMs(() => read(Buffer.concat([head, tail])))).toBeLessThan(maxMs);
      }),
      { numRuns: 300 },
    );
  });

  it('of a megabyte made of the same bytes again and again takes no longer than a second', () => {
    fc.assert(
      fc.property(fc.constantFrom(...heads), part, (head, tail) => {
        const bytes = Buffer.concat([head, Buffer.alloc(size, tail.length > 0 ? tail : '\0')]);
        expect(costMs(() => read(bytes))).toBeLessThan(maxMs);
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

it('reads no more than a thousand text chunks of a PNG', () => {
  const empty = Buffer.concat([Buffer.alloc(4), Buffer.from('zTXt'), Buffer.alloc(4)]);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const count = inFile((path) => readChunks(path).text.length);
  expect(count(Buffer.concat([signature, Buffer.alloc(1001 * empty.length, empty)]))).toBe(1000);
  expect(count(Buffer.concat([signature, Buffer.alloc(999 * empty.length, empty)]))).toBe(999);
});
