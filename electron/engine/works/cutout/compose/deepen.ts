/** An 8-bit raster in 16 bits: the alpha that is refined over it then has steps of its own. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  createRaster,
  createSamples,
  openRaster,
  type Raster,
} from '../../../raster/raster-file.ts';

const stripBytes = 4 * 1024 * 1024;
/** 255 becomes 65,535. */
const factor = 257;

/** Writes `toPath` and opens it: whoever asked closes it. */
export async function deepen(source: Raster, toPath: string, signal: AbortSignal): Promise<Raster> {
  const { width, height, bands } = source.shape;
  const stride = width * bands;
  const stripRows = Math.max(1, Math.floor(stripBytes / stride));
  const from = createSamples(source.shape, stripRows * stride);
  const to = createSamples({ bits: 16 }, stripRows * stride);
  const deep = createRaster(toPath, { ...source.shape, bits: 16 });
  try {
    for (let y = 0; y < height; y += stripRows) {
      const rect = { x: 0, y, width, height: Math.min(stripRows, height - y) };
      source.readRect(rect, from, 0, stride);
      for (let i = 0; i < rect.height * stride; i += 1) to[i] = (from[i] as number) * factor;
      deep.writeRect(rect, to, 0, stride);
      await letOthersRun();
      signal.throwIfAborted();
    }
  } finally {
    deep.close();
  }
  return openRaster(toPath);
}
