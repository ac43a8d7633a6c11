/**
 * Writes a job's views: thumbnail and tiles of its source, tiles of its result, mask, change map, metadata.
 */
import { writeFile } from 'node:fs/promises';
import type { DescribedPictures, JobFrame, ViewPaths } from '../protocol/messages.ts';
import {
  decodePart,
  type DecodedPicture,
  writeThumbnail,
  describePicture,
  inspect,
  type InspectedPicture,
} from '../../../packages/photo-files/src/index.ts';
import { minTiledPixels } from '../plan/speeds.ts';
import { openSamples } from '../raster/libvips.ts';
import type { Raster, RasterShape } from '../raster/raster-file.ts';
import { reduceAlpha, sizeWithin } from '../raster/reduce-raster.ts';
import { bytesWritten } from '../cancellation/uncancellable-work.ts';
import { writeTiles } from './tiles.ts';
import { writeAtomically } from './write-view.ts';
import { appendProfile, isUnreadable } from './view-source.ts';

/** Map of the changed places: each cell has the value of its most changed pixel. */
export interface ChangeMap {
  width: number;
  height: number;
  /** 0..255, row-major. */
  levels: Uint8Array;
}

/** Writes the views of the decoded source, and appends its profile to its raster. */
export async function viewSource(
  views: ViewPaths | undefined,
  inspected: InspectedPicture,
  decoded: DecodedPicture,
): Promise<void> {
  if (!views) return;
  const { path, shape, light } = decoded;
  appendProfile(inspected, decoded);
  await ifPossible(() =>
    writeAtomically(views.sourceThumbPath, (part) => writeThumbnail(path, part, { light })),
  );
  // Tiles that are cut on demand are mapped.
  if (!light) await ifPossible(() => writeTiles(path, shape, views.sourceTilesPath));
}

/** Writes views of what is there of a source that could not be decoded, which is deleted with the job. */
export async function viewPart(
  { views, sourcePath, scratchDir }: Pick<JobFrame, 'views' | 'sourcePath' | 'scratchDir'>,
  inspected: InspectedPicture,
  error: unknown,
): Promise<void> {
  if (!views || !isUnreadable(error)) return;
  await ifPossible(async () =>
    viewSource(views, inspected, await decodePart(sourcePath, inspected, scratchDir)),
  );
}

/**
 * Cuts tiles of a large result while its raster exists: cutting them later from the encoded file would keep a person
 * waiting. Those of a smaller one are cut on demand.
 */
export async function viewResult(
  views: ViewPaths | undefined,
  rasterPath: string,
  shape: RasterShape,
): Promise<void> {
  if (!views || shape.width * shape.height < minTiledPixels) return;
  await ifPossible(() => writeTiles(rasterPath, shape, views.resultTilesPath));
}

/** Writes the change map as a grey PNG: one level of grey is one level of difference. */
export async function viewChanges(
  views: Pick<ViewPaths, 'changesPath'> | undefined,
  { levels, ...size }: ChangeMap,
): Promise<void> {
  if (!views) return;
  await ifPossible(() =>
    writeAtomically(views.changesPath, (part) => writeGreyPng(levels, size, part)),
  );
}

/** Writes a PNG with one grey band. */
export async function writeGreyPng(
  values: Uint8Array,
  { width, height }: { width: number; height: number },
  toPath: string,
): Promise<void> {
  await openSamples(values, { width, height, channels: 1 }).png().toFile(toPath);
}

/** Longest side of a cut-out's mask. */
const maxMaskPx = 1024;

/**
 * Writes the mask over the whole picture, reduced, in grey, for painting strokes on it.
 *
 * @param subject raster whose last band is alpha
 */
export async function viewMask(
  views: ViewPaths | undefined,
  subject: Raster,
  signal: AbortSignal,
): Promise<void> {
  if (!views) return;
  const size = sizeWithin(subject.shape, maxMaskPx);
  const { data } = await reduceAlpha(subject, size, signal);
  const levels = Uint8Array.from(data, (value) => Math.round(255 * value));
  await ifPossible(() =>
    writeAtomically(views.maskPath, (part) => writeGreyPng(levels, size, part)),
  );
}

/** Writes the metadata of source and result as JSON. */
export async function viewMetadata(
  { views, limits }: Pick<JobFrame, 'views' | 'limits'>,
  source: InspectedPicture,
  resultPath: string,
): Promise<void> {
  if (!views) return;
  await ifPossible(async () => {
    const result = await inspect(resultPath, { ...limits, sourcePixels: limits.resultPixels });
    const described: DescribedPictures = {
      source: describePicture(source),
      result: describePicture(result),
    };
    await writeAtomically(views.metadataPath, (part) => writeFile(part, JSON.stringify(described)));
  });
}

/** Writes a view; a failure (such as a full disk) is logged and does not fail the job. */
async function ifPossible(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    process.stderr.write(`A view could not be written: ${String(error)}\n`);
  }
}

/** Returns the bytes written so far of a view in progress. */
export const viewBytesWritten = (path: string | undefined): number =>
  bytesWritten(`${path ?? ''}.part`);
