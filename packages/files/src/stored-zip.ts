/** Reads zip files of entries that are stored uncompressed, possibly zip64, without their comment (PKWARE APPNOTE 6.3.9). */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import {
  dataOffset,
  readZip64End,
  readZipEnd,
  readZipEntries,
  zip64EndBytes,
  zip64LocatorBytes,
  zipEndBytes,
  zipLocalBytes,
  type ZipEntry,
} from '../../file-records/src/index.ts';

/** Of a million tiles, more than 16 gigapixels have. */
const maxDirectoryBytes = 128 * 1024 * 1024;
const tailBytes = zip64LocatorBytes + zipEndBytes;
/** Bytes for the name and extra field of a local header, so that one read gets an entry. */
const spareBytes = 512;

/** Reads the central directory. Throws if it is damaged, too large, or names a compressed entry. */
export async function readZipDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const end = readZipEnd(await readAt(file, Math.max(0, size - tailBytes), size));
  const directory =
    end && 'end64At' in end
      ? readZip64End(await readAt(file, end.end64At, end.end64At + zip64EndBytes))
      : end;
  if (!directory) throw new Error('Not a zip file');
  const { at, sizeBytes } = directory;
  if (sizeBytes > maxDirectoryBytes) throw new Error('The directory of a zip file is too large');
  const entries = readZipEntries(await readAt(file, at, at + sizeBytes));
  if (!entries) throw new Error('A zip file is damaged');
  if (entries.some(({ method }) => method !== 0)) throw new Error('A zip entry is compressed');
  return entries;
}

/** Reads the bytes of an entry. Throws if they are not those that the directory describes. */
export async function readZipEntry(file: FileHandle, entry: ZipEntry): Promise<Buffer> {
  const { name, headerAt, storedBytes } = entry;
  const end = headerAt + zipLocalBytes + spareBytes + storedBytes;
  const bytes = await readAt(file, headerAt, end);
  const start = dataOffset(bytes) ?? 0;
  const content = bytes.subarray(start, start + storedBytes);
  const nameEnd = zipLocalBytes + Buffer.byteLength(name);
  const isNamed = start > 0 && bytes.toString('utf8', zipLocalBytes, nameEnd) === name;
  if (!isNamed || content.length !== storedBytes || crc32(content) !== entry.crc32)
    throw new Error(`The zip entry ${name} is damaged`);
  return content;
}

/** Shorter at the end of the file. */
async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}
