/** Writes a job's views: thumbnail and tiles of its source, tiles of its result, mask, changes, metadata. */
import { writeFile } from 'node:fs/promises';
import type { DescribedPictures, JobFrame, ViewPaths } from '../protocol/messages.ts';
import type { Decoded } from '../raster/decode.ts';
import { writeThumbnail } from '../raster/encode.ts';
import { describePicture } from '../metadata/describe.ts';
import { inspect, type Inspected } from '../raster/inspect.ts';
import { openSamples } from '../raster/libvips.ts';
import type { Raster, RasterShape } from '../raster/raster-file.ts';
import { alphaOf, reduceRaster, sizeWithin } from '../raster/reduce-raster.ts';
import { bytesWritten } from '../cancellation/watched.ts';
import { writeTiles, writeWhole } from './tiles.ts';
import { keepProfile } from './view-source.ts';

/** The map shows where a picture was changed: each cell has the value of its most changed pixel. */
export interface ChangeMap {
  width: number;
  height: number;
  /** The values are levels of 255, row after row. */
  levels: Uint8Array;
}

/**
 * From this many pixels on a result's tiles are cut while its raster is there, because a person would wait
 * for tiles that are cut from an encoded picture of that size.
 */
const tiledPixels = 16e6;

/** Writes the views of the source as it was decoded, and puts its profile into its raster's trailer. */
export async function viewSource(
  views: ViewPaths | undefined,
  inspected: Inspected,
  decoded: Decoded,
): Promise<void> {
  if (!views) return;
  const { path, shape } = decoded;
  keepProfile(inspected, decoded);
  await ifPossible(() => writeWhole(views.sourceThumbPath, (part) => writeThumbnail(path, part)));
  await ifPossible(() => writeTiles(path, shape, views.sourceTilesPath));
}

/** Cuts the tiles of the raster that is encoded. Those of a small one are cut when they are wanted. */
export async function viewResult(
  views: ViewPaths | undefined,
  rasterPath: string,
  shape: RasterShape,
): Promise<void> {
  if (!views || shape.width * shape.height < tiledPixels) return;
  await ifPossible(() => writeTiles(rasterPath, shape, views.resultTilesPath));
}

/** Writes in grey where the network changed the picture: a level of grey is a level of difference. */
export async function viewChanges(
  views: Pick<ViewPaths, 'changesPath'> | undefined,
  { levels, ...size }: ChangeMap,
): Promise<void> {
  if (!views) return;
  await ifPossible(() => writeWhole(views.changesPath, (part) => writeGreyPng(levels, size, part)));
}

/** Writes a PNG of one grey band. */
async function writeGreyPng(
  values: Uint8Array,
  { width, height }: { width: number; height: number },
  toPath: string,
): Promise<void> {
  await openSamples(values, { width, height, channels: 1 }).png().toFile(toPath);
}

/** The longest side of a cut-out's mask, in pixels. */
const mostMaskPx = 1024;

/**
 * Writes the mask over the whole picture, reduced, in grey: a person paints strokes over it. The last band of
 * `subject` is alpha.
 */
export async function viewMask(
  views: ViewPaths | undefined,
  subject: Raster,
  signal: AbortSignal,
): Promise<void> {
  if (!views) return;
  const size = sizeWithin(subject.shape, mostMaskPx);
  const { data } = alphaOf(await reduceRaster(subject, size, signal));
  const levels = Uint8Array.from(data, (value) => Math.round(255 * value));
  await ifPossible(() => writeWhole(views.maskPath, (part) => writeGreyPng(levels, size, part)));
}

/** Writes the metadata of the source and of the written result. */
export async function viewMetadata(
  { views, limits }: Pick<JobFrame, 'views' | 'limits'>,
  source: Inspected,
  resultPath: string,
): Promise<void> {
  if (!views) return;
  await ifPossible(async () => {
    const result = await inspect(resultPath, { ...limits, sourcePixels: limits.resultPixels });
    const described: DescribedPictures = {
      source: describePicture(source),
      result: describePicture(result),
    };
    await writeWhole(views.metadataPath, (part) => writeFile(part, JSON.stringify(described)));
  });
}

/** Writes a view and ignores a failure such as a full disk: a job that it concerns meets it itself. */
async function ifPossible(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    process.stderr.write(`A view could not be written: ${String(error)}\n`);
  }
}

/** Gives the bytes so far of a view that is being written. */
export const bytesOfView = (path: string | undefined): number => bytesWritten(`${path ?? ''}.part`);
