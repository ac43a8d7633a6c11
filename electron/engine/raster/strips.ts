/**
 * Processes a raster in strips of some rows. Between two strips it yields to the event loop and checks for
 * cancellation.
 */
import type { Rect } from '../../../packages/contract/src/geometry.ts';
import { createYield } from '../cancellation/yield.ts';
import {
  createRaster,
  createSamples,
  rowBytes,
  type Raster,
  type RasterShape,
  type Samples,
} from './raster-file.ts';

/** Size of a strip when read or written, whichever is larger. */
const stripBytes = 4 * 1024 * 1024;

interface Strip {
  /** Rows without gaps; reused by the next strip. */
  samples: Samples;
  /** First row of the strip, relative to the part that is read. */
  y: number;
  rows: number;
  /** Samples per row. */
  stride: number;
}

export interface StripOptions {
  signal: AbortSignal;
  /** Called after each strip with the finished fraction, 0..1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Rows per strip; absent: as many as make a few megabytes. */
  stripRows?: number | undefined;
}

interface PartOptions extends StripOptions {
  /** Part to read; absent: all of the raster. */
  part?: Rect;
}

/** Reads a raster, or a part of it, from top to bottom. @throws the signal's reason */
export async function eachStrip(
  raster: Raster,
  options: PartOptions,
  use: (strip: Strip) => Promise<void> | void,
): Promise<void> {
  const { shape } = raster;
  const { signal, onProgress, part = { x: 0, y: 0, ...shape } } = options;
  const { x, width, height } = part;
  const { stripRows = rowsFor(rowBytes({ ...shape, width })) } = options;
  const stride = width * shape.bands;
  const samples = createSamples(shape, Math.min(stripRows, height) * stride);
  const yieldTurn = createYield(signal);
  for (let y = 0; y < height; y += stripRows) {
    await yieldTurn();
    const rows = Math.min(stripRows, height - y);
    raster.readRect({ x, y: part.y + y, width, height: rows }, samples, 0, stride);
    await use({ samples, y, rows, stride });
    onProgress?.((y + rows) / height);
  }
  await yieldTurn();
}

/** Reads a raster, or a part of it, and writes each strip back after `change`. */
export const rewriteStrips = (
  raster: Raster,
  options: PartOptions,
  change: (strip: Strip) => Promise<void> | void,
): Promise<void> =>
  eachStrip(raster, options, async (strip) => {
    await change(strip);
    const { samples, y, rows, stride } = strip;
    const { x, y: top, width } = options.part ?? { x: 0, y: 0, ...raster.shape };
    raster.writeRect({ x, y: top + y, width, height: rows }, samples, 0, stride);
  });

/**
 * Writes a new raster of the same size as the part that is read, each strip made from the source's strip.
 *
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function mapStrips(
  source: Raster,
  target: { path: string; shape: Pick<RasterShape, 'bands' | 'bits'> },
  options: PartOptions,
  make: (from: Strip, to: Strip) => Promise<void> | void,
): Promise<RasterShape> {
  const { width, height } = options.part ?? source.shape;
  const shape = { ...target.shape, width, height };
  const stride = width * shape.bands;
  const widest = Math.max(rowBytes(shape), rowBytes({ ...source.shape, width }));
  const { stripRows = rowsFor(widest) } = options;
  const samples = createSamples(shape, Math.min(stripRows, height) * stride);
  const raster = createRaster(target.path, shape);
  try {
    await eachStrip(source, { ...options, stripRows }, async (from) => {
      const { y, rows } = from;
      await make(from, { samples, y, rows, stride });
      raster.writeRect({ x: 0, y, width, height: rows }, samples, 0, stride);
    });
  } finally {
    raster.close();
  }
  return shape;
}

/**
 * Writes a new raster row by row.
 *
 * @param fill sets the samples of a row, which the next one reuses
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function writeRows(
  path: string,
  shape: RasterShape,
  { signal, onProgress }: StripOptions,
  fill: (samples: Samples, y: number) => void,
): Promise<void> {
  const { width, height, bands } = shape;
  const samples = createSamples(shape, width * bands);
  const yieldTurn = createYield(signal);
  const raster = createRaster(path, shape);
  try {
    for (let y = 0; y < height; y += 1) {
      await yieldTurn();
      fill(samples, y);
      raster.writeRect({ x: 0, y, width, height: 1 }, samples, 0, samples.length);
      onProgress?.((y + 1) / height);
    }
  } finally {
    raster.close();
  }
}

const rowsFor = (bytesOfRow: number) => Math.max(1, Math.floor(stripBytes / bytesOfRow));
