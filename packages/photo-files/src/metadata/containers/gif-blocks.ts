/** Reads and writes XMP in a GIF: an application extension (XMP specification, part 3, 1.1.2). */
import { closeSync, openSync } from 'node:fs';
import type { Rect } from '../../../../contract/src/geometry.ts';
import { bytesOfFile, withFileBytes, type TiffBytes } from '../../../../file-records/src/index.ts';
import { writeAll } from '../../../../files/src/write-all.ts';

const extension = 0x21;
const application = 0xff;
const image = 0x2c;
const trailer = 0x3b;
/** Of a picture without its colour table. */
const headBytes = 10;
const xmpName = 'XMP DataXMP';
const maxBlocks = 100_000;
const maxXmpBytes = 1024 * 1024;
/** Blocks are followed in so many bytes at once: they can be of a few bytes each. */
const windowBytes = 64 * 1024;

/** Lets readers that skip sub-blocks by their length bytes arrive at the end from any byte of the packet. */
const magicTrailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);

interface GifBlock {
  kind: typeof extension | typeof image;
  at: number;
  /** Its first bytes, ten unless the file ends before. */
  head: Buffer;
}

/** Returns the file's bytes from an offset on: at least the head of a block, unless the file ends before. */
type ReadOn = (at: number) => Buffer;

function readInWindows(bytes: TiffBytes): ReadOn {
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  return (at) => {
    if (at < start || at + headBytes > start + window.length) {
      start = at;
      window = bytes.read(at, windowBytes);
    }
    return window.subarray(at - start);
  };
}

/** Yields extensions and pictures, up to the trailer or damage. */
function* blocksOf(bytes: TiffBytes): Generator<GifBlock> {
  const readOn = readInWindows(bytes);
  let at = 13 + colourTableBytes(bytes.read(10, 1)[0]);
  for (let i = 0; i < maxBlocks && at < bytes.size; i += 1) {
    const head = readOn(at).subarray(0, headBytes);
    const [kind] = head;
    if (kind !== extension && kind !== image) return;
    yield { kind, at, head };
    const ownBytes = kind === image ? headBytes + 1 + colourTableBytes(head[9]) : 2;
    at = afterSubBlocks(readOn, at + ownBytes, bytes.size);
  }
}

/** XMP packet of a GIF; undefined if it has none, or is damaged before it. */
export const xmpOfGif = (path: string): Buffer | undefined =>
  withFileBytes(path, (bytes) => {
    for (const { kind, at, head } of blocksOf(bytes)) {
      if (kind !== extension || head[1] !== application) continue;
      if (bytes.read(at + 3, 11).toString('latin1') !== xmpName) continue;
      const packet = bytes.read(at + 14, Math.min(maxXmpBytes, bytes.size - at));
      const end = packet.indexOf(magicTrailer);
      return end < 0 ? undefined : packet.subarray(0, end);
    }
    return undefined;
  });

export interface GifFrame extends Rect {
  /** What was there before the frame is shown again after it. */
  isRestored: boolean;
}

const graphicControl = 0xf9;
const restorePrevious = 3;

/** Places of a GIF's frames on its canvas, at most `max` of them. */
export function framesOfGif(bytes: TiffBytes, max: number): GifFrame[] {
  const frames: GifFrame[] = [];
  let isRestored = false;
  for (const { kind, head } of blocksOf(bytes)) {
    if (kind === image) {
      if (head.length < headBytes) break;
      const [x, y, width, height] = [1, 3, 5, 7].map((from) => head.readUInt16LE(from)) as [
        number,
        number,
        number,
        number,
      ];
      frames.push({ x, y, width, height, isRestored });
      if (frames.length >= max) break;
      isRestored = false;
    } else if (head[1] === graphicControl)
      isRestored = (((head[3] ?? 0) >> 2) & 7) === restorePrevious;
  }
  return frames;
}

/** Size of a colour table, by the flags of the screen or the picture that it belongs to. */
export const colourTableBytes = (flags = 0): number =>
  (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);

function afterSubBlocks(readOn: ReadOn, from: number, sizeBytes: number): number {
  let at = from;
  while (at < sizeBytes) {
    const window = readOn(at);
    let next = 0;
    while (next < window.length) {
      const length = window[next] ?? 0;
      next += 1 + length;
      if (length === 0) return at + next;
    }
    at += next;
  }
  return at;
}

/** Writes the packet before the trailer. */
export function appendGifXmp(path: string, packet: Buffer): void {
  const fd = openSync(path, 'r+');
  try {
    const { size } = bytesOfFile(fd);
    const head = Buffer.from([extension, application, xmpName.length]);
    const end = Buffer.concat([magicTrailer, Buffer.from([trailer])]);
    const block = Buffer.concat([head, Buffer.from(xmpName, 'latin1'), packet, end]);
    writeAll(fd, block, size - 1);
  } finally {
    closeSync(fd);
  }
}
