/** An enlarged raster brought back to its source's size, to be held against it. */
import { openOwnRaster, openSamples } from './libvips.ts';
import { vipsSpaceOf, type RasterShape } from './raster-file.ts';

/** Cubic (Keys, a = -1/2) over areas, as the pictures that networks learn from were reduced. */
export async function writeReduced(
  path: string,
  shape: RasterShape,
  toPath: string,
  { width, height }: { width: number; height: number },
): Promise<void> {
  await openOwnRaster(path)
    .resize({ width, height, fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false })
    .toColourspace(vipsSpaceOf(shape))
    .toFile(toPath);
}

/** A PNG of one grey band. */
export async function writeGreyPng(
  values: Uint8Array,
  { width, height }: { width: number; height: number },
  toPath: string,
): Promise<void> {
  await openSamples(values, { width, height, channels: 1 }).png().toFile(toPath);
}
