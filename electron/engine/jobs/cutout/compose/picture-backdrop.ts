/**
 * Picture as background: scaled to cover the canvas, centred, cropped, and converted to the result's profile.
 * It is a raster of its own, so memory does not grow with it.
 */
import { note } from '../../../../../packages/contract/src/notes/notes.ts';
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { convertRaster } from '../../../raster/convert-raster.ts';
import { bytesDecoded, appendTrailer } from '../../../../../packages/photo-files/src/index.ts';
import { openOwnRaster } from '../../../raster/libvips.ts';
import {
  colourBands,
  createSamples,
  hasAlpha,
  openRaster,
  type Raster,
  consumeRaster,
} from '../../../raster/raster-file.ts';
import { decodeForView, profileOf } from '../../../views/view-source.ts';
import { bytesWritten, awaitUncancellable } from '../../../cancellation/uncancellable-work.ts';
import type { BackdropRow } from './compose.ts';

interface BackdropPictureOptions extends Pick<CutoutJob, 'scratchDir' | 'limits'> {
  path: string;
  size: Size;
  bits: 8 | 16;
  /** ICC profile of the result; undefined: sRGB. */
  icc: Buffer | undefined;
  signal: AbortSignal;
  stillAlive: () => void;
}

interface BackdropPicture {
  /** RGB, in the requested size and depth. The caller closes it. */
  raster: Raster;
  notes: string[];
}

const white = [1, 1, 1];

/**
 * Creates the raster.
 *
 * @throws EnlargerError UNREADABLE_IMAGE, IMAGE_TOO_LARGE, STORAGE_FULL; the signal's reason
 */
export async function openBackdropPicture(
  options: BackdropPictureOptions,
): Promise<BackdropPicture> {
  const { path, scratchDir, limits, bits, signal, stillAlive } = options;
  const folder = join(scratchDir, 'behind');
  mkdirSync(folder);
  try {
    const picture = { sourcePath: path, scratchDir: folder, limits };
    const decoded = await awaitUncancellable(
      decodeForView(picture),
      () => bytesDecoded(folder),
      stillAlive,
      signal,
    );
    const icc = await profileOf(decoded.path);
    const deepPath = join(folder, 'deep.v');
    const isFlattened = hasAlpha(decoded.shape);
    const behind = isFlattened ? white.slice(0, colourBands(decoded.shape)) : undefined;
    await consumeRaster(decoded.path, (source) =>
      convertRaster(source, deepPath, { bits, behind }, { signal }),
    );
    appendTrailer(deepPath, icc ? { icc } : {});
    const raster = await fill(deepPath, icc, options);
    return { raster, notes: isFlattened ? [note('BACKGROUND_FLATTENED')] : [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Fits the picture to its size and converts it to the result's profile with libvips, in strips. Equal
 * profiles are not converted.
 */
async function fill(
  fromPath: string,
  own: Buffer | undefined,
  { size, bits, icc, scratchDir, signal, stillAlive }: BackdropPictureOptions,
): Promise<Raster> {
  const toPath = join(scratchDir, 'behind.v');
  const profilePath = join(scratchDir, 'behind.icc');
  const isSame = own === icc || (own !== undefined && icc !== undefined && own.equals(icc));
  const fitted = (toDisplay: boolean) =>
    openOwnRaster(fromPath, { toDisplay }).resize({
      ...size,
      fit: 'cover',
      position: 'centre',
      kernel: 'lanczos3',
      fastShrinkOnLoad: false,
    });
  const space = bits === 16 ? 'rgb16' : 'srgb';
  const write = async () => {
    if (isSame || icc === undefined) {
      await fitted(!isSame).toColourspace(space).toFile(toPath);
      return;
    }
    writeFileSync(profilePath, icc);
    // In 16 bits sharp converts to a profile only if the pipeline runs in scRGB.
    await fitted(true)
      .pipelineColourspace('scrgb')
      .toColourspace(space)
      .withIccProfile(profilePath)
      .toFile(toPath);
  };
  try {
    await awaitUncancellable(write(), () => bytesWritten(toPath), stillAlive, signal);
  } finally {
    rmSync(profilePath, { force: true });
  }
  const raster = openRaster(toPath);
  const { shape } = raster;
  const hasRequestedSize = shape.width === size.width && shape.height === size.height;
  if (hasRequestedSize && shape.bands === 3 && shape.bits === bits) return raster;
  raster.close();
  throw new Error(`A raster of ${shape.bands} bands of ${shape.bits} bits came out of libvips`);
}

/** The picture's rows as background of a region with the same origin. */
export function rowsOfPicture(raster: Raster, region: Rect): BackdropRow {
  const { width, bands, bits } = raster.shape;
  const samples = createSamples(raster.shape, width * bands);
  const first = region.x * bands;
  const row = new Float32Array(first + width * bands);
  const top = 2 ** bits - 1;
  return (y) => {
    raster.readRect({ x: 0, y: y - region.y, width, height: 1 }, samples, 0, width * bands);
    for (let i = 0; i < samples.length; i += 1) row[first + i] = (samples[i] as number) / top;
    return row;
  };
}
