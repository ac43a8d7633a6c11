/** RGB rasters without colour: scans, screenshots and black-and-white photos. */
import { renameSync, rmSync } from 'node:fs';
import { keepBands } from './keep-bands.ts';
import { eachStrip, type StripOptions } from './strips.ts';
import { hasAlpha, shapeOf, withRaster, type Samples } from './raster-file.ts';

class FoundColour extends Error {}

/** Whether red, green and blue are equal everywhere. Reading stops at the first colour. */
export async function isNeutral(path: string, options: StripOptions): Promise<boolean> {
  return withRaster(path, async (raster) => {
    const { bands } = raster.shape;
    if (bands < 3) return false;
    try {
      await eachStrip(raster, options, ({ samples, rows, stride }) => {
        if (hasColour(samples, rows * stride, bands)) throw new FoundColour();
      });
      return true;
    } catch (error) {
      if (error instanceof FoundColour) return false;
      throw error;
    }
  });
}

function hasColour(samples: Samples, length: number, bands: number): boolean {
  for (let at = 0; at < length; at += bands)
    if (samples[at] !== samples[at + 1] || samples[at] !== samples[at + 2]) return true;
  return false;
}

/** Replaces a neutral raster by its grey band and transparency. */
export const toGrey = (path: string): Promise<void> =>
  rewrite(path, hasAlpha(shapeOf(path)) ? [0, 3] : [0]);

/** Replaces a grey raster by three equal bands and transparency. */
export const toEqualColours = (path: string): Promise<void> =>
  rewrite(path, hasAlpha(shapeOf(path)) ? [0, 0, 0, 1] : [0, 0, 0]);

async function rewrite(path: string, bands: readonly number[]): Promise<void> {
  const newPath = `${path}.new`;
  await keepBands(path, newPath, bands, 4);
  rmSync(path);
  renameSync(newPath, path);
}
