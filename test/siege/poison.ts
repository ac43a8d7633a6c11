/** Small files that are made to take time or memory, or to lie. */
import { deflateSync } from 'node:zlib';
import { jxlOfBoxes } from '../support/jxl-boxes.ts';

/** Small files: heads of 400 megapixels, text that older parsers took minutes for, chunks that lie. */
export function poison(): [string, Buffer][] {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crcOf(body));
    return Buffer.concat([length, body, crc]);
  };
  const png = (width: number, height: number, ...more: Buffer[]) => {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, 2, 0, 0, 0], 8);
    const rows = deflateSync(Buffer.alloc(Math.min(height * (width * 3 + 1), 1 << 22)));
    const magic = Buffer.from('89504e470d0a1a0a', 'hex');
    return Buffer.concat([
      magic,
      chunk('IHDR', head),
      ...more,
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  };
  const xmp = (text: string) =>
    chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.from(text)]));
  const rawProfile = (text: string) =>
    chunk(
      'zTXt',
      Buffer.concat([Buffer.from('Raw profile type iptc\0\0'), deflateSync(Buffer.from(text))]),
    );
  return [
    ['20,000 x 20,000', png(20_000, 20_000)],
    ['65,535 x 65,535', png(65_535, 65_535)],
    ['2^31 wide', png(0x7fff_ffff, 1)],
    ['no pixels', png(0, 0)],
    ['XMP of open tags', png(8, 8, xmp('<a '.repeat(70_000)))],
    ['XMP of spaces', png(8, 8, xmp(`<x:xmpmeta${' '.repeat(200_000)}`))],
    [
      'XMP of entities',
      png(8, 8, xmp(`<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]>${'&b;'.repeat(50_000)}`)),
    ],
    [
      'text that unpacks',
      png(
        8,
        8,
        chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000))])),
      ),
    ],
    ['a raw profile of blanks', png(8, 8, rawProfile(' '.repeat(900_000)))],
    ['a raw profile of lines', png(8, 8, rawProfile(`a${' \n'.repeat(450_000)}`))],
    ['instructions without end', png(8, 8, xmp('<?xml '.repeat(150_000)))],
    ['400 packed boxes', jxlOfBoxes(400)],
    [
      'a chunk that lies',
      Buffer.concat([png(8, 8).subarray(0, 40), Buffer.from('ffffffff49444154', 'hex')]),
    ],
  ];
}

function crcOf(data: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
