/** Places a subject on its transparent canvas: raster to raster, in strips. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { finishRaster } from '../../../raster/finish-raster.ts';
import {
  createRaster,
  type Raster,
  type RasterShape,
  consumeRaster,
} from '../../../raster/raster-file.ts';
import { eachStrip } from '../../../raster/strips.ts';
import { compose, transparentPainter } from './compose.ts';
import type { Placement } from '../../../../../packages/painting/src/index.ts';

/** Writes `placed.v` into the scratch folder and returns its path. @throws the signal's reason */
export async function pasteOnCanvas(
  cut: Raster,
  { canvas, part, target }: Placement,
  scratchDir: string,
  signal: AbortSignal,
): Promise<string> {
  const [piecePath, sizedPath, placedPath] = ['piece.v', 'sized.v', 'placed.v'].map((name) =>
    join(scratchDir, name),
  ) as [string, string, string];
  const { bits } = cut.shape;
  const painter = transparentPainter({ width: part.width, cut: cut.shape, bits });
  const onProgress = () => undefined;
  const piece = { cut, region: part, output: piecePath, bits, painter, signal, onProgress };
  await compose(piece);
  const isResized = target.width !== part.width || target.height !== part.height;
  if (isResized) {
    const { width, height } = target;
    await finishRaster(piecePath, sizedPath, { width, height });
    rmSync(piecePath);
  }
  const fromPath = isResized ? sizedPath : piecePath;
  const shape = { ...cut.shape, ...canvas };
  await consumeRaster(fromPath, (from) => paste(from, shape, target, placedPath, signal));
  return placedPath;
}

/** Writes a raster at its offset on the canvas. Unwritten pixels stay zero, i.e. transparent. */
async function paste(
  from: Raster,
  shape: RasterShape,
  target: Placement['target'],
  toPath: string,
  signal: AbortSignal,
): Promise<void> {
  const to = createRaster(toPath, shape);
  try {
    await eachStrip(from, { signal }, ({ samples, y, rows, stride }) => {
      to.writeRect({ ...target, y: target.y + y, height: rows }, samples, 0, stride);
    });
  } finally {
    to.close();
  }
}
