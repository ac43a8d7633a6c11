/**
 * EXIF in JPEG, PNG, WebP and AVIF. libvips writes EXIF anew with libexif, which does not follow
 * MakerNotes and drops what it does not know. So libvips is given one of the same size that holds
 * only a mark, and the block takes its place in the finished file.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { writeAll } from './insert-bytes.ts';
import { checksumOf } from './png-chunks.ts';

const mark = Buffer.from('ENLARGER-EXIF-SLOT-7f3c9a51e8d2064b', 'latin1');
/** Before the mark libvips puts a directory of its own; the block begins where that begins. */
const farthestHeader = 400;
const exifHead = 6;
const stepBytes = 1024 * 1024;

/** An EXIF with a comment of the block's size, to go into a raster's trailer. */
export function exifSlot(block: Buffer): Buffer {
  const slot = Buffer.alloc(50 + block.length + mark.length);
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
  mark.copy(slot, 50);
  return slot;
}

/** Puts the block where the slot stands. Throws when the file has no slot of that size. */
export function fillExifSlot(path: string, block: Buffer, format: string): void {
  const fd = openSync(path, 'r+');
  try {
    const markAt = findMark(fd);
    const reach = Math.min(markAt, farthestHeader);
    const header = readAt(fd, markAt - reach, reach).lastIndexOf('II*\0', undefined, 'latin1');
    if (header < 0) throw new Error('The slot for EXIF has no header');
    // libvips writes "Exif\0\0" into WebP too, where the specification has none.
    const start = markAt - reach + header - (format === 'webp' ? exifHead : 0);
    const whole = Buffer.alloc(markAt + mark.length + block.length - start);
    block.copy(whole);
    writeAll(fd, whole, start);
    if (format === 'png') mendChecksum(fd, start);
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, at));
}

/** JPEG and PNG hold it near their start, the others near their end. */
function findMark(fd: number): number {
  const { size } = fstatSync(fd);
  const steps = Math.ceil(size / stepBytes);
  for (let i = 0; i < steps; i += 1) {
    const step = i % 2 === 0 ? i / 2 : steps - (i + 1) / 2;
    const found = readAt(fd, step * stepBytes, stepBytes + mark.length).indexOf(mark);
    if (found >= 0) return step * stepBytes + found;
  }
  throw new Error('The encoder left no slot for EXIF');
}

function mendChecksum(fd: number, start: number): void {
  const size = readAt(fd, start - 8, 4).readUInt32BE(0);
  const body = readAt(fd, start - 4, 4 + size);
  writeAll(fd, checksumOf(body), start + size);
}
