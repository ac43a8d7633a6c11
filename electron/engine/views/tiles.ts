/**
 * Cuts a picture into tiles for deep zoom, in sRGB. They lie in one zip file of uncompressed entries in the
 * DZI layout (`tiles.dzi`, `tiles_files/{level}/{column}_{row}.{format}`), from which single tiles are read
 * by position.
 */
import { renameSync, rmSync } from 'node:fs';
import { openOwnRaster } from '../raster/libvips.ts';
import { hasAlpha, type RasterShape } from '../raster/raster-file.ts';

const tilePx = 512;
/**
 * Very wide pictures get smaller tiles, because libvips keeps a row of tiles of each level in memory: with
 * 98,304 pixels a row, 450 MB with tiles of 512 and 290 MB with tiles of 256.
 */
const wideTilePx = 256;
const widePx = 50_000;

/** The name of the tiles' entries in the zip file, without an extension. */
const basename = 'tiles';

/** Colour has its full resolution, because people judge a picture by these tiles. */
const jpeg = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false };
/** The least effort is three times as fast, and the tiles are a quarter larger. */
const webp = { quality: 90, effort: 0 };

/** Writes the tiles of a raster, whose trailer has its profile. The file appears whole or not at all. */
export async function writeTiles(
  rasterPath: string,
  shape: RasterShape,
  toPath: string,
): Promise<void> {
  const picture = openOwnRaster(rasterPath, { toDisplay: true });
  const encoded = hasAlpha(shape) ? picture.webp(webp) : picture.jpeg(jpeg);
  const size = shape.width > widePx ? wideTilePx : tilePx;
  const tiled = encoded.tile({
    size,
    layout: 'dz',
    container: 'zip',
    depth: 'onepixel',
    basename,
  });
  await writeWhole(toPath, (path) => tiled.toFile(path));
}

/** Writes a file under a temporary name beside it, and renames it when it is whole. */
export async function writeWhole(
  toPath: string,
  write: (path: string) => Promise<unknown>,
): Promise<void> {
  const part = `${toPath}.part`;
  try {
    await write(part);
    renameSync(part, toPath);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
