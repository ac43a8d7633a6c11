/** Resizes and sharpens a raster, or reduces it to the size of its source for a comparison. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { shapeOf, vipsSpaceOf } from './raster-file.ts';
import { openOwnRaster } from './libvips.ts';

interface FinishOptions extends Size {
  /** 1 to 100; absent: not sharpened. */
  sharpen?: number | undefined;
}

/**
 * Resizes (Lanczos 3, alpha-weighted) and sharpens. libvips reduces without a shift but enlarges with one of
 * half a pixel, so it enlarges only where the result is not compared.
 */
export async function finishRaster(
  path: string,
  toPath: string,
  { width, height, sharpen }: FinishOptions,
): Promise<void> {
  const shape = shapeOf(path);
  const picture = openOwnRaster(path);
  const isResized = width !== shape.width || height !== shape.height;
  const resized = isResized
    ? picture.resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
    : picture;
  const finished = sharpen ? resized.sharpen(sharpening(sharpen / 100)) : resized;
  await finished.toColourspace(vipsSpaceOf(shape)).toFile(toPath);
  const { bands, bits } = shapeOf(toPath);
  if (bands !== shape.bands || bits !== shape.bits)
    throw new Error(`A raster of ${bands} bands of ${bits} bits came out of libvips`);
}

/** libvips sharpens only lightness, and flat areas (noise) less than edges. */
const sharpening = (amount: number) => ({ sigma: 0.8, m1: amount, m2: 3 * amount });

/** Reduces a raster with the cubic kernel (Keys, a = -1/2) over areas, as in networks' training data. */
export async function writeReduced(
  path: string,
  toPath: string,
  { width, height }: Size,
): Promise<void> {
  await openOwnRaster(path)
    .resize({ width, height, fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false })
    .toColourspace(vipsSpaceOf(shapeOf(path)))
    .toFile(toPath);
}
