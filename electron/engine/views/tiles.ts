/**
 * Cuts a picture into sRGB tiles for deep zoom: one zip file of uncompressed entries in the DZI layout
 * (`tiles.dzi`, `tiles_files/{level}/{column}_{row}.{format}`), from which single tiles are read by offset.
 */
import { openOwnRaster } from '../raster/libvips.ts';
import { hasAlpha, type RasterShape } from '../raster/raster-file.ts';
import { writeAtomically, writeUntilWhole } from './write-view.ts';

const tilePx = 512;
/**
 * Tile side of very wide pictures: libvips holds a row of tiles of each level in memory, which for 98,304
 * pixels a row is 450 MB with tiles of 512 and 290 MB with tiles of 256.
 */
const wideTilePx = 256;
const widePx = 50_000;

/** Base name of the zip entries. */
const basename = 'tiles';

/** Full colour resolution, because people judge a picture by these tiles. */
const jpeg = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false };
/** Effort 0 is three times as fast as the default; tiles are a quarter larger. */
const webp = { quality: 90, effort: 0 };

/** Writes the tiles of a raster whose trailer holds its profile. The file is written atomically. */
export async function writeTiles(
  rasterPath: string,
  shape: RasterShape,
  toPath: string,
): Promise<void> {
  const write = (path: string) => tilesOf(rasterPath, shape).toFile(path);
  await writeAtomically(toPath, (path) => writeUntilWhole(path, write));
}

function tilesOf(rasterPath: string, shape: RasterShape) {
  const picture = openOwnRaster(rasterPath, { toDisplay: true });
  const encoded = hasAlpha(shape) ? picture.webp(webp) : picture.jpeg(jpeg);
  const size = shape.width > widePx ? wideTilePx : tilePx;
  return encoded.tile({ size, layout: 'dz', container: 'zip', depth: 'onepixel', basename });
}
