/** Pictures of inks (CMYK), made here byte by byte so that every ink in them is known. */

/** Cyan, magenta, yellow and black, 0-255, 255 is full ink. */
export type Ink = readonly [number, number, number, number];

/** A JPEG's patch. */
const patchPx = 8;

/**
 * A JPEG in YCCK as Adobe's programs write it: inks inverted, the first three as YCbCr, told by the APP14
 * marker. A row of 8 x 8 patches of one ink each, quantised by 1, so that decoders meet these inks to a level.
 * ITU-T T.81; Adobe technical note 5116.
 */
export function ycckJpegOf(inks: readonly Ink[]): Buffer {
  const width = inks.length * patchPx;
  const segments = [
    segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 2]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc0, [8, 0, patchPx, width >> 8, width & 255, 4, ...ids((id) => [id, 0x11, 0])]),
    // DC: twelve sizes of a difference, all in codes of four bits. AC: nothing but the end of a block.
    segment(0xc4, [0x00, ...lengthsOf(4, 12), ...Array(12).keys()]),
    segment(0xc4, [0x10, ...lengthsOf(1, 1), 0]),
    segment(0xda, [4, ...ids((id) => [id, 0]), 0, 63, 0]),
  ];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments,
    scanOf(inks),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const ids = (each: (id: number) => number[]) => [1, 2, 3, 4].flatMap(each);
const lengthsOf = (bits: number, count: number) =>
  Array.from({ length: 16 }, (_, i) => (i + 1 === bits ? count : 0));

function segment(marker: number, payload: readonly number[]): Buffer {
  const size = payload.length + 2;
  return Buffer.from([0xff, marker, size >> 8, size & 255, ...payload]);
}

function scanOf(inks: readonly Ink[]): Buffer {
  const last = [0, 0, 0, 0];
  const bits = inks.flatMap((ink) =>
    componentsOf(ink).map((value, i) => {
      const level = 8 * (value - 128);
      const code = dcBits(level - last[i]!) + '0';
      last[i] = level;
      return code;
    }),
  );
  const whole = bits.join('');
  const padded = whole.padEnd(Math.ceil(whole.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g)!.map((byte) => parseInt(byte, 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** As they stand in the file. */
function componentsOf([c, m, y, k]: Ink): number[] {
  return [
    0.299 * c + 0.587 * m + 0.114 * y,
    128 - 0.168736 * c - 0.331264 * m + 0.5 * y,
    128 + 0.5 * c - 0.418688 * m - 0.081312 * y,
    255 - k,
  ].map((value) => Math.min(255, Math.round(value)));
}

/** The size of a difference in four bits, then the difference. */
function dcBits(difference: number): string {
  const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const value = difference < 0 ? difference + 2 ** size - 1 : difference;
  const bits = size === 0 ? '' : value.toString(2).padStart(size, '0');
  return size.toString(2).padStart(4, '0') + bits;
}

/** The same patches as an uncompressed TIFF of inks, which says nothing of a profile. */
export function inksTiffOf(inks: readonly Ink[]): Buffer {
  const width = inks.length * patchPx;
  const fields: [tag: number, type: number, count: number, value: number][] = [
    [0x0100, 4, 1, width],
    [0x0101, 4, 1, patchPx],
    [0x0102, 3, 4, 8 + 2 + 9 * 12 + 4],
    [0x0103, 3, 1, 1],
    [0x0106, 3, 1, 5],
    [0x0111, 4, 1, 8 + 2 + 9 * 12 + 4 + 8],
    [0x0115, 3, 1, 4],
    [0x0116, 4, 1, patchPx],
    [0x0117, 4, 1, width * patchPx * 4],
  ];
  const head = Buffer.alloc(8 + 2 + fields.length * 12 + 4 + 8);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(fields.length, 8);
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    head.writeUInt16LE(tag, 10 + i * 12);
    head.writeUInt16LE(type, 12 + i * 12);
    head.writeUInt32LE(count, 14 + i * 12);
    head.writeUInt32LE(value, 18 + i * 12);
  }
  for (let i = 0; i < 4; i += 1) head.writeUInt16LE(8, head.length - 8 + 2 * i);
  const row = Buffer.concat(inks.flatMap((ink) => Array<Buffer>(patchPx).fill(Buffer.from(ink))));
  return Buffer.concat([head, ...Array<Buffer>(patchPx).fill(row)]);
}
