/** Detects a file's format by its first bytes. Only the formats in `readable` are passed to a decoder. */
import { otherKindSentence } from '../../contract/src/error-messages.ts';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { ReadableFormat } from '../../contract/src/formats.ts';
import { withFileBytes } from '../../file-records/src/index.ts';

type HeadTest = (head: Buffer) => boolean;

const bytes =
  (at: number, ...expected: number[]): HeadTest =>
  (head) =>
    expected.every((byte, i) => head[at + i] === byte);
const text =
  (at: number, ...expected: string[]): HeadTest =>
  (head) =>
    expected.some((word) => head.toString('latin1', at, at + word.length) === word);
const both =
  (a: HeadTest, b: HeadTest): HeadTest =>
  (head) =>
    a(head) && b(head);

/** Major brands of files that are HEIC if a compatible brand says so: still pictures and sequences. */
const heifBrands = ['mif1', 'msf1', 'heif', 'hevc', 'hevx'];

const readable: [ReadableFormat, HeadTest][] = [
  ['jpeg', both(bytes(0, 0xff, 0xd8), (head) => hasMarkerNear(head))],
  ['png', bytes(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['webp', both(text(0, 'RIFF'), text(8, 'WEBP'))],
  ['tiff', (head) => isTiff(head)],
  ['gif', text(0, 'GIF87a', 'GIF89a')],
  ['avif', both(text(4, 'ftyp'), text(8, 'avif', 'avis'))],
  ['avif', both(both(text(4, 'ftyp'), text(8, 'mif1', 'miaf')), (h) => h.includes('avif'))],
  ['heic', both(text(4, 'ftyp'), text(8, 'heic', 'heix', 'heim', 'heis'))],
  ['heic', both(both(text(4, 'ftyp'), text(8, ...heifBrands)), (h) => h.includes('heic'))],
  ['raw', both(text(4, 'ftyp'), text(8, 'crx '))],
  ['raw', text(0, 'FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'MMOR', 'IIU\0')],
  ['raw', text(0, 'II\x1a\0\0\0HEAPCCDR', '\0MRM', 'FOVb')],
  ['jxl', bytes(0, 0xff, 0x0a)],
  ['jxl', both(text(4, 'JXL '), bytes(8, 0x0d, 0x0a, 0x87, 0x0a))],
  ['bmp', (head) => isBmp(head)],
];

/** Stray bytes that firmware may leave between a JPEG's first two markers. */
const maxStrayBytes = 32;

const hasMarkerNear = (head: Buffer) =>
  head
    .subarray(2, 2 + maxStrayBytes)
    .some((byte, i) => byte === 0xff && (head[i + 3] ?? 0) >= 0xc0);

const bmpHeaderBytes = [12, 16, 40, 52, 56, 64, 108, 124];

const isBmp = (head: Buffer) =>
  head.toString('latin1', 0, 2) === 'BM' && bmpHeaderBytes.includes(head.readUInt32LE(14));

/** Classic TIFF and BigTIFF in both byte orders. */
function isTiff(head: Buffer): boolean {
  const order = head.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return false;
  const version = order === 'II' ? head.readUInt16LE(2) : head.readUInt16BE(2);
  return version === 42 || version === 43;
}

/** Names of unreadable kinds, which tell people what to convert. */
const known: [string, HeadTest][] = [
  ['a HEIF sequence without a still picture', both(text(4, 'ftyp'), text(8, ...heifBrands))],
  ['a JPEG 2000 picture', text(4, 'jP  ')],
  ['a video', text(4, 'ftyp')],
  ['a video', both(text(0, 'RIFF'), text(8, 'AVI '))],
  ['a video', bytes(0, 0x1a, 0x45, 0xdf, 0xa3)],
  [
    'what macOS keeps beside a photo (AppleDouble); take the one without ._ before its name',
    bytes(0, 0, 5, 0x16, 7),
  ],
  ['a BMP picture of a kind that is not read', text(0, 'BM')],
  ['an icon', bytes(0, 0, 0, 1, 0)],
  ['a Photoshop file', text(0, '8BPS')],
  ['a GIMP file', text(0, 'gimp xcf ')],
  ['an Affinity file', bytes(0, 0x00, 0xff, 0x4b, 0x41)],
  ['a Paint Shop Pro file', text(0, 'Paint Shop Pro Image File')],
  ['a PostScript or Illustrator file', text(0, '%!PS')],
  ['a JPEG XR picture', bytes(0, 0x49, 0x49, 0xbc)],
  ['a JPEG 2000 picture', bytes(0, 0xff, 0x4f, 0xff, 0x51)],
  ['a DICOM picture', text(128, 'DICM')],
  ['a FITS picture', text(0, 'SIMPLE  =')],
  ['a QOI picture', text(0, 'qoif')],
  ['an OpenEXR picture', bytes(0, 0x76, 0x2f, 0x31, 0x01)],
  ['a Radiance HDR picture', text(0, '#?RADIANCE', '#?RGBE')],
  ['a DirectDraw texture', text(0, 'DDS ')],
  ['a Netpbm picture', (head) => /^P[1-7]\s+[#\d]/.test(head.toString('latin1', 0, 8))],
  ['a PDF', text(0, '%PDF')],
  ['an SVG drawing', (head) => /<svg[\s>]/i.test(head.toString('latin1'))],
  ['a web page', (head) => /<(!doctype html|html|head|body)[\s>]/i.test(head.toString('latin1'))],
  ['a ZIP archive; unpack it first', text(0, 'PK\u0003\u0004')],
  [
    'a text',
    (head) => head.every((byte) => byte === 9 || byte === 10 || byte === 13 || byte >= 32),
  ],
];

/**
 * @param head the first 512 bytes suffice
 *
 * @throws EnlargerError UNREADABLE_IMAGE with the name of what was found
 */
export function formatOf(head: Buffer): ReadableFormat {
  const padded = Buffer.concat([head, Buffer.alloc(Math.max(0, 32 - head.length))]);
  const found = readable.find(([, test]) => test(padded));
  if (found) return found[0];
  const what =
    head.length === 0
      ? 'empty'
      : (known.find(([, test]) => test(head.length < 32 ? padded : head))?.[0] ??
        'of a kind that is not known');
  throw new EnlargerError('UNREADABLE_IMAGE', otherKindSentence(what));
}

export const readHead = (path: string): Buffer =>
  withFileBytes(path, (bytes) => bytes.read(0, 512));
