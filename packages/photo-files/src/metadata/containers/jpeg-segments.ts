/** Reads and inserts the segments before a JPEG's picture (ITU-T T.81; Adobe XMP, part 3). */
import { createHash } from 'node:crypto';
import { insertBytes, type OnMoved } from './insert-bytes.ts';
import {
  readSegment,
  segmentHeadBytes,
  startOfScan,
  withFileBytes,
  type TiffBytes,
} from '../../../../file-records/src/index.ts';

export interface JpegSegment {
  marker: number;
  payload: Buffer;
  end: number;
}

const maxSegments = 2000;
/** Capacity of one segment in bytes. */
export const maxSegmentBytes = 65_533;
export const standardXmpHead = 'http://ns.adobe.com/xap/1.0/\0';
/** Maximum of an XMP packet in one segment. */
export const maxXmpBytes = maxSegmentBytes - standardXmpHead.length;
const extensionHead = 'http://ns.adobe.com/xmp/extension/\0';
const maxExtensionBytes = 32 * 1024 * 1024;

/** Reads the segments up to the first that is neither APPn nor a comment. */
export const readSegments = (path: string): JpegSegment[] =>
  withFileBytes(path, (bytes) => readSegmentsOf(bytes, 0));

/**
 * Reads the APPn segments and comments of a JPEG that begins at an offset.
 *
 * @param isWhole read on behind tables and frame header up to the scan, where libultrahdr writes its index
 */
export function readSegmentsOf(bytes: TiffBytes, start: number, isWhole = false): JpegSegment[] {
  const segments: JpegSegment[] = [];
  let at = start + 2;
  while (segments.length < maxSegments) {
    at += strayBytes(bytes, at);
    const head = readSegment(bytes.read(at, segmentHeadBytes), at);
    if (!head || head.marker === startOfScan) break;
    const { marker, end } = head;
    if (!isDescribing(marker)) {
      if (!isWhole) break;
      at = end;
      continue;
    }
    const payload = bytes.read(head.at, end - head.at);
    if (payload.length < end - head.at) break;
    segments.push({ marker, payload, end });
    at = end;
  }
  return segments;
}

/** APP0 to APP15 and comments. */
const isDescribing = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** Search range for a marker after stray bytes. */
const maxStrayBytes = 1024;

/** Number of stray bytes before the next marker; 0 if none is near. */
function strayBytes(bytes: TiffBytes, at: number): number {
  if (bytes.read(at, 1)[0] === 0xff) return 0;
  const near = bytes.read(at, maxStrayBytes);
  return Math.max(
    0,
    near.findIndex((byte, i) => byte === 0xff && (near[i + 1] ?? 0) >= 0xc0),
  );
}

/** Finds the main XMP packet. libvips mistakes an extension for it. */
export function xmpOf(segments: readonly JpegSegment[]): Buffer | undefined {
  return payloadsOf(segments, 0xe1, standardXmpHead)[0];
}

/** Payloads of a marker with a prefix, without that prefix. */
export const payloadsOf = (
  segments: readonly JpegSegment[],
  wanted: number,
  head: string,
): Buffer[] =>
  segments.flatMap(({ marker, payload }) =>
    marker === wanted && payload.toString('latin1', 0, head.length) === head
      ? [payload.subarray(head.length)]
      : [],
  );

/** Joins extended XMP from its parts; undefined if there is none or a part is missing. */
export function extendedXmpOf(segments: readonly JpegSegment[], guid: string): Buffer | undefined {
  const parts = payloadsOf(segments, 0xe1, extensionHead)
    .filter((part) => part.length > 40 && part.toString('latin1', 0, 32) === guid)
    .sort((a, b) => a.readUInt32BE(36) - b.readUInt32BE(36));
  const total = parts[0]?.readUInt32BE(32) ?? 0;
  if (total === 0 || total > maxExtensionBytes) return undefined;
  const whole = Buffer.concat(parts.map((part) => part.subarray(40)));
  const isWhole = whole.length === total && guidOf(whole) === guid;
  return isWhole ? whole : undefined;
}

/** Name of the segments of a base picture and of its gain map (ISO 21496-1, annex C). */
export const isoGainMapHead = 'urn:iso:std:iso:ts:21496:-1\0';

/** Whether a gain map accompanies the picture. */
export const hasIsoGainMap = (segments: readonly JpegSegment[]): boolean =>
  payloadsOf(segments, 0xe2, isoGainMapHead).length > 0;

/** The comments as raw bytes. */
export const commentsOf = (segments: readonly JpegSegment[]): Buffer[] =>
  payloadsOf(segments, 0xfe, '');

export const guidOf = (extension: Buffer): string =>
  createHash('md5').update(extension).digest('hex').toUpperCase();

const partBytes = 65_400;

export function extensionSegments(extension: Buffer): Buffer[] {
  const count = Math.ceil(extension.length / partBytes);
  return Array.from({ length: count }, (_, i) => {
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(extension.length, 0);
    numbers.writeUInt32BE(i * partBytes, 4);
    const part = extension.subarray(i * partBytes, (i + 1) * partBytes);
    const guid = Buffer.from(guidOf(extension), 'latin1');
    return jpegSegment(
      0xe1,
      Buffer.concat([Buffer.from(extensionHead, 'latin1'), guid, numbers, part]),
    );
  });
}

export function jpegSegment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

/** Inserts segments after the existing APP segments and comments. */
export async function insertSegments(
  path: string,
  segments: Buffer[],
  onMoved: OnMoved,
): Promise<void> {
  if (segments.length === 0) return;
  const at = readSegments(path).at(-1)?.end ?? 2;
  await insertBytes(path, at, Buffer.concat(segments), onMoved);
}

const jfifHead = 'JFIF\0';

/** Inserts a JFIF segment with a resolution in pixels per inch, as the first one, unless there is one. */
export async function insertJfif(path: string, density: number, onMoved: OnMoved): Promise<void> {
  if (payloadsOf(readSegments(path), 0xe0, jfifHead).length > 0) return;
  const perInch = Math.min(0xffff, Math.max(1, Math.round(density)));
  const payload = Buffer.from([...Buffer.from(jfifHead), 1, 2, 1, 0, 0, 0, 0, 0, 0]);
  payload.writeUInt16BE(perInch, 8);
  payload.writeUInt16BE(perInch, 10);
  await insertBytes(path, 2, jpegSegment(0xe0, payload), onMoved);
}
