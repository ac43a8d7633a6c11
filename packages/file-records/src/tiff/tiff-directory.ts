/** Bounded reader of TIFF directories, classic or BigTIFF, from memory or file. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { typeBytes, type ExifEntry } from './entry.ts';

export interface TiffBytes {
  size: number;
  /** Fewer bytes at the end of the file. */
  read(offset: number, length: number): Buffer;
}

export interface TiffLayout {
  bytes: TiffBytes;
  littleEndian: boolean;
  big: boolean;
  firstDirectory: number;
}

export interface RawEntry {
  tag: number;
  type: number;
  count: number;
  /** Offset of the value. */
  valueAt: number;
  sizeBytes: number;
}

const maxEntries = 2000;
/** A MakerNote with previews may have megabytes; other values do not come near. */
const maxValueBytes = 4 * 1024 * 1024;

export const bytesInMemory = (buffer: Buffer): TiffBytes => ({
  size: buffer.length,
  read: (offset, length) => buffer.subarray(offset, offset + length),
});

/** The size is the present one. */
export function bytesOfFile(fd: number): TiffBytes {
  const { size } = fstatSync(fd);
  return {
    size,
    read(offset, length) {
      // A length is what a stranger's file says.
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset));
    },
  };
}

/** The file is open during `use`. */
export function withFileBytes<T>(path: string, use: (bytes: TiffBytes) => T): T {
  const fd = openSync(path, 'r');
  try {
    return use(bytesOfFile(fd));
  } finally {
    closeSync(fd);
  }
}

/** As `withFileBytes`, until the promise is settled. */
export async function withOpenFile<T>(
  path: string,
  use: (bytes: TiffBytes) => Promise<T>,
): Promise<T> {
  const fd = openSync(path, 'r');
  try {
    return await use(bytesOfFile(fd));
  } finally {
    closeSync(fd);
  }
}

/**
 * Parses the header; RAW files with another magic number than 42 are accepted. Undefined for other layouts.
 */
export function openLayout(bytes: TiffBytes): TiffLayout | undefined {
  const head = bytes.read(0, 16);
  const order = head.toString('latin1', 0, 2);
  if (head.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const littleEndian = order === 'II';
  const big = numberAt(head, 2, 2, littleEndian) === 43;
  if (big && head.length < 16) return undefined;
  const firstDirectory = numberAt(head, big ? 8 : 4, big ? 8 : 4, littleEndian);
  return { bytes, littleEndian, big, firstDirectory };
}

export function numberAt(
  buffer: Buffer,
  at: number,
  size: 2 | 4 | 8,
  littleEndian: boolean,
): number {
  if (size === 2) return littleEndian ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at);
  if (size === 4) return littleEndian ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at);
  return Number(littleEndian ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at));
}

/** Entries within the bytes, and the offset of the next directory. */
export function readDirectory(
  { bytes, littleEndian, big }: TiffLayout,
  at: number,
): { entries: RawEntry[]; next: number } {
  const countBytes = big ? 8 : 2;
  const offsetBytes = big ? 8 : 4;
  const entryBytes = big ? 20 : 12;
  const head = at > 0 && at < bytes.size ? bytes.read(at, countBytes) : Buffer.alloc(0);
  if (head.length < countBytes) return { entries: [], next: 0 };
  const count = numberAt(head, 0, countBytes, littleEndian);
  if (count > maxEntries) return { entries: [], next: 0 };
  const body = bytes.read(at + countBytes, count * entryBytes + offsetBytes);
  const complete = Math.min(count, Math.floor(body.length / entryBytes));
  const entries = Array.from({ length: complete }, (_, i) => {
    const from = i * entryBytes;
    const type = numberAt(body, from + 2, 2, littleEndian);
    const values = numberAt(body, from + 4, offsetBytes, littleEndian);
    const sizeBytes = typeBytes(type) * values;
    const inlineAt = from + 4 + offsetBytes;
    const isInline = sizeBytes <= offsetBytes;
    const valueAt = isInline
      ? at + countBytes + inlineAt
      : numberAt(body, inlineAt, offsetBytes, littleEndian);
    return { tag: numberAt(body, from, 2, littleEndian), type, count: values, valueAt, sizeBytes };
  });
  const nextAt = count * entryBytes;
  const hasNext = body.length >= nextAt + offsetBytes;
  return { entries, next: hasNext ? numberAt(body, nextAt, offsetBytes, littleEndian) : 0 };
}

/** Undefined if the value exceeds the bytes. */
export function readEntry({ bytes }: TiffLayout, raw: RawEntry): ExifEntry | undefined {
  const { tag, type, count, valueAt, sizeBytes } = raw;
  if (sizeBytes === 0 || sizeBytes > maxValueBytes || valueAt + sizeBytes > bytes.size) return;
  const value = bytes.read(valueAt, sizeBytes);
  return value.length === sizeBytes ? { tag, type, count, bytes: Buffer.from(value) } : undefined;
}

/** Looks up the first number of an integer entry by its tag. */
export const numbersByTag =
  (layout: TiffLayout, entries: readonly RawEntry[]) =>
  (wanted: number): number | undefined => {
    const raw = entries.find(({ tag }) => tag === wanted);
    return raw && readNumber(layout, raw);
  };

/** First number of an integer entry, such as a pointer. */
export function readNumber(layout: TiffLayout, raw: RawEntry): number | undefined {
  const size = typeBytes(raw.type);
  const value = layout.bytes.read(raw.valueAt, size);
  if (value.length < size || (size !== 2 && size !== 4 && size !== 8)) return undefined;
  return numberAt(value, 0, size, layout.littleEndian);
}
