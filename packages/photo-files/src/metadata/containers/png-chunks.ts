/** Reads a PNG's text and colour chunks, and inserts chunks (PNG specification, third edition). */
import { deflateSync, crc32, inflateSync } from 'node:zlib';
import { insertBytes, type OnMoved } from './insert-bytes.ts';
import { withFileBytes, type TiffBytes } from '../../../../file-records/src/index.ts';

export interface PngChunk {
  type: string;
  data: Buffer;
}

const afterSignature = 8;
const afterHeader = afterSignature + 25;
const maxTextBytes = 1024 * 1024;
const maxUnpackedBytes = 4 * maxTextBytes;
const maxChunks = 10_000;
/** Colour and text chunks that are read: to unpack ten thousand that are damaged takes a second. */
const maxReadChunks = 1000;
/** Chunks that declare the colour space if there is no ICC profile. */
const colourChunks = ['sRGB', 'gAMA', 'cHRM', 'cICP'];
const textChunks = ['tEXt', 'zTXt', 'iTXt'];

/** A chunk in a file: where its data begin, and how many bytes they are said to be. */
export interface PlacedChunk {
  type: string;
  at: number;
  length: number;
}

/** The chunks of a PNG in their order, up to `maxCount`, or to where the file ends. */
export function* chunksIn(bytes: TiffBytes, maxCount = maxChunks): Generator<PlacedChunk> {
  let at = afterSignature;
  for (let i = 0; i < maxCount && at + 12 <= bytes.size; i += 1) {
    const head = bytes.read(at, 8);
    const length = head.readUInt32BE(0);
    yield { type: head.toString('latin1', 4, 8), at: at + 8, length };
    at += 12 + length;
  }
}

/** Reads the colour and text chunks, at most a megabyte of them. */
export function readChunks(path: string): { colour: PngChunk[]; text: PngChunk[] } {
  const found: PngChunk[] = [];
  withFileBytes(path, (bytes) => {
    let left = maxTextBytes;
    for (const { type, at, length } of chunksIn(bytes)) {
      const isWanted = colourChunks.includes(type) || textChunks.includes(type);
      if (!isWanted || length > left) continue;
      if (found.length === maxReadChunks) break;
      found.push({ type, data: bytes.read(at, length) });
      left -= length;
    }
  });
  const of = (types: string[]) => found.filter(({ type }) => types.includes(type));
  return { colour: of(colourChunks), text: of(textChunks) };
}

/** Number of frames of an animated PNG, whose `acTL` precedes its pixels; 1 for others. */
export const framesOfPng = (path: string): number =>
  withFileBytes(path, (bytes) => {
    for (const { type, at } of chunksIn(bytes)) {
      if (type === 'IDAT') return 1;
      if (type === 'acTL') return Math.max(1, bytes.read(at, 4).readUInt32BE(0));
    }
    return 1;
  });

/** Keyword of a text chunk. */
export const keywordOf = ({ data }: PngChunk): string =>
  data.toString('latin1', 0, Math.max(0, data.indexOf(0)));

/**
 * Text of a tEXt or zTXt chunk; undefined for other chunks, damaged text, and text that unpacks to more than
 * `maxBytes`.
 */
export function textOfChunk(
  { type, data }: PngChunk,
  maxBytes = maxUnpackedBytes,
): string | undefined {
  const end = data.indexOf(0);
  if (type === 'tEXt') return data.toString('latin1', end + 1);
  if (type !== 'zTXt') return undefined;
  return unpack(data.subarray(end + 2), maxBytes)?.toString('latin1');
}

const xmpKeyword = 'XML:com.adobe.xmp';

/** Finds a PNG's XMP packet anywhere; libvips finds it only before the pixels. */
export function xmpOfChunks(chunks: readonly PngChunk[]): Buffer | undefined {
  const chunk = chunks.find((one) => one.type === 'iTXt' && keywordOf(one) === xmpKeyword);
  if (!chunk) return undefined;
  const flagAt = chunk.data.indexOf(0) + 1;
  const languageEnd = chunk.data.indexOf(0, flagAt + 2);
  const text = chunk.data.subarray(chunk.data.indexOf(0, languageEnd + 1) + 1);
  return chunk.data[flagAt] === 0 ? text : unpack(text, maxUnpackedBytes);
}

function unpack(data: Buffer, maxBytes: number): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

export const packedText = (keyword: string, text: string): PngChunk => ({
  type: 'zTXt',
  data: Buffer.concat([
    Buffer.from(`${keyword}\0\0`, 'latin1'),
    deflateSync(Buffer.from(text, 'latin1')),
  ]),
});

/**
 * Builds an uncompressed chunk, as XMP's specification (part 3) requires. libvips would compress the packet
 * into a zTXt, which few programs read.
 */
export const xmpChunk = (packet: Buffer): PngChunk => ({
  type: 'iTXt',
  data: Buffer.concat([Buffer.from(`${xmpKeyword}\0\0\0\0\0`, 'latin1'), packet]),
});

/** The chunk as it stands in a file. */
export function pngChunkBytes({ type, data }: PngChunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  return Buffer.concat([size, body, checksumOf(body)]);
}

/** CRC of a chunk's type and data. */
export function checksumOf(body: Buffer): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum;
}

/** Inserts the chunks after the header, before palette and pixels. */
export async function insertChunks(
  path: string,
  chunks: PngChunk[],
  onMoved: OnMoved,
): Promise<void> {
  if (chunks.length === 0) return;
  await insertBytes(path, afterHeader, Buffer.concat(chunks.map(pngChunkBytes)), onMoved);
}
