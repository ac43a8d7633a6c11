/**
 * Detects whether a picture's file is complete, even while a copy pauses: JPEG, PNG, TIFF (and RAW based on
 * it), WebP, and HEIC, AVIF, JPEG XL and CR3 as box files. Other files count as complete.
 */
import { open } from 'node:fs/promises';
import { bytesAt } from '../../files/bytes-at.ts';
import { reachesBeyond, type SizedFile } from './tiff-reach.ts';

/** Throws what reading throws. */
export async function isCompleteFile(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return await hasItsEnd({ size, read: (at, length) => bytesAt(handle, at, length) });
  } finally {
    await handle.close();
  }
}

async function hasItsEnd(file: SizedFile): Promise<boolean> {
  const head = await file.read(0, 16);
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return jpegEnds(file);
  if (text.startsWith('\x89PNG\r\n')) return holds(file, 'IEND\xaeB`\x82', 8);
  if (/^(II[*+]\0|MM\0[*+])/.test(text)) return !(await reachesBeyond(file));
  if (/^RIFF....WEBP/s.test(text)) return file.size >= 8 + head.readUInt32LE(4);
  if (/^....(ftyp|JXL )/s.test(text)) return boxesEnd(file);
  return true;
}

const blockBytes = 1 << 20;

/** Searches a text from the end, so that a complete file costs one read. */
async function holds(file: SizedFile, wanted: string, from: number): Promise<boolean> {
  for (let end = file.size; end > from;) {
    const start = Math.max(from, end - blockBytes);
    const block = await file.read(start, end - start + wanted.length - 1);
    if (block.includes(wanted, 0, 'latin1')) return true;
    end = start;
  }
  return false;
}

/** A complete JPEG has an end marker after its first scan; an earlier one may belong to a thumbnail. */
async function jpegEnds(file: SizedFile): Promise<boolean> {
  for (let at = 2; at < file.size;) {
    const [marker, kind] = await file.read(at, 2);
    if (marker !== 0xff || kind === undefined) return false;
    // Any number of fill bytes (0xff) may precede a marker.
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    if (kind === 0xda) return holds(file, '\xff\xd9', at);
    const length = await file.read(at + 2, 2);
    if (length.length < 2) return false;
    at += 2 + length.readUInt16BE();
  }
  return false;
}

/**
 * ISO base media and JPEG XL are sequences of boxes with lengths; the last may extend to the end of the file.
 */
async function boxesEnd(file: SizedFile): Promise<boolean> {
  let at = 0;
  while (at < file.size) {
    const head = await file.read(at, 16);
    if (head.length < 8) return false;
    const short = head.readUInt32BE();
    if (short === 0) return true;
    if (short === 1 && head.length < 16) return false;
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    at += length;
  }
  return at === file.size;
}
