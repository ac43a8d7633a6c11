/**
 * Makes transparent what no frame of a GIF covers, as browsers show it: libvips leaves it black in a GIF whose frames
 * have no transparency.
 */
import { renameSync } from 'node:fs';
import type { Rect, Size } from '../../../contract/src/geometry.ts';
import { withFileBytes } from '../../../file-records/src/index.ts';
import { createYield, neverAborted } from '../../../../electron/engine/cancellation/yield.ts';
import { framesOfGif, type GifFrame } from '../metadata/containers/gif-blocks.ts';
import {
  createRaster,
  createSamples,
  hasAlpha,
  withRaster,
  type Raster,
} from '../../../../electron/engine/raster/raster-file.ts';
import { eachStrip } from '../../../../electron/engine/raster/strips.ts';

/** @param path raster with the given number of frames below one another, which is replaced */
export async function clearUncovered(
  path: string,
  sourcePath: string,
  canvas: Size,
  frames: number,
): Promise<void> {
  const parts = withFileBytes(sourcePath, (bytes) => framesOfGif(bytes, frames));
  const [first] = parts;
  if (!first || isCovering(first, canvas)) return;
  const clearedPath = `${path}.cleared`;
  const isCleared = await withRaster(path, async (source) => {
    if (hasAlpha(source.shape)) return false;
    const { shape } = source;
    const target = createRaster(clearedPath, { ...shape, bands: shape.bands + 1 });
    try {
      await addAlpha(source, target, canvas, parts);
    } finally {
      target.close();
    }
    return true;
  });
  if (isCleared) renameSync(clearedPath, path);
}

const isCovering = ({ x, y, width, height }: Rect, canvas: Size) =>
  x === 0 && y === 0 && width >= canvas.width && height >= canvas.height;

async function addAlpha(
  source: Raster,
  target: Raster,
  canvas: Size,
  frames: readonly GifFrame[],
): Promise<void> {
  const { width, height } = canvas;
  const { bands, bits } = source.shape;
  const top = 2 ** bits - 1;
  const yieldTurn = createYield(neverAborted);
  const covered = new Map<number, Uint8Array>();
  for (const [i, frame] of frames.entries()) {
    await yieldTurn();
    const restored = frame.isRestored ? copyRows(covered, frame) : undefined;
    for (let row = frame.y; row < Math.min(height, frame.y + frame.height); row += 1) {
      const columns = covered.get(row) ?? new Uint8Array(width);
      covered.set(row, columns.fill(1, frame.x, frame.x + frame.width));
    }
    const part = { x: 0, y: i * height, width, height };
    await eachStrip(source, { signal: neverAborted, part }, ({ samples, y, rows }) => {
      const opaque = createSamples(target.shape, rows * width * (bands + 1));
      for (let pixel = 0, to = 0; pixel < rows * width; pixel += 1) {
        const isCovered = covered.get(y + Math.floor(pixel / width))?.[pixel % width] === 1;
        for (let c = 0; c < bands; c += 1, to += 1)
          opaque[to] = isCovered ? (samples[pixel * bands + c] as number) : 0;
        opaque[to] = isCovered ? top : 0;
        to += 1;
      }
      const rect = { x: 0, y: part.y + y, width, height: rows };
      target.writeRect(rect, opaque, 0, width * (bands + 1));
    });
    for (const [row, columns] of restored ?? []) covered.set(row, columns);
  }
}

/** The rows of a frame before it is drawn. */
function copyRows(covered: ReadonlyMap<number, Uint8Array>, { y, height }: GifFrame) {
  return Array.from({ length: height }, (_, i): [number, Uint8Array] => [
    y + i,
    covered.get(y + i)?.slice() ?? new Uint8Array(),
  ]);
}
