/** Which part of a picture with alpha can be seen at all: the rest needs no network to be enlarged. */
import { hasAlpha, openRaster, type RasterShape } from '../../raster/raster-file.ts';
import { eachStrip } from '../../raster/strips.ts';
import { widened, type WantedPart } from '../upscale/wanted-part.ts';

/** Pixels along a cell's side, which is about as far as what is seen looks around when it is finished. */
const cellPx = 32;

/** Undefined: all of it. Rejects with the signal's reason. */
export async function visiblePart(
  path: string,
  shape: RasterShape,
  signal: AbortSignal,
): Promise<WantedPart | undefined> {
  if (!hasAlpha(shape)) return undefined;
  const size = { width: Math.ceil(shape.width / cellPx), height: Math.ceil(shape.height / cellPx) };
  const part = { ...size, data: new Uint8Array(size.width * size.height) };
  const raster = openRaster(path);
  try {
    await eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
      for (let row = 0; row < rows; row += 1) {
        const cells = Math.floor(((y + row) * size.height) / shape.height) * size.width;
        let at = row * stride + shape.bands - 1;
        for (let x = 0; x < shape.width; x += 1, at += shape.bands)
          if ((samples[at] as number) > 0)
            part.data[cells + Math.floor((x * size.width) / shape.width)] = 1;
      }
    });
  } finally {
    raster.close();
  }
  return widened(part, 2 / Math.max(size.width, size.height));
}
