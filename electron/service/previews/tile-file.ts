/**
 * Reads single tiles from the engine's zip file (engine/views/tiles.ts). Entries are stored uncompressed, so
 * a tile is a byte range. Only the central directory, possibly zip64, is read in advance. (Deep Zoom as libvips
 * writes it.)
 */
import type { FileHandle } from 'node:fs/promises';
import { tileFormats } from '../../contract/picture.ts';
import { openPlainFile } from '../../files/plain-file.ts';
import {
  dataOffset,
  readZip64End,
  readZipEnd,
  readZipEntries,
  zip64EndBytes,
  zip64LocatorBytes,
  zipEndBytes,
  zipLocalBytes,
  type ZipEntry,
} from '../../../packages/file-records/src/index.ts';

export interface TileFile {
  readonly width: number;
  readonly height: number;
  readonly tileSize: number;
  readonly maxLevel: number;
  readonly format: (typeof tileFormats)[number];
  /** The encoded tile; undefined if there is none. */
  read(level: number, column: number, row: number): Promise<Buffer | undefined>;
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
  const file = await openPlainFile(path);
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

async function readDirectory(file: FileHandle): Promise<Map<string, ZipEntry>> {
  const { size } = await file.stat();
  const end = readZipEnd(await readAt(file, Math.max(0, size - tailBytes), size));
  const directory =
    end && 'end64At' in end
      ? readZip64End(await readAt(file, end.end64At, end.end64At + zip64EndBytes))
      : end;
  if (!directory) throw new Error('Not a zip file');
  const { at, sizeBytes } = directory;
  if (sizeBytes > maxDirectoryBytes) throw new Error('The directory of a zip file is too large');
  const entries = readZipEntries(await readAt(file, at, at + sizeBytes));
  if (!entries) throw new Error('A zip file is damaged');
  if (entries.some(({ method }) => method !== 0)) throw new Error('A tile is compressed');
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Of a million tiles, more than 16 gigapixels have. */
const maxDirectoryBytes = 128 * 1024 * 1024;
/** Far above a tile of 512 x 512 pixels. */
const maxEntryBytes = 16 * 1024 * 1024;
/** libvips writes no comment behind the end record. */
const tailBytes = zip64LocatorBytes + zipEndBytes;
/** Bytes for the name and extra field of a local header, so that one read gets a tile. */
const spareBytes = 512;

async function readEntry(file: FileHandle, { headerAt, storedBytes }: ZipEntry): Promise<Buffer> {
  if (storedBytes > maxEntryBytes) throw new Error('A tile is too large');
  const end = headerAt + zipLocalBytes + spareBytes + storedBytes;
  const bytes = await readAt(file, headerAt, end);
  const start = dataOffset(bytes) ?? 0;
  const entry = bytes.subarray(start, start + storedBytes);
  if (start === 0 || entry.length !== storedBytes) throw new Error('A tile is cut short');
  return entry;
}

/** Shorter at the end of the file. */
async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}
