/** Reads the boxes that HEIF, CR3 and JPEG XL files consist of (ISO/IEC 14496-12). */
import type { TiffBytes } from './tiff/tiff-directory.ts';

export interface Box {
  type: string;
  /** Offset of the box's content. */
  at: number;
  end: number;
}

/** Length of the longest head of a box, in bytes. */
export const boxHeadBytes = 16;

/**
 * Reads the head of one box; undefined if it is no whole box.
 * @param head its first `boxHeadBytes` bytes, fewer at the end of the file
 * @param end offset of the end of what contains the box
 */
export function readBox(head: Buffer, at: number, end: number): Box | undefined {
  if (head.length < 8) return undefined;
  const size = head.readUInt32BE(0);
  const isLong = size === 1;
  const headBytes = isLong ? boxHeadBytes : 8;
  if (head.length < headBytes) return undefined;
  // A size of 0 extends to the end.
  const length = isLong ? Number(head.readBigUInt64BE(8)) : size === 0 ? end - at : size;
  if (length < headBytes || at + length > end) return undefined;
  return { type: head.toString('latin1', 4, 8), at: at + headBytes, end: at + length };
}

/** Reads the boxes between two offsets, as far as they are whole, and at most `max` of them. */
export function boxesIn(bytes: TiffBytes, from: number, end: number, max: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; boxes.length < max && at + 8 <= end;) {
    const box = readBox(bytes.read(at, boxHeadBytes), at, end);
    if (!box) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}
