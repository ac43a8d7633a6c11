/**
 * Detects whether a picture's file is complete, even while a copy pauses: JPEG, PNG, TIFF (and RAW based on
 * it), WebP, and HEIC, AVIF, JPEG XL and CR3 as box files. Other files count as complete.
 */
import { open } from 'node:fs/promises';
import { bytesAt } from '../../../packages/files/src/bytes-at.ts';
import {
  boxHeadBytes,
  readBox,
  readSegment,
  segmentHeadBytes,
  startOfScan,
} from '../../../packages/file-records/src/index.ts';
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
    const segment = readSegment(await file.read(at, segmentHeadBytes), at);
    if (!segment) return false;
    if (segment.marker === startOfScan) return holds(file, '\xff\xd9', at);
    at = segment.end;
  }
  return false;
}

/** ISO base media and JPEG XL are sequences of boxes, the last of which may extend to the end of the file. */
async function boxesEnd(file: SizedFile): Promise<boolean> {
  let at = 0;
  while (at < file.size) {
    const box = readBox(await file.read(at, boxHeadBytes), at, file.size);
    if (!box) return false;
    at = box.end;
  }
  return true;
}
