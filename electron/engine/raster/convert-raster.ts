/** A raster with other bits, and without its transparency where a colour stands behind it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createRaster,
  createSamples,
  hasAlpha,
  rowBytes,
  type Raster,
  type RasterShape,
} from './raster-file.ts';

export interface Conversion {
  bits: 8 | 16;
  /** In the picture's numbers, 0..1, one for each colour band; absent: alpha stays. */
  behind?: readonly number[] | undefined;
}

/** Bytes that are converted before others get their turn. */
const stripBytes = 4 * 1024 * 1024;

/** Throws the signal's reason, and STORAGE_FULL. */
export async function convertRaster(
  source: Raster,
  toPath: string,
  conversion: Conversion,
  hooks: { signal: AbortSignal; onRows: (share: number) => void },
): Promise<RasterShape> {
  const { width, height, bands } = source.shape;
  const isFlat = conversion.behind !== undefined && hasAlpha(source.shape);
  const shape = { width, height, bands: isFlat ? bands - 1 : bands, bits: conversion.bits };
  const rows = Math.max(1, Math.floor(stripBytes / rowBytes(source.shape)));
  const from = createSamples(source.shape, rows * width * bands);
  const to = createSamples(shape, rows * width * shape.bands);
  const convert = isFlat ? flattenSamples : scaleSamples;
  const result = createRaster(toPath, shape);
  try {
    for (let y = 0; y < height; y += rows) {
      hooks.signal.throwIfAborted();
      const strip = { x: 0, y, width, height: Math.min(rows, height - y) };
      source.readRect(strip, from, 0, width * bands);
      convert(from, to, { bands, pixels: width * strip.height, ...conversion });
      result.writeRect(strip, to, 0, width * shape.bands);
      hooks.onRows((y + strip.height) / height);
      await nextTurn();
    }
  } finally {
    result.close();
  }
  return shape;
}

interface Strip extends Conversion {
  bands: number;
  pixels: number;
}

const topOf = (samples: Uint8Array | Uint16Array) => (samples instanceof Uint16Array ? 65535 : 255);

/** White stays white, and half grey half grey. */
function scaleSamples(
  from: Uint8Array | Uint16Array,
  to: Uint8Array | Uint16Array,
  { bands, pixels }: Strip,
): void {
  const factor = topOf(to) / topOf(from);
  const length = pixels * bands;
  for (let i = 0; i < length; i += 1) to[i] = Math.round((from[i] as number) * factor);
}

function flattenSamples(
  from: Uint8Array | Uint16Array,
  to: Uint8Array | Uint16Array,
  { bands, pixels, behind = [] }: Strip,
): void {
  const colours = bands - 1;
  const own = 1 / topOf(from);
  const top = topOf(to);
  let at = 0;
  for (let pixel = 0; pixel < pixels * bands; pixel += bands) {
    const alpha = (from[pixel + colours] as number) * own;
    for (let c = 0; c < colours; c += 1) {
      const value = (from[pixel + c] as number) * own * alpha + (behind[c] ?? 1) * (1 - alpha);
      to[at] = Math.round(value * top);
      at += 1;
    }
  }
}
