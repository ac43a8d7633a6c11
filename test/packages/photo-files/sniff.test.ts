import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../packages/photo-files/src/sniff.ts';

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#345' } });
const heads = {
  jpeg: () => picture.clone().jpeg().toBuffer(),
  png: () => picture.clone().png().toBuffer(),
  webp: () => picture.clone().webp().toBuffer(),
  tiff: () => picture.clone().tiff().toBuffer(),
  gif: () => picture.clone().gif().toBuffer(),
  avif: () => picture.clone().avif().toBuffer(),
};

describe('formatOf', () => {
  it.each(Object.entries(heads))('knows a %s by its first bytes', async (format, make) => {
    expect(formatOf((await make()).subarray(0, 512))).toBe(format);
  });

  it('knows both byte orders of TIFF, and BigTIFF', () => {
    for (const head of ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']) {
      expect(formatOf(Buffer.from(`${head}\0\0\0\0`, 'latin1'))).toBe('tiff');
    }
  });

  it('knows a JPEG XL picture, bare or in its container', () => {
    expect(formatOf(Buffer.from('\xff\x0a\0\0', 'latin1'))).toBe('jxl');
    expect(formatOf(Buffer.from('\0\0\0\x0cJXL \r\n\x87\n', 'latin1'))).toBe('jxl');
  });

  it('knows a HEIC photo', () => {
    const head = '\0\0\0\x18ftypheic\0\0\0\0mif1heic';
    expect(formatOf(Buffer.from(head, 'latin1'))).toBe('heic');
  });

  it('knows the still picture of a burst of HEIC photos', () => {
    const head = '\0\0\0\x1cftyphevc\0\0\0\0mif1hevcheic';
    expect(formatOf(Buffer.from(head, 'latin1'))).toBe('heic');
  });

  it.each([
    ['a BMP picture', 'BM\0\0\0\0'],
    ['a HEIF sequence without a still picture', '\0\0\0\x14ftyphevc\0\0\0\0msf1'],
    ['a video', '\0\0\0\x18ftypqt  '],
    ['a video', 'RIFF\0\x01\0\0AVI LIST'],
    ['a video', '\x1aE\xdf\xa3\x9fB\x86'],
    ['take the one without ._ before its name', '\0\x05\x16\x07\0\x02\0\0Mac OS X'],
    ['a Photoshop file', '8BPS\0\x01'],
    ['a GIMP file', 'gimp xcf v011\0'],
    ['an Affinity file', '\0\xffKA\x0b\0'],
    ['a Paint Shop Pro file', 'Paint Shop Pro Image File\n\x1a'],
    ['a PostScript or Illustrator file', '%!PS-Adobe-3.1 EPSF-3.0\r'],
    ['a JPEG XR picture', 'II\xbc\x01\x20\0\0\0'],
    ['a JPEG 2000 picture', '\xff\x4f\xff\x51\0\x2f'],
    ['a DICOM picture', `${'\0'.repeat(128)}DICM\x02`],
    ['a FITS picture', 'SIMPLE  =                    T'],
    ['a QOI picture', 'qoif\0\0\0\x08'],
    ['a web page', '<!DOCTYPE html><html><body>'],
    ['an SVG drawing', '<?xml version="1.0"?><svg xmlns="x">'],
    ['a PDF', '%PDF-1.7'],
    ['a JPEG 2000 picture', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['empty.', ''],
    ['of a kind that is not known', '\x01\x02\x03\x04'],
  ])('names %s', (what, head) => {
    expect(() => formatOf(Buffer.from(head, 'latin1'))).toThrow(
      expect.objectContaining({
        code: 'UNREADABLE_IMAGE',
        message: expect.stringContaining(what) as string,
      }),
    );
  });

  it.each([
    ['8BPS\0\x01', /a Photoshop file\. Export it as JPEG, PNG or TIFF/],
    ['%PDF-1.7', /a PDF\. Export it/],
    ['PK\u0003\u0004', /unpack it first\.$/],
    ['', /is empty\.$/],
    ['\x01\x02\x03\x04', /of a kind that is not known\.$/],
  ])('says what to do with a file that begins with %j', (head, sentence) => {
    expect(() => formatOf(Buffer.from(head, 'latin1'))).toThrow(sentence);
  });
});
