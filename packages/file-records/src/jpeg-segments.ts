/** Reads the heads of a JPEG's segments (ITU-T T.81, annex B). */

export interface SegmentHead {
  /** The second byte of the marker; 0xff for a fill byte, any number of which may precede a marker. */
  marker: number;
  /** Offset of the payload, behind its length. */
  at: number;
  /** Offset of what follows the payload. */
  end: number;
}

/** Length of a marker and the length of its payload, in bytes. */
export const segmentHeadBytes = 4;

export const startOfScan = 0xda;
export const endOfImage = 0xd9;

/** TEM, RST0 to RST7, SOI and EOI have no payload. */
const hasPayload = (marker: number): boolean =>
  marker !== 0x01 && (marker < 0xd0 || marker > endOfImage);

/**
 * Reads the head of a segment; undefined where no segment with a payload begins.
 * @param head its first `segmentHeadBytes` bytes, fewer at the end of the file
 */
export function readSegment(head: Buffer, at: number): SegmentHead | undefined {
  const marker = head[1];
  if (head[0] !== 0xff || marker === undefined) return undefined;
  if (marker === 0xff) return { marker, at: at + 1, end: at + 1 };
  if (head.length < segmentHeadBytes || !hasPayload(marker)) return undefined;
  const length = head.readUInt16BE(2);
  return length < 2 ? undefined : { marker, at: at + segmentHeadBytes, end: at + 2 + length };
}
