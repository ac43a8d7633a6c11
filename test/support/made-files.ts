/** Files of formats that sharp cannot write, made here byte by byte. */
import type { Pixels } from './images.ts';

/** A BMP of 24 bits, its rows from below. */
export function bmpOf({ data, width, height }: Pixels): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  [54, 40, width, height].forEach((value, i) => file.writeUInt32LE(value, 10 + 4 * i));
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      const to = 54 + (height - 1 - y) * stride + x * 3;
      for (let c = 0; c < 3; c += 1) file[to + 2 - c] = data[from + c]!;
    }
  }
  return file;
}

type Field = [tag: number, type: 1 | 2 | 3 | 4 | 5 | 10, values: number[] | string];
const bytesOf = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8 } as const;

/** A BMP of 8 bits. Its palette holds the greys unless colours, as blue, green and red, take their place. */
export function paletteBmpOf(
  { data, width, height }: Pixels,
  colourOf: (index: number) => readonly [number, number, number] = (i) => [i, i, i],
): Buffer {
  const stride = Math.ceil(width / 4) * 4;
  const at = 54 + 1024;
  const file = Buffer.alloc(at + stride * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  [at, 40, width, height].forEach((value, i) => file.writeUInt32LE(value, 10 + 4 * i));
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(8, 28);
  for (let i = 0; i < 256; i += 1) file.set(colourOf(i), 54 + 4 * i);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      file[at + (height - 1 - y) * stride + x] = data[y * width + x]!;
  return file;
}

const bayerPattern: Field[] = [
  [0x828d, 3, [2, 2]],
  [0x828e, 1, [0, 1, 1, 2]],
];

interface DngOptions {
  /** EXIF orientation, 1 to 8. */
  orientation?: number;
  /** How many times as wide as high a pixel is: a fraction. */
  aspect?: [over: number, under: number];
  /** White as the sensor sees it: AsShotNeutral. */
  neutral?: readonly number[];
  /** XYZ to the sensor's colours: ColorMatrix1, row by row. */
  matrix?: readonly number[];
  /** Colours of each site: one of a Bayer pattern, or three (LinearRaw). */
  bands?: 1 | 3;
  /** Further integers, after which no others follow in the order of tags. */
  furtherFields?: [tag: number, type: 3 | 4, values: number[]][];
}

/**
 * A DNG of one Bayer pattern, 16 bits: every sensor site has the same value, or what the function says for its
 * place on the sensor and its band.
 */
export function dngOf(
  width: number,
  height: number,
  value: number | ((x: number, y: number, band: number) => number),
  {
    orientation = 1,
    aspect = [1, 1],
    neutral = [1, 1, 1],
    matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1],
    bands = 1,
    furtherFields = [],
  }: DngOptions = {},
): Buffer {
  const fractions = (values: readonly number[]) =>
    values.flatMap((value) => [Math.round(value * 10_000), 10_000]);
  const fields: Field[] = [
    [0x00fe, 4, [0]],
    [0x0100, 4, [width]],
    [0x0101, 4, [height]],
    [0x0102, 3, Array<number>(bands).fill(16)],
    [0x0103, 3, [1]],
    [0x0106, 3, [bands === 1 ? 32_803 : 34_892]],
    [0x010f, 2, 'Enlarger'],
    [0x0110, 2, 'Test DNG'],
    [0x0111, 4, [0]],
    [0x0112, 3, [orientation]],
    [0x0115, 3, [bands]],
    [0x0116, 4, [height]],
    [0x0117, 4, [width * height * bands * 2]],
    ...(bands === 1 ? bayerPattern : []),
    [0x8298, 2, '(c) Jane Doe'],
    [0xc612, 1, [1, 4, 0, 0]],
    [0xc614, 2, 'Enlarger Test DNG'],
    [0xc61d, 4, Array<number>(bands).fill(65_535)],
    [0xc61e, 5, [...aspect, 1, 1]],
    [0xc621, 10, fractions(matrix)],
    [0xc628, 5, fractions(neutral)],
    [0xc65a, 3, [21]],
    ...furtherFields,
  ];
  const directoryBytes = 2 + fields.length * 12 + 4;
  const values = fields.map((field) => valueBytes(field));
  const outside = values.filter((bytes) => bytes.length > 4);
  const pixelsAt =
    8 + directoryBytes + outside.reduce((sum, b) => sum + b.length + (b.length % 2), 0);
  const file = Buffer.alloc(pixelsAt + width * height * bands * 2);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(fields.length, 8);
  let free = 8 + directoryBytes;
  for (const [i, field] of fields.entries()) {
    const [tag, type] = field;
    const at = 10 + i * 12;
    const bytes = values[i]!;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(bytes.length / bytesOf[type], at + 4);
    if (tag === 0x0111) file.writeUInt32LE(pixelsAt, at + 8);
    else if (bytes.length <= 4) bytes.copy(file, at + 8);
    else {
      file.writeUInt32LE(free, at + 8);
      bytes.copy(file, free);
      free += bytes.length + (bytes.length % 2);
    }
  }
  for (let i = 0; i < width * height * bands; i += 1) {
    const site = Math.floor(i / bands);
    const [x, y] = [site % width, Math.floor(site / width)];
    file.writeUInt16LE(
      typeof value === 'number' ? value : value(x, y, i % bands),
      pixelsAt + i * 2,
    );
  }
  return file;
}

function valueBytes([, type, values]: Field): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`, 'latin1');
  const size = type === 1 ? 1 : type === 3 ? 2 : 4;
  const bytes = Buffer.alloc(values.length * size);
  for (const [i, value] of values.entries())
    if (value < 0) bytes.writeIntLE(value, i * size, size);
    else bytes.writeUIntLE(value, i * size, size);
  return bytes;
}

interface TiffOptions {
  bits: 8 | 16;
  bands: number;
  /** As TIFF counts colours: 2 is RGB, 5 are inks, 8 and 9 are L*a*b*. */
  photometric: number;
  /** Pixels of a tile's side; absent: one strip a plane. */
  tile?: number;
  isInPlanes?: boolean;
  bigEndian?: boolean;
  /** The white of L*a*b*. */
  white?: readonly [x: number, y: number];
}

/** A TIFF without compression. `sampleAt` gives what is stored, as it is stored. */
export function tiffOf(
  width: number,
  height: number,
  sampleAt: (x: number, y: number, band: number) => number,
  { bits, bands, photometric, tile, isInPlanes, bigEndian, white }: TiffOptions,
): Buffer {
  const put16 = (buffer: Buffer, value: number, at: number) =>
    bigEndian ? buffer.writeUInt16BE(value, at) : buffer.writeUInt16LE(value, at);
  const put32 = (buffer: Buffer, value: number, at: number) =>
    bigEndian ? buffer.writeUInt32BE(value, at) : buffer.writeUInt32LE(value, at);
  const all = Array.from({ length: bands }, (_, band) => band);
  const [wide, high] = tile ? [tile, tile] : [width, height];
  const chunks = (isInPlanes ? all.map((band) => [band]) : [all]).flatMap((some) => {
    const found: Buffer[] = [];
    for (let top = 0; top < height; top += high)
      for (let left = 0; left < width; left += wide) {
        const chunk = Buffer.alloc((wide * high * some.length * bits) / 8);
        let at = 0;
        for (let i = 0; i < wide * high; i += 1)
          for (const band of some) {
            const [x, y] = [left + (i % wide), top + Math.floor(i / wide)];
            // What a tile holds beside the picture is no part of it.
            const value = x < width && y < height ? sampleAt(x, y, band) : 77;
            if (bits === 16) put16(chunk, value, at);
            else chunk[at] = value;
            at += bits / 8;
          }
        found.push(chunk);
      }
    return found;
  });
  let end = 8;
  const places = chunks.map((chunk) => {
    end += chunk.length;
    return end - chunk.length;
  });
  const sizes = chunks.map((chunk) => chunk.length);
  type Entry = [tag: number, type: 3 | 4 | 5, values: number[]];
  const inTiles: Entry[] = [
    [0x0142, 4, [wide]],
    [0x0143, 4, [high]],
    [0x0144, 4, places],
    [0x0145, 4, sizes],
  ];
  const inStrips: Entry[] = [
    [0x0111, 4, places],
    [0x0116, 4, [height]],
    [0x0117, 4, sizes],
  ];
  const whitePoint: Entry[] = white
    ? [[0x013e, 5, white.flatMap((part) => [Math.round(part * 1e6), 1e6])]]
    : [];
  const alpha: Entry[] = photometric < 5 && bands % 2 === 0 ? [[0x0152, 3, [2]]] : [];
  // Every pixel of YCbCr has colours of its own.
  const sampling: Entry[] = photometric === 6 ? [[0x0212, 3, [1, 1]]] : [];
  const fields: Entry[] = [
    ...sampling,
    [0x0100, 4, [width]],
    [0x0101, 4, [height]],
    [0x0102, 3, all.map(() => bits)],
    [0x0103, 3, [1]],
    [0x0106, 3, [photometric]],
    [0x0115, 3, [bands]],
    [0x011c, 3, [isInPlanes ? 2 : 1]],
    ...whitePoint,
    ...alpha,
    ...(tile ? inTiles : inStrips),
  ];
  fields.sort(([one], [other]) => one - other);
  const directory = Buffer.alloc(2 + fields.length * 12 + 4);
  put16(directory, fields.length, 0);
  const outside: Buffer[] = [];
  let free = end + directory.length;
  for (const [i, [tag, type, values]] of fields.entries()) {
    const at = 2 + i * 12;
    const bytes = Buffer.alloc(values.length * (type === 3 ? 2 : 4));
    values.forEach((value, k) =>
      type === 3 ? put16(bytes, value, k * 2) : put32(bytes, value, k * 4),
    );
    put16(directory, tag, at);
    put16(directory, type, at + 2);
    put32(directory, type === 5 ? values.length / 2 : values.length, at + 4);
    if (bytes.length <= 4) bytes.copy(directory, at + 8);
    else {
      put32(directory, free, at + 8);
      outside.push(bytes);
      free += bytes.length;
    }
  }
  const head = Buffer.alloc(8);
  head.write(bigEndian ? 'MM' : 'II', 'latin1');
  put16(head, 42, 2);
  put32(head, end, 4);
  return Buffer.concat([head, ...chunks, directory, ...outside]);
}
