/** The enlarged raster reduced to the size that was asked for, and sharpened: raster to raster. */
import { openOwnRaster } from './libvips.ts';
import { vipsSpaceOf, type RasterShape } from './raster-file.ts';

export interface Finish {
  /** At most the raster's own. */
  width: number;
  height: number;
  /** 1-100; absent: not at all. */
  sharpen?: number | undefined;
}

/** Lanczos with 3 lobes; libvips reduces rightly (and enlarges with a shift, which is never asked of it). */
export async function finishRaster(
  path: string,
  shape: RasterShape,
  toPath: string,
  { width, height, sharpen }: Finish,
): Promise<void> {
  const picture = openOwnRaster(path);
  const isReduced = width !== shape.width || height !== shape.height;
  const reduced = isReduced
    ? picture.resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
    : picture;
  const finished = sharpen ? reduced.convolve(unsharpMask(sharpen / 100)) : reduced;
  await finished.toColourspace(vipsSpaceOf(shape)).toFile(toPath);
}

const radius = 2;
const sigmaPx = 0.8;

/** The picture plus `amount` times its difference to a blurred one, as one kernel whose sum is 1. */
function unsharpMask(amount: number) {
  const side = 2 * radius + 1;
  const weights = Array.from({ length: side * side }, (_, i) => {
    const x = (i % side) - radius;
    const y = Math.floor(i / side) - radius;
    return Math.exp(-(x * x + y * y) / (2 * sigmaPx * sigmaPx));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const kernel = weights.map((weight) => (-amount * weight) / sum);
  const centre = (side * side - 1) / 2;
  kernel[centre] = (kernel[centre] ?? 0) + 1 + amount;
  return { width: side, height: side, kernel, scale: 1 };
}
