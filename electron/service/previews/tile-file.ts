/**
 * Reads single tiles from the engine's zip file (engine/views/tiles.ts). Entries are stored uncompressed, so
 * a tile is a byte range. Only the central directory is read in advance. (Deep Zoom as libvips writes it.)
 */
import type { FileHandle } from 'node:fs/promises';
import { tileFormats } from '../../../packages/contract/src/picture.ts';
import { openPlainFile } from '../../../packages/files/src/plain-file.ts';
import { readZipDirectory, readZipEntry } from '../../../packages/files/src/stored-zip.ts';
import type { ZipEntry } from '../../../packages/file-records/src/index.ts';

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
  const entries = await readZipDirectory(file);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Far above a tile of 512 x 512 pixels. */
const maxEntryBytes = 16 * 1024 * 1024;

function readEntry(file: FileHandle, entry: ZipEntry): Promise<Buffer> {
  if (entry.storedBytes > maxEntryBytes) throw new Error('A tile is too large');
  return readZipEntry(file, entry);
}
