/** Drops the bands of a decoded picture other than colours and transparency. */
import { createYield, neverAborted } from '../cancellation/yield.ts';
import { eachStrip } from './strips.ts';
import { createRaster, createSamples, openRaster, type Raster } from './raster-file.ts';

/** Writes a raster of the chosen bands, in that order. */
export async function keepBands(
  path: string,
  toPath: string,
  bands: readonly number[],
  maxBands: number,
): Promise<void> {
  const source = openRaster(path, maxBands);
  try {
    const target = createRaster(toPath, { ...source.shape, bands: bands.length });
    try {
      await copyBands(source, target, bands);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

async function copyBands(source: Raster, target: Raster, bands: readonly number[]): Promise<void> {
  const { width, bands: all } = source.shape;
  const yieldTurn = createYield(neverAborted);
  await eachStrip(source, { signal: neverAborted }, async ({ samples, y, rows }) => {
    await yieldTurn();
    const selected = createSamples(target.shape, rows * width * bands.length);
    for (let from = 0, to = 0; to < selected.length; from += all)
      for (const band of bands) {
        selected[to] = samples[from + band] ?? 0;
        to += 1;
      }
    target.writeRect({ x: 0, y, width, height: rows }, selected, 0, width * bands.length);
  });
}
