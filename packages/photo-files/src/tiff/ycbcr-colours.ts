/** Converts the YCbCr of a TIFF that libvips decodes as if it were RGB (TIFF 6.0, section 21). */
import { neverAborted } from '../../../../electron/engine/cancellation/yield.ts';
import { withRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { eachStrip } from '../../../../electron/engine/raster/strips.ts';

export interface YcbcrEncoding {
  /** Shares of red, green and blue in the luma. */
  coefficients: readonly [number, number, number];
  /** Codes of black and white of Y, Cb and Cr; undefined: the full range. */
  reference: readonly number[] | undefined;
}

/** Converts the first three bands of a raster in place. */
export async function convertYcbcr(path: string, encoding: YcbcrEncoding): Promise<void> {
  const [ofRed, ofGreen, ofBlue] = encoding.coefficients;
  await withRaster(path, async (raster) => {
    const { width, bands, bits } = raster.shape;
    const top = 2 ** bits - 1;
    const middle = 2 ** (bits - 1);
    const full = [0, top, middle, top, middle, top];
    const [blackY = 0, whiteY = top, blackB = 0, whiteB = top, blackR = 0, whiteR = top] =
      encoding.reference ?? full;
    const chroma = middle - 1;
    await eachStrip(raster, { signal: neverAborted }, ({ samples, y, rows, stride }) => {
      for (let at = 0; at < rows * stride; at += bands) {
        const luma = (((samples[at] ?? 0) - blackY) * top) / (whiteY - blackY);
        const cb = (((samples[at + 1] ?? 0) - blackB) * chroma) / (whiteB - blackB);
        const cr = (((samples[at + 2] ?? 0) - blackR) * chroma) / (whiteR - blackR);
        const red = luma + cr * (2 - 2 * ofRed);
        const blue = luma + cb * (2 - 2 * ofBlue);
        const green = (luma - ofRed * red - ofBlue * blue) / ofGreen;
        samples[at] = Math.round(Math.min(top, Math.max(0, red)));
        samples[at + 1] = Math.round(Math.min(top, Math.max(0, green)));
        samples[at + 2] = Math.round(Math.min(top, Math.max(0, blue)));
      }
      raster.writeRect({ x: 0, y, width, height: rows }, samples, 0, stride);
    });
  });
}
