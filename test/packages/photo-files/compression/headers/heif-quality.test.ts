/**
 * Reads compression from the heads of HEICs: one by libheif and x265, and others made bit by bit (H.265,
 * 7.3).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFileCompression } from '../../../../../packages/photo-files/src/compression/file-compression.ts';
import { heicQuantiserOf } from '../../../../../packages/photo-files/src/compression/headers/heif-quality.ts';
import { bytesInMemory } from '../../../../../packages/file-records/src/tiff/tiff-directory.ts';
import { damage, randomFrom } from '../../../../support/damaged.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const folder = temporaryFolder();
const quantiserIn = (file: Buffer) => heicQuantiserOf(bytesInMemory(file));

/** 64 x 64 pixels made here, by heif-enc -q 35: its slice says 26 + 3. */
const ofX265 = Buffer.from(
  [
    'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA',
    'AAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAABdAAAACNpaW5mAAAAAAABAAAAFWluZmUC',
    'AAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNw',
    'AAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHB',
    'crAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAF8bWRhdAAA',
    'AXAoAa82lFI8KXsQ5zqTkVeDKKjzBfM4Pd6gP3aETlg4B7Nm0MhskYZVsXjVhOmFvpK25pFAJpsR1pia8A4dmEBJ4axnbv8P',
    '+6VtE6oftWRmQ7VEQGtRRq92ePhOkv5mt5SUhNHvwyzeDhsNDY+8qGLf4qRKrraL1MTrV3pn9W4sSnqSVaK5cPy062S09OP2',
    'B1fiyaxwg8F2uRT/HdXzdilc5590g902u4Nj+hIKywAQVvt3oOEC549mQom0sZhWRt5eFcmeUC89GsAItyfHcrqSl22fkglj',
    'VxThyj/GllKBmqocL7JsgBYQx5XHK+qaiq3c5Fqqz7vdmAAWWz9/+EXFA1gkCvyQHHl+yo5EthhnYE75yczorET2syvFd8Us',
    'IuhC/15EZrv80e+B7fmiE25WTsKSCsjC7anIQLnuTbcwuyd5XnZ2dNlD2P8DgbPmSMRBdBQPyoRTJYd82+eIZphgqXQjlhrw',
    '0SNCWvSpJMSkhw==',
  ].join(''),
  'base64',
);

/** Numbers as a header writes them, to the end of a byte. */
function bits(...values: (string | number | { signed: number })[]): Buffer {
  const grown = (value: number) => {
    const digits = (value + 1).toString(2);
    return '0'.repeat(digits.length - 1) + digits;
  };
  const text = values
    .map((value) => {
      if (typeof value === 'string') return value.replaceAll(' ', '');
      if (typeof value === 'number') return grown(value);
      return grown(value.signed > 0 ? 2 * value.signed - 1 : -2 * value.signed);
    })
    .join('');
  // A one ends a header, and zeros fill its last byte.
  const whole = `${text}1`.padEnd(8 * Math.ceil((text.length + 1) / 8), '0');
  return Buffer.from(whole.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
}

/** Makes a unit of a kind, with a byte 3 wherever two zeros would look like the start of a unit. */
function unit(kind: number, payload: Buffer, layer = 0): Buffer {
  const bytes: number[] = [];
  for (const byte of payload) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return Buffer.from([(kind << 1) | (layer >> 5), ((layer & 31) << 3) | 1, ...bytes]);
}

interface Head {
  format?: number;
  hasPlanes?: boolean;
  furtherLayers?: number;
  /** The bits of scaling lists, which have a step of their own for each frequency. */
  scaling?: string;
  hasOffsets?: boolean;
  hasOutputFlag?: boolean;
  extraBits?: number;
  picture?: number;
  ownDepth?: boolean;
  mayBeLossless?: boolean;
  kind?: number;
  isFirst?: boolean;
  sliceKind?: number;
  slice?: number;
}

function unitsOf(head: Head): { sequence: Buffer; picture: Buffer; slice: Buffer } {
  const { format = 1, hasPlanes = false, furtherLayers = 0, scaling = '0' } = head;
  const flag = (is = false) => (is ? '1' : '0');
  const layers =
    '10'.repeat(furtherLayers) + '00'.repeat(furtherLayers > 0 ? 8 - furtherLayers : 0);
  const sequence = bits(
    '0000',
    furtherLayers.toString(2).padStart(3, '0'),
    `1 ${'0'.repeat(96)} ${layers} ${'0'.repeat(88 * furtherLayers)}`,
    0,
    format,
    format === 3 ? flag(hasPlanes) : '',
    ...[4032, 3024],
    '1',
    ...[0, 1, 0, 2],
    ...[0, 0, 4],
    '1',
    ...Array.from({ length: 3 * (furtherLayers + 1) }, () => 0),
    ...[0, 3, 0, 3, 0, 0],
    scaling,
    '0',
    flag(head.hasOffsets ?? true),
  );
  const picture = bits(
    0,
    0,
    `0 ${flag(head.hasOutputFlag)}`,
    (head.extraBits ?? 0).toString(2).padStart(3, '0'),
    '00',
    0,
    0,
    { signed: (head.picture ?? 26) - 26 },
    '00',
    ...(head.ownDepth ? ['1', 1] : ['0']),
    { signed: -2 },
    { signed: 3 },
    '000',
    flag(head.mayBeLossless),
  );
  const offsets = format === 0 || hasPlanes ? '1' : '10';
  const slice = bits(
    `${flag(head.isFirst ?? true)} 0`,
    0,
    '0'.repeat(head.extraBits ?? 0),
    head.sliceKind ?? 2,
    head.hasOutputFlag ? '1' : '',
    hasPlanes ? '00' : '',
    (head.hasOffsets ?? true) ? offsets : '',
    { signed: head.slice ?? 0 },
  );
  return {
    sequence: unit(33, sequence),
    picture: unit(34, picture),
    slice: unit(head.kind ?? 20, slice),
  };
}

const number = (value: number, size: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]) => {
  const inside = Buffer.concat(parts);
  return Buffer.concat([number(8 + inside.length, 4), Buffer.from(type, 'latin1'), inside]);
};
const whole = Buffer.alloc(4);

function configuration(units: Buffer[]): Buffer {
  const head = Buffer.alloc(23);
  head[21] = 3;
  head[22] = units.length;
  const arrays = units.map((one) =>
    Buffer.concat([number((one[0] ?? 0) >> 1, 1), number(1, 2), number(one.length, 2), one]),
  );
  return Buffer.concat([head, ...arrays]);
}

interface Layout {
  /** The primary item is a grid of two tiles, of which this comes first. */
  isGrid?: boolean;
  /** Parameters stand with the slice, not in the boxes. */
  isInBand?: boolean;
  isInIdat?: boolean;
}

/** Item 1 is the picture, item 2 another one that is much coarser; item 3 may be a grid of both. */
function heic(head: Head, layout: Layout = {}): Buffer {
  const { sequence, picture, slice } = unitsOf(head);
  const parameters = [sequence, picture];
  const lengths = (units: Buffer[]) =>
    Buffer.concat(units.flatMap((one) => [number(one.length, 4), one]));
  const data = lengths(layout.isInBand ? [...parameters, slice] : [slice]);
  const coarse = lengths([unitsOf({ ...head, slice: 20 }).slice]);
  const ids = { primary: layout.isGrid ? 3 : 1 };
  const meta = (at: number) =>
    box(
      'meta',
      whole,
      box('pitm', whole, number(ids.primary, 2)),
      box(
        'iloc',
        number(layout.isInIdat ? 1 : 0, 1),
        Buffer.alloc(3),
        Buffer.from([0x44, 0]),
        number(2, 2),
        ...[coarse, data].flatMap((one, i) => [
          number(2 - i, 2),
          ...(layout.isInIdat ? [number(1, 2)] : []),
          number(0, 2),
          number(1, 2),
          number(at + i * coarse.length, 4),
          number(one.length, 4),
        ]),
      ),
      box(
        'iref',
        whole,
        box('thmb', number(2, 2), number(1, 2), number(1, 2)),
        ...(layout.isGrid
          ? [box('dimg', number(3, 2), number(2, 2), number(1, 2), number(2, 2))]
          : []),
      ),
      box(
        'iprp',
        box(
          'ipco',
          box('ispe', Buffer.alloc(12)),
          box('hvcC', configuration(layout.isInBand ? [] : parameters)),
        ),
        box('ipma', whole, number(2, 4), Buffer.from([0, 2, 1, 1, 0, 1, 2, 1, 0x82])),
      ),
      ...(layout.isInIdat ? [box('idat', coarse, data)] : []),
    );
  const front = Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')), meta(0)]);
  const at = layout.isInIdat ? 0 : front.length + 8;
  return Buffer.concat([front.subarray(0, 24), meta(at), box('mdat', coarse, data)]);
}

describe('the quantiser of a HEIC', () => {
  it('is what x265 wrote', () => {
    expect(quantiserIn(ofX265)).toBe(29);
  });

  it.each<[string, Head, number]>([
    ['as the picture says', { picture: 31 }, 31],
    ['coarser in its slice', { picture: 22, slice: 9 }, 31],
    ['finer in its slice', { slice: -12 }, 14],
    ['of grey', { format: 0, slice: 5 }, 31],
    ['of full colour', { format: 3, slice: 5 }, 31],
    ['of colours as pictures of their own', { format: 3, hasPlanes: true, slice: 5 }, 31],
    ['without offsets', { hasOffsets: false, slice: 5 }, 31],
    ['with further layers', { furtherLayers: 2, slice: 5 }, 31],
    ['with flags before it', { hasOutputFlag: true, extraBits: 3, slice: 5 }, 31],
    ['of blocks with their own', { ownDepth: true, slice: 5 }, 31],
    ['of the first kind', { kind: 19, slice: 5 }, 31],
    ['with scaling by default', { scaling: '10', slice: 5 }, 31],
    ['with scaling like another', { scaling: `11${'01'.repeat(20)}`, slice: 5 }, 31],
    [
      'with scaling of its own',
      { scaling: `11${'1'.repeat(17 * 6 + 65 * 6 + 66 * 8)}`, slice: 5 },
      31,
    ],
  ])('is read %s', (_, head, expected) => {
    expect(quantiserIn(heic(head))).toBe(expected);
  });

  it("is that of a grid's first tile, of data in a box, and of parameters beside the picture", () => {
    expect(quantiserIn(heic({ slice: 4 }, { isGrid: true }))).toBe(30);
    expect(quantiserIn(heic({ slice: 4 }, { isInIdat: true }))).toBe(30);
    expect(quantiserIn(heic({ slice: 4 }, { isInBand: true }))).toBe(30);
  });

  it.each<[string, Head]>([
    ['that may be without loss', { mayBeLossless: true }],
    ['of a slice that needs other pictures', { sliceKind: 1 }],
    ['of a picture in an order', { kind: 21 }],
    ['whose first slice is missing', { isFirst: false }],
    ['beyond the range', { slice: 60 }],
  ])('is missing in one %s', (_, head) => {
    expect(quantiserIn(heic(head))).toBeUndefined();
  });

  it.each([
    ['x265', ofX265],
    ['a grid', heic({ slice: 4 }, { isGrid: true })],
  ])('is missing where one of %s is cut short before it', (_, file) => {
    const at = file.indexOf('mdat', 0, 'latin1') + 4;
    for (let length = 0; length <= at; length += 1)
      expect(quantiserIn(file.subarray(0, length))).toBeUndefined();
  });

  it('is never more than a number of its range in what was damaged', () => {
    const random = randomFrom(3);
    for (let turn = 0; turn < 4000; turn += 1) {
      const found = quantiserIn(damage(turn % 2 ? ofX265 : heic({}, { isGrid: true }), random));
      expect(found === undefined || (found >= -48 && found <= 51)).toBe(true);
    }
  });

  it('is told as the quality of a JPEG that looks alike, the lower the coarser', () => {
    const told = [-12, -4, 0, 6, 14, 25].map((slice, i) => {
      const path = join(folder, `${i}.heic`);
      writeFileSync(path, heic({ slice }));
      return readFileCompression(path, 'heic');
    });
    const qualities = told.map((one) => (one.kind === 'equivalent' ? one.quality : NaN));
    expect(qualities).toEqual(qualities.toSorted((a, b) => b - a));
    expect(qualities[0]).toBeGreaterThan(93);
    expect(qualities.at(-1)).toBeLessThan(25);
    const path = join(folder, 'lossless.heic');
    writeFileSync(path, heic({ mayBeLossless: true }));
    expect(readFileCompression(path, 'heic')).toEqual({ kind: 'unsaid' });
  });
});
