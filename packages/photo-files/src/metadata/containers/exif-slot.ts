/**
 * Writes EXIF into JPEG, PNG, WebP and AVIF byte for byte. libvips rewrites EXIF with libexif, which does not
 * parse MakerNotes and drops unknown entries. So libvips gets a placeholder of the same size that holds only
 * a mark, and the block replaces it in the finished file.
 */
import { closeSync, openSync } from 'node:fs';
import { bytesOfFile, type TiffBytes } from '../../../../file-records/src/index.ts';
import { writeAll } from '../../../../files/src/write-all.ts';
import { checksumOf } from './png-chunks.ts';

const marker = Buffer.from('ENLARGER-EXIF-SLOT-7f3c9a51e8d2064b', 'latin1');
/** Maximum distance from the start of libvips' own directory, where the block begins, to the mark. */
const maxHeaderDistance = 400;
const exifHead = 6;
const stepBytes = 1024 * 1024;

/** Builds the placeholder for a raster's trailer: EXIF with a comment of the block's size. */
export function exifSlot(block: Buffer): Buffer {
  const slot = Buffer.alloc(50 + block.length + marker.length);
  slot.write('Exif\0\0II*\0', 'latin1');
  slot.writeUInt32LE(8, 10);
  const directory = (at: number, tag: number, type: number, count: number, value: number) => {
    slot.writeUInt16LE(1, at);
    slot.writeUInt16LE(tag, at + 2);
    slot.writeUInt16LE(type, at + 4);
    slot.writeUInt32LE(count, at + 6);
    slot.writeUInt32LE(value, at + 10);
  };
  const userComment = 0x9286;
  directory(14, 0x8769, 4, 1, 26);
  directory(32, userComment, 7, slot.length - 50, 44);
  marker.copy(slot, 50);
  return slot;
}

/** Replaces the placeholder by the block. @throws if the file has none of that size */
export function fillExifSlot(path: string, block: Buffer, format: string): void {
  const fd = openSync(path, 'r+');
  try {
    const bytes = bytesOfFile(fd);
    const markAt = findMark(bytes);
    const reach = Math.min(markAt, maxHeaderDistance);
    const header = bytes.read(markAt - reach, reach).lastIndexOf('II*\0', undefined, 'latin1');
    if (header < 0) throw new Error('The slot for EXIF has no header');
    // libvips writes "Exif\\0\\0" into WebP as well, against the specification.
    const start = markAt - reach + header - (format === 'webp' ? exifHead : 0);
    const whole = Buffer.alloc(markAt + marker.length + block.length - start);
    block.copy(whole);
    writeAll(fd, whole, start);
    if (format === 'png') writeAll(fd, ...checksumAt(bytes, start));
  } finally {
    closeSync(fd);
  }
}

/** Searches alternately from both ends: JPEG and PNG hold EXIF near their start, others near their end. */
function findMark(bytes: TiffBytes): number {
  const steps = Math.ceil(bytes.size / stepBytes);
  for (let i = 0; i < steps; i += 1) {
    const step = i % 2 === 0 ? i / 2 : steps - (i + 1) / 2;
    const found = bytes.read(step * stepBytes, stepBytes + marker.length).indexOf(marker);
    if (found >= 0) return step * stepBytes + found;
  }
  throw new Error('The encoder left no slot for EXIF');
}

/** Checksum of the PNG chunk whose data begin at `start`, and its offset. */
function checksumAt(bytes: TiffBytes, start: number): [checksum: Buffer, at: number] {
  const size = bytes.read(start - 8, 4).readUInt32BE(0);
  return [checksumOf(bytes.read(start - 4, 4 + size)), start + size];
}
