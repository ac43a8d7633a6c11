/** Reads the frames of an animated PNG (PNG specification, third edition, 11.3.6). */
import type { Rect } from '../../../../contract/src/geometry.ts';
import type { TiffBytes } from '../../../../file-records/src/index.ts';
import { chunksIn, pngChunkBytes, type PlacedChunk } from './png-chunks.ts';

/** What happens to the frame's rectangle after it was shown. */
export type Disposal = 'keep' | 'clear' | 'restore';

export interface ApngFrame extends Rect {
  delayMs: number;
  disposal: Disposal;
  /** Whether the frame is composited over what is there; it replaces that otherwise. */
  isOver: boolean;
  /** Its compressed pixels in the file. */
  parts: { at: number; length: number }[];
}

export interface Apng {
  /** How often the animation is played; 0 for ever. */
  plays: number;
  frames: ApngFrame[];
  /** IHDR's data: the canvas, and how a pixel is stored. */
  header: Buffer;
  /** Palette and transparent colour, which apply to every frame. */
  shared: Buffer;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const sharedTypes = ['PLTE', 'tRNS', 'sBIT'];
const maxChunks = 200_000;
const headerBytes = 13;
/** A palette of 256 colours. */
const maxSharedBytes = 768;
/** What compressed pixels that cannot be compressed have more than the pixels: deflate's blocks, and chunks. */
const maxExtraBytes = 64 * 1024;
const disposals = ['keep', 'clear', 'restore'] as const;

/** What is read so far, and the number that the next chunk of the animation must have. */
interface ReadApng extends Apng {
  nextNumber: number;
  /** Chunks that a PNG has once. */
  seen: Set<string>;
}

/**
 * @throws if a frame lies outside the canvas, has no pixels or more bytes than its pixels can take, or if chunks
 * are out of order, too large or there twice
 */
export function readApng(bytes: TiffBytes): Apng {
  const apng: ReadApng = {
    plays: 0,
    frames: [],
    header: Buffer.alloc(0),
    shared: Buffer.alloc(0),
    nextNumber: 0,
    seen: new Set(),
  };
  for (const chunk of chunksIn(bytes, maxChunks)) {
    if (chunk.type === 'IEND') break;
    readChunk(apng, chunk, bytes);
  }
  const [width, height] = [apng.header.readUInt32BE(0), apng.header.readUInt32BE(4)];
  const isInside = ({ x, y, ...size }: ApngFrame) =>
    size.width > 0 && size.height > 0 && x + size.width <= width && y + size.height <= height;
  if (!apng.frames.every((frame) => isInside(frame) && frame.parts.length > 0))
    throw new Error('A frame of the PNG lies outside its canvas, or is missing.');
  if (apng.frames.some((frame) => bytesOf(frame) > maxBytesOf(frame)))
    throw new Error('A frame of the PNG has more bytes than its pixels can take.');
  return apng;
}

const bytesOf = ({ parts }: ApngFrame) => parts.reduce((sum, { length }) => sum + length, 0);

/** Twice its pixels of four channels of 16 bits, and a byte a row for its filter. */
const maxBytesOf = ({ width, height }: ApngFrame) => 2 * height * (8 * width + 1) + maxExtraBytes;

function readChunk(apng: ReadApng, { type, at, length }: PlacedChunk, bytes: TiffBytes): void {
  const frame = apng.frames.at(-1);
  if (type === 'fcTL' || type === 'fdAT') {
    const number = bytes.read(at, 4).readUInt32BE(0);
    if (number !== apng.nextNumber)
      throw new Error(`Expected chunk ${apng.nextNumber} of the animated PNG but found ${number}.`);
    apng.nextNumber += 1;
  }
  if (type === 'IHDR') apng.header = readOnce(apng, { type, at, length }, headerBytes, bytes);
  else if (sharedTypes.includes(type)) {
    const data = readOnce(apng, { type, at, length }, maxSharedBytes, bytes);
    apng.shared = Buffer.concat([apng.shared, pngChunkBytes({ type, data })]);
  } else if (type === 'acTL') apng.plays = bytes.read(at, 8).readUInt32BE(4);
  else if (type === 'fcTL') apng.frames.push(frameOf(bytes.read(at, 26)));
  else if (type === 'IDAT') frame?.parts.push({ at, length });
  else if (type === 'fdAT') frame?.parts.push({ at: at + 4, length: Math.max(0, length - 4) });
}

function readOnce(
  { seen }: ReadApng,
  { type, at, length }: PlacedChunk,
  maxBytes: number,
  bytes: TiffBytes,
): Buffer {
  if (seen.has(type) || length > maxBytes)
    throw new Error(`Expected one ${type} of at most ${maxBytes} bytes in the animated PNG.`);
  seen.add(type);
  return bytes.read(at, length);
}

function frameOf(data: Buffer): ApngFrame {
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const [over, under] = [data.readUInt16BE(20), data.readUInt16BE(22)];
  return {
    ...{ x, y, width, height },
    delayMs: Math.round((1000 * over) / (under || 100)),
    disposal: disposals[data[24] ?? 0] ?? 'keep',
    isOver: data[25] === 1,
    parts: [],
  };
}

/** A frame as a PNG file of its own. */
export function pngOfFrame(
  { header, shared }: Apng,
  { width, height, parts }: ApngFrame,
  bytes: TiffBytes,
): Buffer {
  const own = Buffer.from(header);
  own.writeUInt32BE(width, 0);
  own.writeUInt32BE(height, 4);
  return Buffer.concat([
    signature,
    pngChunkBytes({ type: 'IHDR', data: own }),
    shared,
    ...parts.map(({ at, length }) => pngChunkBytes({ type: 'IDAT', data: bytes.read(at, length) })),
    pngChunkBytes({ type: 'IEND', data: Buffer.alloc(0) }),
  ]);
}
