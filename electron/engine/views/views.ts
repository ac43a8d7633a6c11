/** What a job leaves for looking at it later: thumbnail and tiles of its source, tiles of its result. */
import { writeFile } from 'node:fs/promises';
import type { DescribedPictures, JobFrame, ViewPaths } from '../protocol.ts';
import type { Decoded } from '../raster/decode.ts';
import { writeThumbnail } from '../raster/encode.ts';
import { describePicture } from '../metadata/describe.ts';
import { inspect, type Inspected } from '../raster/inspect.ts';
import { openSamples } from '../raster/libvips.ts';
import type { ChangeMap } from '../works/upscale/fidelity/compare-reduced.ts';
import type { Raster, RasterShape } from '../raster/raster-file.ts';
import { alphaOf, reduceRaster, sizeWithin } from '../raster/reduce-raster.ts';
import { bytesWritten } from '../watched.ts';
import { writeTiles, writeWhole } from './tiles.ts';
import { keepProfile } from './view-source.ts';

/**
 * From this many pixels on a result's tiles are cut while its raster is there: cutting them from an
 * encoded picture of more would let a person wait.
 */
const tiledPixels = 16e6;

/** Of the source as it was decoded; its raster then carries its profile. */
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

/** Of the raster that is encoded, with its trailer. A small one's tiles are cut when they are wanted. */
export async function viewResult(
  views: ViewPaths | undefined,
  rasterPath: string,
  shape: RasterShape,
): Promise<void> {
  if (!views || shape.width * shape.height < tiledPixels) return;
  await ifPossible(() => writeTiles(rasterPath, shape, views.resultTilesPath));
}

/** Where the network changed the picture, in grey: a level is a level of difference. */
export async function viewChanges(
  views: Pick<ViewPaths, 'changesPath'> | undefined,
  { levels, ...size }: ChangeMap,
): Promise<void> {
  if (!views) return;
  await ifPossible(() => writeWhole(views.changesPath, (part) => writeGreyPng(levels, size, part)));
}

/** A PNG of one grey band. */
async function writeGreyPng(
  values: Uint8Array,
  { width, height }: { width: number; height: number },
  toPath: string,
): Promise<void> {
  await openSamples(values, { width, height, channels: 1 }).png().toFile(toPath);
}

/** Of a cut-out at most so many pixels a side. */
const mostMaskPx = 1024;

/** The subject in grey, reduced, of all of the picture: what a person paints on. `subject` has alpha last. */
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

/** What the source said, and what the written result says. */
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

/** A full disk and the like: the job itself meets it, and says so, if it is one for it. */
async function ifPossible(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    process.stderr.write(`A view could not be written: ${String(error)}\n`);
  }
}

/** Bytes so far of a view that is being written. */
export const bytesOfView = (path: string | undefined): number => bytesWritten(`${path ?? ''}.part`);
