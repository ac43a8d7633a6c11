/**
 * Reads single tiles from the engine's zip file (engine/views/tiles.ts). Entries are stored uncompressed, so
 * a tile is a byte range. Only the central directory, possibly zip64, is read in advance. (PKWARE APPNOTE
 * 6.3, sections 4.3.7-16; Deep Zoom as libvips writes it.)
 */
import { open, type FileHandle } from 'node:fs/promises';
import { tileFormats } from '../../contract/picture.ts';

export interface TileFile {
  readonly width: number;
  readonly height: number;
  readonly tileSize: number;
  readonly maxLevel: number;
  readonly format: (typeof tileFormats)[number];
  /** The encoded tile; undefined if there is none. */
  read(level: number, column: number, row: number): Promise<Buffer | undefined>;
}

/** `at` is the offset of the entry's local header. */
interface ZipEntry {
  at: number;
  sizeBytes: number;
}

/** Throws if the file is missing or of another kind. The file is open during calls only. */
export async function openTileFile(path: string): Promise<TileFile> {
  const entries = await withFile(path, readDirectory);
  const descriptor = entries.get('tiles.dzi');
  if (!descriptor) throw new Error(`No tiles are in ${path}`);
  const facts = factsOf((await withFile(path, (file) => readEntry(file, descriptor))).toString());
  return {
    ...facts,
    async read(level, column, row) {
      const entry = entries.get(`tiles_files/${level}/${column}_${row}.${facts.format}`);
      return entry && withFile(path, (file) => readEntry(file, entry));
    },
  };
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function factsOf(xml: string): Omit<TileFile, 'read'> {
  const number = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
  const [width, height] = [number('Width'), number('Height')];
  const format = tileFormats.find((one) => xml.includes(`Format="${one}"`));
  if (!format || width < 1 || height < 1) throw new Error(`Tiles are not described by ${xml}`);
  const maxLevel = Math.ceil(Math.log2(Math.max(width, height)));
  return { width, height, tileSize: number('TileSize'), maxLevel, format };
}

const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;
const entryBytes = 46;
const localBytes = 30;
const signatures = { end: 0x06054b50, locator: 0x07064b50, entry: 0x02014b50 };

async function readDirectory(file: FileHandle): Promise<Map<string, ZipEntry>> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - locatorBytes - endBytes), size);
  const end = tail.subarray(-endBytes);
  if (end.length < endBytes || end.readUInt32LE(0) !== signatures.end)
    throw new Error('Not a zip file without a comment');
  const locator = tail.subarray(0, -endBytes);
  const is64 = locator.length === locatorBytes && locator.readUInt32LE(0) === signatures.locator;
  const { at, sizeBytes } = is64
    ? await readEnd64(file, Number(locator.readBigUInt64LE(8)))
    : { at: end.readUInt32LE(16), sizeBytes: end.readUInt32LE(12) };
  return entriesOf(await readAt(file, at, at + sizeBytes));
}

async function readEnd64(file: FileHandle, at: number): Promise<ZipEntry> {
  const end = await readAt(file, at, at + end64Bytes);
  return { sizeBytes: Number(end.readBigUInt64LE(40)), at: Number(end.readBigUInt64LE(48)) };
}

function entriesOf(directory: Buffer): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  for (let from = 0; from + entryBytes <= directory.length;) {
    if (directory.readUInt32LE(from) !== signatures.entry) throw new Error('A zip file is damaged');
    const nameEnd = from + entryBytes + directory.readUInt16LE(from + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(from + 30);
    const name = directory.toString('utf8', from + entryBytes, nameEnd);
    entries.set(name, entryFrom(directory, from, directory.subarray(nameEnd, extraEnd)));
    from = extraEnd + directory.readUInt16LE(from + 32);
  }
  return entries;
}

const in64 = 0xffffffff;

/**
 * Values above 32 bits are in extra field 1, in this order and only as needed: size, compressed size, offset.
 */
function entryFrom(directory: Buffer, from: number, extra: Buffer): ZipEntry {
  const isStored = directory.readUInt16LE(from + 10) === 0;
  if (!isStored) throw new Error('A tile is compressed');
  const sizeBytes = directory.readUInt32LE(from + 20);
  const at = directory.readUInt32LE(from + 42);
  if (at !== in64) return { at, sizeBytes };
  for (let i = 0; i + 4 <= extra.length; i += 4 + extra.readUInt16LE(i + 2)) {
    if (extra.readUInt16LE(i) !== 1) continue;
    const before = [from + 24, from + 20].filter((place) => directory.readUInt32LE(place) === in64);
    return { sizeBytes, at: Number(extra.readBigUInt64LE(i + 4 + 8 * before.length)) };
  }
  throw new Error('A zip file is damaged');
}

/** Name and extra field precede the bytes; they may be longer than in the directory. */
async function readEntry(file: FileHandle, { at, sizeBytes }: ZipEntry): Promise<Buffer> {
  const end = at + localBytes + 512 + sizeBytes;
  const bytes = await readAt(file, at, end);
  const start = localBytes + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const entry = bytes.subarray(start, start + sizeBytes);
  if (entry.length !== sizeBytes) throw new Error('A tile is cut short');
  return entry;
}

/** Shorter at the end of the file. */
async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}
