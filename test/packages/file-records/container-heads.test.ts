/** Heads of JPEG segments and of ISO boxes. */
import { describe, expect, it } from 'vitest';
import { boxesIn, readBox } from '../../../packages/file-records/src/iso-boxes.ts';
import { readSegment } from '../../../packages/file-records/src/jpeg-segments.ts';
import { bytesInMemory } from '../../../packages/file-records/src/tiff/tiff-directory.ts';

const box = (type: string, content: Buffer, size = 8 + content.length) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};

describe('a box', () => {
  const small = box('free', Buffer.from('abc'));
  const long = Buffer.concat([box('mdat', Buffer.alloc(8), 1), Buffer.from('picture')]);
  long.writeBigUInt64BE(BigInt(long.length), 8);

  it('has its length in 32 bits, in 64 bits, or reaches to the end', () => {
    expect(readBox(small, 100, 111)).toEqual({ type: 'free', at: 108, end: 111 });
    expect(readBox(long, 0, long.length)).toEqual({ type: 'mdat', at: 16, end: long.length });
    expect(readBox(box('jxlc', Buffer.alloc(0), 0), 5, 50)).toEqual({
      type: 'jxlc',
      at: 13,
      end: 50,
    });
  });

  it('is none where it is cut short, too short for its head, or reaches beyond what contains it', () => {
    expect(readBox(small.subarray(0, 7), 0, 11)).toBeUndefined();
    expect(readBox(box('free', Buffer.alloc(0), 7), 0, 50)).toBeUndefined();
    expect(readBox(small, 0, 10)).toBeUndefined();
    expect(readBox(long.subarray(0, 15), 0, 50)).toBeUndefined();
  });

  it('is followed by the next one, up to the first that is not complete', () => {
    const file = Buffer.concat([small, long, small.subarray(0, -1)]);
    const types = (max: number) =>
      boxesIn(bytesInMemory(file), 0, file.length, max).map(({ type }) => type);
    expect(types(10)).toEqual(['free', 'mdat']);
    expect(types(1)).toEqual(['free']);
  });
});

describe('a segment', () => {
  it('has its payload behind its length', () => {
    expect(readSegment(Buffer.from([0xff, 0xe1, 0, 10]), 2)).toEqual({
      marker: 0xe1,
      at: 6,
      end: 14,
    });
  });

  it('may be preceded by fill bytes', () => {
    expect(readSegment(Buffer.from([0xff, 0xff, 0xe1, 0]), 2)).toEqual({
      marker: 0xff,
      at: 3,
      end: 3,
    });
  });

  it.each([
    ['another byte than a marker', [0x00, 0xe1, 0, 10]],
    ['a marker without a payload', [0xff, 0xd9, 0, 10]],
    ['a length shorter than itself', [0xff, 0xe1, 0, 1]],
    ['the end of the file', [0xff, 0xe1, 0]],
  ])('is none at %s', (_, head) => {
    expect(readSegment(Buffer.from(head), 2)).toBeUndefined();
  });
});
