/**
 * Reads BMP: OS/2 1 and 2, Windows 3 to 5; 1, 2, 4, 8, 16, 24 and 32 bits, with bit fields and run lengths,
 * in both row orders (Microsoft, "Bitmap Storage" and "BITMAPV5HEADER").
 */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import type { ForeignDecoder, ForeignPixels } from './protocol.ts';

const fileHeaderBytes = 14;
/** The header of OS/2 1, with 16-bit sizes and palette entries of three bytes. */
const coreHeaderBytes = 12;
/** Headers of at least this size have an alpha mask. */
const alphaHeaderBytes = 56;
const compressions = { none: 0, rle8: 1, rle4: 2, masks: 3, masksWithAlpha: 6 } as const;
const knownCompressions: readonly number[] = Object.values(compressions);

interface BitField {
  shift: number;
  /** Largest value of the channel; 0 if it has no bits. */
  max: number;
}

interface Header {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: number;
  compression: number;
  /** Red, green, blue, alpha. */
  masks: readonly [BitField, BitField, BitField, BitField];
  /** Red, green and blue of each index. */
  palette: Uint8Array;
  pixelsAt: number;
}

/** Reads the header. This and decoding throw for files that are not BMP or are truncated. */
export function openBmp(file: Buffer): ForeignDecoder {
  const header = readHeader(file);
  const { width, height, palette, bits, masks } = header;
  const hasPalette = bits <= 8;
  const hasAlpha = !hasPalette && masks[3].max > 0;
  const bands = hasPalette && isGrey(palette) ? 1 : hasAlpha ? 4 : 3;
  const head = { width, height, bits: 8, bands } as const;
  return {
    head,
    decode: () =>
      hasPalette
        ? fromIndexes(readIndexes(file, header), header, head)
        : fromMasks(file, header, head),
  };
}

function readHeader(file: Buffer): Header {
  const headerBytes = file.readUInt32LE(fileHeaderBytes);
  const isCore = headerBytes === coreHeaderBytes;
  const width = isCore ? file.readUInt16LE(18) : file.readInt32LE(18);
  const rows = isCore ? file.readUInt16LE(20) : file.readInt32LE(22);
  const bits = file.readUInt16LE(isCore ? 24 : 28);
  // OS/2 2 may end its header after the depth.
  const compression = headerBytes >= 20 ? file.readUInt32LE(30) : compressions.none;
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits))
    throw new UserFacingError(`it has ${bits} bits a pixel`);
  if (!knownCompressions.includes(compression))
    throw new UserFacingError(`its compression ${compression} is not known`);
  const isRle = compression === compressions.rle4 || compression === compressions.rle8;
  if (isRle && bits !== (compression === compressions.rle4 ? 4 : 8))
    throw new UserFacingError('its run lengths do not fit its bits');
  const hasMasks =
    compression === compressions.masks || compression === compressions.masksWithAlpha;
  const pixelsAt = file.readUInt32LE(10);
  // Windows 3 stores the masks after its header.
  const maskBytes =
    hasMasks && headerBytes === 40 ? (compression === compressions.masksWithAlpha ? 16 : 12) : 0;
  const paletteAt = fileHeaderBytes + headerBytes + maskBytes;
  const used = headerBytes >= 36 ? file.readUInt32LE(46) : 0;
  return {
    width,
    height: Math.abs(rows),
    isTopDown: rows < 0,
    bits,
    compression,
    masks: hasMasks
      ? readMasks(
          file,
          compression === compressions.masksWithAlpha || headerBytes >= alphaHeaderBytes,
        )
      : plainMasks(file, bits, headerBytes),
    palette:
      bits <= 8
        ? readPalette(file, paletteAt, used || 2 ** bits, isCore ? 3 : 4)
        : new Uint8Array(),
    pixelsAt: pixelsAt > paletteAt || bits > 8 ? pixelsAt : paletteAt,
  };
}

function bitFieldOf(mask: number): BitField {
  if (mask === 0) return { shift: 0, max: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, max: mask >>> shift };
}

const readMasks = (file: Buffer, hasAlpha: boolean): Header['masks'] => [
  bitFieldOf(file.readUInt32LE(54)),
  bitFieldOf(file.readUInt32LE(58)),
  bitFieldOf(file.readUInt32LE(62)),
  bitFieldOf(hasAlpha ? file.readUInt32LE(66) : 0),
];

/** Without masks 16 bits hold five per colour, 24 and 32 bits eight. */
function plainMasks(file: Buffer, bits: number, headerBytes: number): Header['masks'] {
  const [red, green, blue] = bits === 16 ? [0x7c00, 0x03e0, 0x1f] : [0xff0000, 0xff00, 0xff];
  const alpha = bits === 32 && headerBytes >= alphaHeaderBytes ? file.readUInt32LE(66) : 0;
  return [bitFieldOf(red), bitFieldOf(green), bitFieldOf(blue), bitFieldOf(alpha)];
}

/** Reads the palette as RGB. Missing entries are black. */
function readPalette(file: Buffer, at: number, count: number, entryBytes: number): Uint8Array {
  const entries = Math.min(count, 256);
  const palette = new Uint8Array(entries * 3);
  for (let i = 0; i < entries; i += 1)
    for (let c = 0; c < 3; c += 1) palette[3 * i + c] = file[at + entryBytes * i + 2 - c] ?? 0;
  return palette;
}

function isGrey(palette: Uint8Array): boolean {
  for (let i = 0; i < palette.length; i += 3)
    if (palette[i] !== palette[i + 1] || palette[i] !== palette[i + 2]) return false;
  return true;
}

const rowBytesOf = ({ width, bits }: Header) => Math.ceil((width * bits) / 32) * 4;

/** Row of the picture for the n-th row of the file. */
const rowOf = ({ isTopDown, height }: Header, n: number) => (isTopDown ? n : height - 1 - n);

function assertComplete(file: Buffer, header: Header): void {
  const needed = header.pixelsAt + rowBytesOf(header) * header.height;
  // The padding of the last row may be missing.
  if (file.length + 3 < needed) throw new UserFacingError('it is cut short');
}

/** Reads one index per pixel, upright. */
function readIndexes(file: Buffer, header: Header): Uint8Array {
  if (header.compression !== compressions.none) return readRuns(file, header);
  assertComplete(file, header);
  const { width, height, bits, pixelsAt } = header;
  const indexes = new Uint8Array(width * height);
  const rowBytes = rowBytesOf(header);
  const mask = 2 ** bits - 1;
  for (let n = 0; n < height; n += 1) {
    const from = pixelsAt + n * rowBytes;
    const to = rowOf(header, n) * width;
    for (let x = 0; x < width; x += 1) {
      const bit = x * bits;
      const byte = file[from + (bit >> 3)] ?? 0;
      indexes[to + x] = (byte >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return indexes;
}

/** Decodes run lengths of 4 or 8 bits. Skipped pixels have index 0. */
function readRuns(file: Buffer, header: Header): Uint8Array {
  const { width, height, compression } = header;
  const isNarrow = compression === compressions.rle4;
  const indexes = new Uint8Array(width * height);
  let [x, n, at] = [0, 0, header.pixelsAt];
  const put = (index: number) => {
    if (x < width && n < height) indexes[rowOf(header, n) * width + x] = index;
    x += 1;
  };
  while (n < height) {
    if (at + 2 > file.length) {
      // The end marker may be missing after the last row.
      if (n === height - 1 && x >= width) break;
      throw new UserFacingError('it is cut short');
    }
    const [count = 0, value = 0] = file.subarray(at, at + 2);
    at += 2;
    if (count > 0)
      for (let i = 0; i < count; i += 1)
        put(isNarrow ? (i % 2 === 0 ? value >> 4 : value & 15) : value);
    else if (value === 0) [x, n] = [0, n + 1];
    else if (value === 1) break;
    else if (value === 2) {
      x += file[at] ?? 0;
      n += file[at + 1] ?? 0;
      at += 2;
    } else {
      const bytes = isNarrow ? Math.ceil(value / 2) : value;
      if (at + bytes > file.length) throw new UserFacingError('it is cut short');
      for (let i = 0; i < value; i += 1) {
        const byte = file[at + (isNarrow ? i >> 1 : i)] ?? 0;
        put(isNarrow ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
      }
      at += bytes + (bytes % 2);
    }
  }
  return indexes;
}

function fromIndexes(
  indexes: Uint8Array,
  { palette }: Header,
  head: ForeignDecoder['head'],
): ForeignPixels {
  const { width, bands } = head;
  const samples = new Uint8Array(indexes.length * bands);
  for (let i = 0; i < indexes.length; i += 1)
    for (let c = 0; c < bands; c += 1)
      samples[i * bands + c] = palette[3 * (indexes[i] ?? 0) + c] ?? 0;
  return { ...head, samples, stride: width * bands };
}

function fromMasks(file: Buffer, header: Header, head: ForeignDecoder['head']): ForeignPixels {
  assertComplete(file, header);
  const { width, height, bits, masks, pixelsAt } = header;
  const { bands } = head;
  const samples = new Uint8Array(width * height * bands);
  const [rowBytes, pixelBytes] = [rowBytesOf(header), bits / 8];
  let hasVisible = false;
  for (let n = 0; n < height; n += 1) {
    let to = rowOf(header, n) * width * bands;
    for (let x = 0; x < width; x += 1) {
      const at = pixelsAt + n * rowBytes + x * pixelBytes;
      let word = 0;
      for (let i = 0; i < pixelBytes; i += 1) word |= (file[at + i] ?? 0) << (8 * i);
      for (let c = 0; c < bands; c += 1) {
        const { shift, max } = masks[c] ?? masks[3];
        const value = (word >>> shift) & max;
        samples[to + c] = max === 255 || max === 0 ? value : Math.round((value * 255) / max);
      }
      hasVisible ||= bands === 4 && samples[to + 3] !== 0;
      to += bands;
    }
  }
  // Programs without transparency write zeros in its place.
  if (bands === 4 && !hasVisible) for (let i = 3; i < samples.length; i += 4) samples[i] = 255;
  return { ...head, samples, stride: width * bands };
}
