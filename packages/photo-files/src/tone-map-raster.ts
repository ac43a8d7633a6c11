/** Tone-maps a decoded raster of HDR or linear light to the curve of sRGB, in place. */
import { createToneMapper, type LightEncoding } from './colour/tone-map.ts';
import { neverAborted } from '../../../electron/engine/cancellation/yield.ts';
import { withRaster } from '../../../electron/engine/raster/raster-file.ts';
import { eachStrip } from '../../../electron/engine/raster/strips.ts';

export async function toneMapRaster(path: string, encoding: LightEncoding): Promise<void> {
  await withRaster(path, async (raster) => {
    const { width, bands, bits } = raster.shape;
    const mapper = createToneMapper(encoding, bits);
    const options = { signal: neverAborted };
    await eachStrip(raster, options, ({ samples, rows }) => {
      mapper.measure(samples, rows * width, bands);
    });
    await eachStrip(raster, options, ({ samples, y, rows, stride }) => {
      mapper.map(samples, rows * width, bands);
      raster.writeRect({ x: 0, y, width, height: rows }, samples, 0, stride);
    });
  });
}
