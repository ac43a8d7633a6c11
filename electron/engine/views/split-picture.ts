/** A picture with transparency as two files without: its colours, and its alpha in grey. */
import type { PictureSource } from '../protocol.ts';
import { openOwnRaster } from '../raster/libvips.ts';
import { hasAlpha } from '../raster/raster-file.ts';
import { decodeForView } from './view-source.ts';

/** Near to none is lost: whoever lays both over each other again is to see the picture. */
const colours = { quality: 97, chromaSubsampling: '4:4:4' };

/** Throws UNREADABLE_IMAGE, IMAGE_TOO_LARGE or STORAGE_FULL. */
export async function splitPicture(
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
