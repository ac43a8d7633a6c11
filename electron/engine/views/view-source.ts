/** Thumbnails and rasters of a user's picture for display, without a job. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Rect } from '../../../packages/contract/src/geometry.ts';
import type { PictureSource } from '../protocol/messages.ts';
import {
  decode,
  decodeLimitSeconds,
  decodePart,
  decoding,
  type DecodedPicture,
  thumbnailPx,
  writeThumbnail,
  isForeign,
  inspect,
  type InspectedPicture,
  appendTrailer,
} from '../../../packages/photo-files/src/index.ts';
import { assertDisk } from '../raster/disk.ts';
import { openOwnRaster, openPicture } from '../raster/libvips.ts';
import { writeAtomically } from './write-view.ts';

/**
 * Decodes a picture into a raster with its profile.
 *
 * @throws EnlargerError UNREADABLE_IMAGE, IMAGE_TOO_LARGE or STORAGE_FULL
 */
export async function decodeForView({
  sourcePath,
  scratchDir,
  limits,
}: PictureSource): Promise<DecodedPicture & Pick<InspectedPicture, 'format'>> {
  const inspected = await inspect(sourcePath, limits);
  const decoded = await decodeInspected(sourcePath, inspected, scratchDir);
  return { ...decoded, format: inspected.format };
}

export const isUnreadable = (error: unknown): boolean =>
  error instanceof EnlargerError && error.code === 'UNREADABLE_IMAGE';

/** Decodes as decodeForView does; of a picture that is cut off what is there. */
export async function decodePartForView({ sourcePath, scratchDir, limits }: PictureSource) {
  return decodeWholeOrPart(sourcePath, await inspect(sourcePath, limits), scratchDir);
}

async function decodeWholeOrPart(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
): Promise<DecodedPicture> {
  try {
    return await decodeInspected(sourcePath, inspected, scratchDir);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return decodeInspected(sourcePath, inspected, scratchDir, decodePart).catch(() => {
      throw error;
    });
  }
}

async function decodeInspected(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
  decodeBy: typeof decode = decode,
): Promise<DecodedPicture> {
  const { width, height, channels, bitDepth } = inspected.info;
  await assertDisk(scratchDir, 2 * width * height * channels * Math.ceil(bitDepth / 8));
  const decoded = await decodeBy(sourcePath, inspected, scratchDir);
  appendProfile(inspected, decoded);
  return decoded;
}

/** Appends the source's profile to the raster's trailer, for colour-managed views. */
export function appendProfile(
  { metadata }: InspectedPicture,
  { path, converted }: DecodedPicture,
): void {
  appendTrailer(path, !converted && metadata.icc ? { icc: metadata.icc } : {});
}

/** Reads the profile in a raster's trailer. */
export async function profileOf(rasterPath: string): Promise<Buffer | undefined> {
  return (await openOwnRaster(rasterPath).metadata()).icc;
}

/** Writes a rectangle of a raster as an 8-bit sRGB PNG, with low compression because it is displayed once. */
export async function writeCrop(
  rasterPath: string,
  { x, y, width, height }: Rect,
  toPath: string,
): Promise<void> {
  await openOwnRaster(rasterPath, { toDisplay: true })
    .extract({ left: x, top: y, width, height })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toFile(toPath);
}

/**
 * Writes an upright WebP thumbnail in sRGB. A JPEG is decoded at the nearest smaller DCT scale, which takes a
 * tenth of the time.
 */
export async function writeSourceThumbnail(
  source: PictureSource,
  toPath: string,
  sidePx = thumbnailPx,
): Promise<void> {
  const { sourcePath, scratchDir, limits } = source;
  const inspected = await inspect(sourcePath, limits);
  const throughRaster = async () => {
    const { path } = await decodeWholeOrPart(sourcePath, inspected, scratchDir);
    await writeAtomically(toPath, (part) => writeThumbnail(path, part, { sidePx }));
  };
  if (needsFullDecoding(inspected)) return throughRaster();
  const { info } = inspected;
  const seconds = decodeLimitSeconds((info.width * info.height) / 1e6);
  const picture = openPicture(sourcePath, { ignoreIcc: false })
    .autoOrient()
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds });
  const directly = () => writeAtomically(toPath, (part) => picture.toFile(part));
  try {
    await decoding(directly, inspected, scratchDir);
  } catch (error) {
    // The full decoder repairs files that break a rule but are complete, and its error names the fault.
    if (isUnreadable(error)) return throughRaster();
    throw error;
  }
}

/** Whether libvips' shrink-on-load would show the picture wrongly, so that the full decoder is needed. */
const needsFullDecoding = ({
  format,
  unusual,
  channels,
  isFloat,
  metadata,
}: InspectedPicture): boolean =>
  isForeign(format) ||
  isFloat === true ||
  metadata.declared !== undefined ||
  unusual !== undefined ||
  (channels !== undefined && (channels.page > 0 || channels.extras.length > 0));
