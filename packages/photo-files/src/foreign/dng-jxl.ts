/**
 * Unpacks the JPEG XL tiles of a DNG (DNG 1.7, "Compression" 52546), as current phones and Lightroom write them: LibRaw
 * reads none. The samples are appended to the file uncompressed, and its directories point to them.
 */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import {
  bytesInMemory,
  numbersByTag,
  openLayout,
  readDirectory,
  readNumber,
  type RawEntry,
  type TiffLayout,
} from '../../../file-records/src/index.ts';
import { putNumber } from '../metadata/exif/directory-writer.ts';
import { dngDirectories } from '../metadata/tiff/white-level.ts';

export interface JxlTile {
  width: number;
  height: number;
  bands: number;
  bits: 8 | 16;
  /** Row-major. */
  samples(): Uint8Array | Uint16Array;
}
export type OpenJxlTile = (codestream: Uint8Array) => JxlTile;

const tags = {
  kind: 0x00fe,
  width: 0x0100,
  height: 0x0101,
  bits: 0x0102,
  compression: 0x0103,
  bands: 0x0115,
  rowsPerStrip: 0x0116,
  tileWidth: 0x0142,
  tileHeight: 0x0143,
  rowInterleave: 0xc71f,
  columnInterleave: 0xcd43,
} as const;
const placeTags = [
  [0x0144, 0x0145],
  [0x0111, 0x0117],
] as const;
const jxlCompression = 52_546;
const plainCompression = 1;

interface PackedPicture {
  layout: TiffLayout;
  entries: RawEntry[];
  numberOf: (tag: number) => number | undefined;
}

/** The directories of sensor data in JPEG XL; previews are not unpacked. */
function packedPictures(file: Buffer): PackedPicture[] {
  const layout = openLayout(bytesInMemory(file));
  if (!layout) return [];
  return dngDirectories(file).flatMap((at) => {
    const { entries } = readDirectory(layout, at);
    const numberOf = numbersByTag(layout, entries);
    const isPacked = numberOf(tags.compression) === jxlCompression;
    return isPacked && (numberOf(tags.kind) ?? 0) === 0 ? [{ layout, entries, numberOf }] : [];
  });
}

export const hasJxlTiles = (file: Buffer): boolean => packedPictures(file).length > 0;

/** Declares the samples uncompressed, for a decoder that reads the header alone. */
export function withPlainHeader(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  for (const picture of packedPictures(file)) declarePlain(copy, picture);
  return copy;
}

function declarePlain(file: Buffer, { layout, entries }: PackedPicture): void {
  const entry = entries.find(({ tag }) => tag === tags.compression);
  if (entry?.sizeBytes === 2)
    putNumber(file, entry.valueAt, 2, plainCompression, layout.littleEndian);
}

/**
 * @param maxPixels of the sensor data
 *
 * @throws UserFacingError if tiles are not of the size that their directory states, or too large together
 */
export function withPlainSamples(file: Buffer, open: OpenJxlTile, maxPixels: number): Buffer {
  const parts = [file];
  const patches: ((copy: Buffer) => void)[] = [];
  let end = file.length;
  for (const picture of packedPictures(file)) {
    const places = placesOf(file, picture);
    const tiles = unpackTiles(file, picture, places.ranges, open, maxPixels);
    const offsets = tiles.map((tile) => {
      parts.push(tile);
      end += tile.length;
      return end - tile.length;
    });
    patches.push((copy) => {
      declarePlain(copy, picture);
      const { littleEndian } = picture.layout;
      for (const [i, tile] of tiles.entries()) {
        places.offsets.put(copy, i, offsets[i] ?? 0, littleEndian);
        places.sizes.put(copy, i, tile.length, littleEndian);
      }
    });
  }
  const copy = Buffer.concat(parts);
  for (const patch of patches) patch(copy);
  return copy;
}

const unreadable = (why: string) =>
  new UserFacingError(`its sensor data are compressed by JPEG XL, and ${why}`);

/** Numbers of an entry, each of two, four or eight bytes. */
function listOf({ valueAt, sizeBytes, count }: RawEntry) {
  const size = sizeBytes / Math.max(1, count);
  if (size !== 4 && size !== 8) throw unreadable('their places are not written as expected');
  return {
    count,
    at: (i: number) => valueAt + i * size,
    put: (file: Buffer, i: number, value: number, littleEndian: boolean) => {
      putNumber(file, valueAt + i * size, size, value, littleEndian);
    },
    size,
  };
}

interface Range {
  at: number;
  length: number;
}

/** Where the tiles or strips are. */
function placesOf(file: Buffer, { layout, entries }: PackedPicture) {
  const find = (tag: number) => entries.find((entry) => entry.tag === tag);
  const [offsets, sizes] = placeTags
    .map(([at, length]) => [find(at), find(length)] as const)
    .find(([at, length]) => at && length) ?? [undefined, undefined];
  if (!offsets || !sizes || offsets.count !== sizes.count || offsets.count > maxTiles)
    throw unreadable('their places are missing');
  const [offsetList, sizeList] = [listOf(offsets), listOf(sizes)];
  const numberIn = ({ at, size }: ReturnType<typeof listOf>, i: number) =>
    readNumber(layout, {
      tag: 0,
      type: size === 4 ? 4 : 16,
      count: 1,
      valueAt: at(i),
      sizeBytes: size,
    }) ?? Infinity;
  const ranges = Array.from({ length: offsets.count }, (_, i): Range => {
    const range = { at: numberIn(offsetList, i), length: numberIn(sizeList, i) };
    if (range.at + range.length > file.length) throw unreadable('some of them are missing');
    return range;
  });
  return { offsets: offsetList, sizes: sizeList, ranges };
}

const maxTiles = 10_000;

/** Samples of each tile, in the byte order of the file. */
function unpackTiles(
  file: Buffer,
  { layout, numberOf }: PackedPicture,
  ranges: readonly Range[],
  open: OpenJxlTile,
  maxPixels: number,
): Buffer[] {
  const width = numberOf(tags.width) ?? 0;
  const height = numberOf(tags.height) ?? 0;
  const tileWidth = numberOf(tags.tileWidth) ?? width;
  const stripHeight = Math.min(height, numberOf(tags.rowsPerStrip) ?? height);
  const tileHeight = numberOf(tags.tileHeight) ?? stripHeight;
  const isTiled = numberOf(tags.tileWidth) !== undefined;
  const [bands, bits] = [numberOf(tags.bands) ?? 1, numberOf(tags.bits) ?? 16];
  const across = Math.ceil(width / tileWidth);
  const isComplete = ranges.length === across * Math.ceil(height / tileHeight);
  if (!isComplete || ranges.length * tileWidth * tileHeight > 2 * maxPixels)
    throw unreadable('their number is not that of the picture');
  const tiles = ranges.map(({ at, length }, i) => {
    const tile = open(file.subarray(at, at + length));
    const rows = isTiled
      ? tileHeight
      : Math.min(tileHeight, height - Math.floor(i / across) * tileHeight);
    const isExpected =
      tile.width === tileWidth &&
      tile.height === rows &&
      tile.bands === bands &&
      tile.bits === bits;
    if (!isExpected) throw unreadable('some of them are not as the file states');
    const { buffer, byteOffset, byteLength } = tile.samples();
    // A copy: the decoder uses its memory again.
    const samples = Buffer.from(Buffer.from(buffer, byteOffset, byteLength));
    return bits === 16 && !layout.littleEndian ? samples.swap16() : samples;
  });
  const [rowFields, columnFields] = [
    numberOf(tags.rowInterleave) ?? 1,
    numberOf(tags.columnInterleave) ?? 1,
  ];
  if (rowFields === 1 && columnFields === 1) return tiles;
  return interleave(tiles, {
    width,
    height,
    tileWidth,
    across,
    tileHeight,
    pixelBytes: (bands * bits) / 8,
    rowFields,
    columnFields,
  });
}

interface Fields {
  width: number;
  height: number;
  tileWidth: number;
  tileHeight: number;
  /** Tiles in a row of them. */
  across: number;
  pixelBytes: number;
  rowFields: number;
  columnFields: number;
}

/**
 * Puts rows and columns in the order of the sensor: the file has those of each field together, first every second row,
 * say, and then the others (DNG 1.7, "RowInterleaveFactor", "ColumnInterleaveFactor").
 */
function interleave(tiles: readonly Buffer[], fields: Fields): Buffer[] {
  const { width, height, tileWidth, tileHeight, across, pixelBytes } = fields;
  const rows = placesAlong(orderOf(height, fields.rowFields), tileHeight);
  const columns = placesAlong(orderOf(width, fields.columnFields), tileWidth);
  const ordered = tiles.map((tile) => Buffer.alloc(tile.length));
  for (const row of rows)
    for (const column of columns) {
      const from = tiles[row.from.tile * across + column.from.tile] as Buffer;
      const to = ordered[row.to.tile * across + column.to.tile] as Buffer;
      const start = (row.from.offset * tileWidth + column.from.offset) * pixelBytes;
      const target = (row.to.offset * tileWidth + column.to.offset) * pixelBytes;
      for (let i = 0; i < pixelBytes; i += 1) to[target + i] = from[start + i] as number;
    }
  return ordered;
}

/** For each row or column of the file its tile and offset there, and those of the sensor's one. */
function placesAlong(order: readonly number[], tileSide: number) {
  const placeOf = (at: number) => ({ tile: Math.floor(at / tileSide), offset: at % tileSide });
  return order.map((to, from) => ({ from: placeOf(from), to: placeOf(to) }));
}

/** For each row of the file the row of the sensor. */
function orderOf(length: number, fields: number): number[] {
  if (fields < 1 || fields > length) throw unreadable('their order is not known');
  return Array.from({ length: fields }, (_, field) =>
    Array.from({ length: Math.ceil((length - field) / fields) }, (_row, i) => i * fields + field),
  ).flat();
}
