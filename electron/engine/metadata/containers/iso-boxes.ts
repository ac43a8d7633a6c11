/** Reads the boxes that HEIF and JPEG XL files consist of (ISO/IEC 14496-12). */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';

export interface Box {
  type: string;
  /** The box's content begins at this offset. */
  at: number;
  end: number;
}

/** Reads the boxes between two offsets of a file, as far as they are whole, and at most `most` of them. */
export function boxesIn(bytes: TiffBytes, from: number, end: number, most: number): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (boxes.length < most && at + 8 <= end) {
    const head = bytes.read(at, 16);
    if (head.length < 8) break;
    const said = head.readUInt32BE(0);
    const isLong = said === 1 && head.length === 16;
    const whole = isLong ? Number(head.readBigUInt64BE(8)) : said === 0 ? end - at : said;
    const headBytes = isLong ? 16 : 8;
    if (whole < headBytes || at + whole > end) break;
    boxes.push({ type: head.toString('latin1', 4, 8), at: at + headBytes, end: at + whole });
    at += whole;
  }
  return boxes;
}
