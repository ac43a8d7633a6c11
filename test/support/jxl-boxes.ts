/** JPEG XL files that are made to take memory. */
import { brotliCompressSync } from 'node:zlib';

/** A JPEG XL without a picture, whose boxes of metadata unpack to eight megabytes each. */
export function jxlOfBoxes(count: number): Buffer {
  const packed = Buffer.concat([
    Buffer.from('Exif'),
    brotliCompressSync(Buffer.alloc(8 * 1024 ** 2)),
  ]);
  const head = Buffer.from('\0\0\0\0brob', 'latin1');
  head.writeUInt32BE(8 + packed.length);
  const signature = Buffer.from('0000000c4a584c200d0a870a', 'hex');
  return Buffer.concat([signature, ...Array.from({ length: count }, () => [head, packed]).flat()]);
}
