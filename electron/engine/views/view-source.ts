/** Prepares a user's picture to be looked at without a job: its thumbnail, or its raster with its profile. */
import { EnlargerError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';
import type { PictureSource } from '../protocol/messages.ts';
import { decode, decodeLimitSeconds, decoding, type Decoded } from '../raster/decode.ts';
import { assertDisk } from '../raster/disk.ts';
import { thumbnailPx, writeThumbnail } from '../raster/encode.ts';
import { isForeign } from '../raster/foreign/protocol.ts';
import { inspect, type Inspected } from '../raster/inspect.ts';
import { openOwnRaster, openPicture } from '../raster/libvips.ts';
import { writeWhole } from './tiles.ts';
import { appendTrailer } from '../raster/trailer.ts';

/** Decodes a picture into a raster. It throws UNREADABLE_IMAGE, IMAGE_TOO_LARGE or STORAGE_FULL. */
export async function decodeForView({
  sourcePath,
  scratchDir,
  limits,
}: PictureSource): Promise<Decoded & Pick<Inspected, 'format'>> {
  const inspected = await inspect(sourcePath, limits);
  const decoded = await decodeInspected(sourcePath, inspected, scratchDir);
  return { ...decoded, format: inspected.format };
}

async function decodeInspected(
  sourcePath: string,
  inspected: Inspected,
  scratchDir: string,
): Promise<Decoded> {
  const { width, height, channels, bitDepth } = inspected.info;
  await assertDisk(scratchDir, 2 * width * height * channels * Math.ceil(bitDepth / 8));
  const decoded = await decode(sourcePath, inspected, scratchDir);
  keepProfile(inspected, decoded);
  return decoded;
}

/** Puts the source's profile into the raster's trailer, so that views of it are shown in its colours. */
export function keepProfile({ metadata }: Inspected, { path, converted }: Decoded): void {
  appendTrailer(path, !converted && metadata.icc ? { icc: metadata.icc } : {});
}

/** Reads the profile in a raster's trailer. */
export async function profileOf(rasterPath: string): Promise<Buffer | undefined> {
  return (await openOwnRaster(rasterPath).metadata()).icc;
}

/**
 * Writes a part of a raster as a PNG for the screen, in 8 bits and converted to sRGB by its profile. It is
 * compressed with little effort, because it is shown only once.
 */
export async function writeShown(
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
 * Writes a thumbnail as a WebP in sRGB, upright. A JPEG is decoded at the nearest smaller size that its
 * format allows, which takes a tenth of the time.
 */
export async function writeSourceThumbnail(
  source: PictureSource,
  toPath: string,
  sidePx = thumbnailPx,
): Promise<void> {
  const { sourcePath, scratchDir, limits } = source;
  const inspected = await inspect(sourcePath, limits);
  const throughRaster = async () => {
    const { path } = await decodeInspected(sourcePath, inspected, scratchDir);
    await writeWhole(toPath, (part) => writeThumbnail(path, part, sidePx));
  };
  if (isDecodedAlone(inspected)) return throughRaster();
  const { info } = inspected;
  const seconds = decodeLimitSeconds((info.width * info.height) / 1e6);
  const picture = openPicture(sourcePath, { ignoreIcc: false })
    .autoOrient()
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds });
  const directly = () => writeWhole(toPath, (part) => picture.toFile(part));
  try {
    await decoding(directly, inspected, scratchDir);
  } catch (error) {
    // Decoding repairs what is whole but breaks a rule, and words the failure of what is not.
    if (error instanceof EnlargerError && error.code === 'UNREADABLE_IMAGE') return throughRaster();
    throw error;
  }
}

/** Whether only Enlarger's own decoding shows the picture as it is, and not libvips' shortcut alone. */
const isDecodedAlone = ({ format, unusual, channels, isFloat, metadata }: Inspected): boolean =>
  isForeign(format) ||
  isFloat === true ||
  metadata.signalled !== undefined ||
  unusual !== undefined ||
  (channels !== undefined && (channels.page > 0 || channels.extras.length > 0));
