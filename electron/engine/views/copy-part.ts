/** A part of a raster as a raster of its own. */
import { createRaster, samplesIn, type Raster, type Rect } from '../raster/raster-file.ts';

export function copyPart(source: Raster, rect: Rect, toPath: string): void {
  const { bands } = source.shape;
  const { width, height } = rect;
  const crop = createRaster(toPath, { ...source.shape, width, height });
  try {
    crop.writeRect({ x: 0, y: 0, width, height }, samplesIn(source, rect), 0, width * bands);
  } finally {
    crop.close();
  }
}
