/** Reads the boxes of HEIF and JPEG XL files (ISO/IEC 14496-12). */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';

export interface Box {
  type: string;
  /** Offset of the box's content. */
  at: number;
  end: number;
}

/** Reads the complete boxes between two offsets of a file, at most `max` of them. */
export function boxesIn(bytes: TiffBytes, from: number, end: number, max: number): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (boxes.length < max && at + 8 <= end) {
    const head = bytes.read(at, 16);
    if (head.length < 8) break;
    const declaredSize = head.readUInt32BE(0);
    const isLong = declaredSize === 1 && head.length === 16;
    const size = isLong
      ? Number(head.readBigUInt64BE(8))
      : declaredSize === 0
        ? end - at
        : declaredSize;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes || at + size > end) break;
    boxes.push({ type: head.toString('latin1', 4, 8), at: at + headBytes, end: at + size });
    at += size;
  }
  return boxes;
}
