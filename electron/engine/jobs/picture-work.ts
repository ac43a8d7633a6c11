/** Work on pictures outside jobs, made on demand for display. */
import type {
  OpenedPicture,
  PictureSource,
  PictureWork,
  PictureWorkResponse,
} from '../protocol/messages.ts';
import {
  readFileCompression,
  describePicture,
  inspect,
} from '../../../packages/photo-files/src/index.ts';
import { measurePicture } from '../analysis/measure-picture.ts';
import { hasAlpha, withRaster } from '../raster/raster-file.ts';
import { createYield, neverAborted } from '../cancellation/yield.ts';
import { compareLikeness } from '../views/likeness.ts';
import { makePreviews } from './preview/preview.ts';
import { writeLiveMask } from './preview/live-mask.ts';
import { writeTiles } from '../views/tiles.ts';
import { decodeForView, decodePartForView, writeSourceThumbnail } from '../views/view-source.ts';
import { openOwnRaster } from '../raster/libvips.ts';

/**
 * Does one piece of work. The service removes what is left in the scratch folder.
 *
 * @param inference undefined in a process without networks
 * @throws EnlargerError
 */
export async function doPictureWork(
  work: PictureWork,
  inference: Parameters<typeof makePreviews>[1] | undefined,
): Promise<PictureWorkResponse> {
  switch (work.do) {
    case 'thumbnail':
      await writeSourceThumbnail(work, work.toPath, work.sidePx);
      return undefined;
    case 'tiles':
      await cutTiles(work, work.toPath);
      return undefined;
    case 'split':
      await splitPicture(work, work.coloursPath, work.alphaPath);
      return undefined;
    case 'describe':
      return describePicture(await inspect(work.sourcePath, work.limits));
    case 'open':
      return open(work);
    case 'likeness':
      return compareLikeness(work, work.resultPath, work.resultPixels);
    case 'preview':
      if (!inference) throw new Error('A preview needs a network; ask the process that has them.');
      return makePreviews(work, inference);
    case 'liveMask':
      if (!inference) throw new Error('Clicks need a network; ask the process that has them.');
      await writeLiveMask(work, inference);
      return undefined;
  }
}

async function cutTiles(source: PictureSource, toPath: string): Promise<void> {
  const { path, shape } = await decodePartForView(source);
  await writeTiles(path, shape, toPath);
}

async function open(source: PictureSource): Promise<OpenedPicture> {
  const { path, shape, format } = await decodeForView(source);
  const file = readFileCompression(source.sourcePath, format);
  return withRaster(path, async (raster) => {
    const damage = await measurePicture(raster, file, createYield(neverAborted));
    return { rasterPath: path, width: shape.width, height: shape.height, damage };
  });
}

/** Nearly lossless, so that colours and alpha together reproduce the picture. */
const colours = { quality: 97, chromaSubsampling: '4:4:4' };

/**
 * Writes a picture with transparency as two opaque files: its colours, and its alpha in grey.
 *
 * @throws EnlargerError UNREADABLE_IMAGE, IMAGE_TOO_LARGE or STORAGE_FULL
 */
async function splitPicture(
  source: PictureSource,
  coloursPath: string,
  alphaPath: string,
): Promise<void> {
  const { path, shape } = await decodeForView(source);
  const space = shape.bands < 3 ? 'b-w' : 'srgb';
  await openOwnRaster(path)
    .removeAlpha()
    .toColourspace(space)
    .keepIccProfile()
    .jpeg(colours)
    .toFile(coloursPath);
  const whole = hasAlpha(shape)
    ? openOwnRaster(path).extractChannel(shape.bands === 2 ? 1 : 3)
    : openOwnRaster(path).extractChannel(0).linear(0, 255);
  await whole.toColourspace('b-w').png().toFile(alphaPath);
}
