/** Decodes the HDR gain map of a photo, and writes it at the size for a result as a JPEG. */
import { closeSync, copyFileSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { Size } from '../../contract/src/geometry.ts';
import { readHeifItems, bytesOfFile, withFileBytes } from '../../file-records/src/index.ts';
import { neverAborted } from '../../../electron/engine/cancellation/yield.ts';
import { writeAll } from '../../files/src/write-all.ts';
import { describeGainMap, type GainMapFile } from './metadata/gain-map/attach-gain-map.ts';
import type { SourceGainMap } from './metadata/gain-map/find-gain-map.ts';
import { hasThreeGains } from './metadata/gain-map/parameters.ts';
import { decode } from './decode.ts';
import { inspect, type InspectedPicture } from './inspect.ts';
import { openOwnRaster } from '../../../electron/engine/raster/libvips.ts';
import { isNeutral, toGrey } from '../../../electron/engine/raster/neutral.ts';
import { areaTapsOf, type Taps } from '../../../electron/engine/raster/planes/resample.ts';
import {
  createSamples,
  vipsSpaceOf,
  withRaster,
  type Raster,
  type RasterShape,
  type Samples,
} from '../../../electron/engine/raster/raster-file.ts';
import { writeRows, type StripOptions } from '../../../electron/engine/raster/strips.ts';
import { appendTrailer } from './trailer.ts';

/** A map of more pixels is enlarged less: it is read between its pixels anyway. */
const maxMapPixels = 64e6;
/** Quality of the map's JPEG: errors of a gain are errors of the light. */
const mapQuality = 95;

interface GainMapOrder {
  sourcePath: string;
  /** The base picture. */
  inspected: InspectedPicture;
  gainMap: SourceGainMap;
  /** Size of the result. */
  size: Size;
  scratchDir: string;
}

/**
 * Enlarges the map as its base picture was enlarged.
 *
 * @returns undefined if the map cannot be decoded
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function enlargeGainMap(
  { sourcePath, inspected, gainMap, size, scratchDir }: GainMapOrder,
  options: StripOptions,
): Promise<GainMapFile | undefined> {
  const folder = join(scratchDir, 'gain-map');
  mkdirSync(folder);
  const { info } = inspected;
  const decoded = await decodeGainMap(sourcePath, inspected, gainMap, folder);
  if (!decoded) return undefined;
  const { path, icc } = decoded;
  const largePath = join(folder, 'enlarged.v');
  const shape = await withRaster(path, async (map) => {
    const target = sizeOfMap(map.shape, info, size);
    return resampleMap(map, largePath, target, gainMap.levels, options);
  });
  rmSync(path);
  const jpegPath = join(folder, 'enlarged.jpg');
  // Gains that are not in the base picture's colours are in those of the map's profile.
  appendTrailer(largePath, gainMap.parameters.usesBaseColours || !icc ? {} : { icc });
  await openOwnRaster(largePath)
    .toColourspace(vipsSpaceOf(shape))
    .keepIccProfile()
    .jpeg({ quality: mapQuality, chromaSubsampling: '4:4:4' })
    .toFile(jpegPath);
  rmSync(largePath);
  return describeGainMap(jpegPath, gainMap.parameters);
}

/** Size of the map that has as many pixels for each of the result's as it had for the base picture's. */
function sizeOfMap(map: Size, base: Size, result: Size): Size {
  const [across, down] = [result.width / base.width, result.height / base.height];
  const pixels = map.width * across * map.height * down;
  const factor = Math.min(1, Math.sqrt(maxMapPixels / pixels));
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: side(map.width * across), height: side(map.height * down) };
}

/** Decodes the map into a raster, upright as its base picture; undefined for a map that cannot be read. */
async function decodeGainMap(
  sourcePath: string,
  base: InspectedPicture,
  { place, parameters }: SourceGainMap,
  folder: string,
): Promise<{ path: string; icc: Buffer | undefined } | undefined> {
  const mapPath = join(folder, 'map');
  if (place.kind === 'range')
    withFileBytes(sourcePath, (bytes) => {
      writeFileSync(mapPath, bytes.read(place.at, place.sizeBytes));
    });
  else copyWithPrimary(sourcePath, mapPath, place.id);
  const { info } = base;
  try {
    const limits = { sourcePixels: info.width * info.height, resultPixels: 0 };
    const inspected = await inspect(mapPath, limits);
    const metadata = { ...inspected.metadata, declared: undefined };
    // The base picture's EXIF turns both; items of a HEIF file are turned each by their own properties.
    const orientation = place.kind === 'range' ? base.orientation : inspected.orientation;
    const { path, converted } = await decode(
      mapPath,
      { ...inspected, metadata, orientation },
      folder,
    );
    if (converted) return undefined;
    if (!hasThreeGains(parameters) && (await isNeutral(path, { signal: neverAborted })))
      await toGrey(path);
    return { path, icc: metadata.icc };
  } catch (error) {
    if (error instanceof EnlargerError && error.code !== 'STORAGE_FULL') return undefined;
    throw error;
  } finally {
    rmSync(mapPath);
  }
}

/** Copies a HEIF file with another item as its primary and only picture, which no other one refers to. */
function copyWithPrimary(path: string, toPath: string, id: number): void {
  copyFileSync(path, toPath);
  const fd = openSync(toPath, 'r+');
  try {
    const items = readHeifItems(bytesOfFile(fd));
    if (!items) throw new Error('The HEIF file has no items');
    const number = Buffer.alloc(items.primaryIdBytes);
    number.writeUIntBE(id, 0, items.primaryIdBytes);
    writeAll(fd, number, items.primaryAt);
    // libvips takes the first picture that is not hidden.
    for (const item of items.items)
      writeAll(fd, Buffer.from([item.id === id ? 0 : 1]), item.flagsAt);
    const isHiding = ({ type, from, to }: (typeof items.references)[number]) =>
      (type === 'auxl' && from === id) || (type === 'dimg' && to.includes(id));
    for (const { typeAt } of items.references.filter(isHiding))
      writeAll(fd, Buffer.from('skip', 'latin1'), typeAt);
  } finally {
    closeSync(fd);
  }
}

/** Writes the map at another size in 8 bits, interpolated between its pixels. */
async function resampleMap(
  map: Raster,
  toPath: string,
  { width, height }: Size,
  levels: Uint8Array | undefined,
  options: StripOptions,
) {
  const { bands } = map.shape;
  const shape: RasterShape = { width, height, bands: bands < 3 ? 1 : 3, bits: 8 };
  const columns = areaTapsOf(map.shape.width, width);
  const rows = areaTapsOf(map.shape.height, height);
  const readRow = rowReader(map, levels);
  const line = new Float32Array(map.shape.width * bands);
  await writeRows(toPath, shape, options, (row, y) => {
    const { first, weights } = rows[y] as Taps;
    line.fill(0);
    for (const [i, weight] of weights.entries()) {
      const values = readRow(first + i);
      for (let x = 0; x < line.length; x += 1)
        line[x] = (line[x] as number) + weight * (values[x] as number);
    }
    mixColumns(line, bands, columns, row, shape.bands);
  });
  return shape;
}

function mixColumns(
  line: Float32Array,
  bands: number,
  columns: readonly Taps[],
  row: Samples,
  colours: number,
): void {
  for (const [x, { first, weights }] of columns.entries())
    for (let band = 0; band < colours; band += 1) {
      let sum = 0;
      for (const [i, weight] of weights.entries())
        sum += weight * (line[(first + i) * bands + band] as number);
      row[x * colours + band] = Math.round(sum);
    }
}

/** Reads rows as levels of 255. The last two are cached, because neighbouring rows of the result share them. */
function rowReader(map: Raster, levels: Uint8Array | undefined): (y: number) => Float32Array {
  const { width, bands, bits } = map.shape;
  const samples = createSamples(map.shape, width * bands);
  const divisor = bits === 16 ? 257 : 1;
  const cache = new Map<number, Float32Array>();
  return (y) => {
    const cached = cache.get(y);
    if (cached) return cached;
    map.readRect({ x: 0, y, width, height: 1 }, samples, 0, samples.length);
    const row = Float32Array.from(samples, (sample) => {
      const level = sample / divisor;
      return levels?.[Math.round(level)] ?? level;
    });
    for (const oldest of cache.size < 2 ? [] : [...cache.keys()].slice(0, 1)) cache.delete(oldest);
    cache.set(y, row);
    return row;
  };
}
