/** Samples a raster in evenly spaced windows, at most 1.6 megapixels (27 MB), for measuring its damage. */
import type { Rect, Size } from '../../../packages/contract/src/geometry.ts';
import type { YieldTurn } from '../cancellation/yield.ts';
import { blockPx } from './block-transform.ts';
import {
  colourBands,
  samplesIn,
  hasAlpha,
  type Raster,
  type RasterShape,
  type Samples,
} from '../raster/raster-file.ts';

/** A part of a picture as planes of 0-255, whatever the picture's depth. */
export interface SampleWindow {
  /** Position in the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** One plane of grey, or red, green and blue. */
  colours: Float32Array[];
  luma: Float32Array;
  /** A value of `blindness` for each pixel. */
  blind: Uint8Array;
  /** The largest of `blind`. */
  blindest: number;
}

/** Marks of pixels that tell all, of those clipped at black or white, and of those that are not opaque. */
export const blindness = { none: 0, clipped: 1, clear: 2 } as const;

const windowPx = 128;
const maxWindows = 96;

export interface PictureSample {
  /** Shape of the whole picture. */
  shape: RasterShape;
  windows: readonly SampleWindow[];
}

/** Reads the sample, and yields between its windows. @throws the signal's reason */
export async function readSample(
  raster: Pick<Raster, 'shape' | 'readRect'>,
  yieldTurn: YieldTurn,
): Promise<PictureSample> {
  const windows: SampleWindow[] = [];
  for (const rect of planSample(raster.shape)) {
    await yieldTurn();
    windows.push(readWindow(raster, rect));
  }
  return { shape: raster.shape, windows };
}

/** Calls `visit` with each window in turn, and yields between them. @throws the signal's reason */
export async function visitSample(
  { windows }: PictureSample,
  yieldTurn: YieldTurn,
  visit: (window: SampleWindow) => void,
): Promise<void> {
  for (const window of windows) {
    await yieldTurn();
    visit(window);
  }
}

/**
 * Plans windows that cover a small picture, or are spaced along the sides of a larger one in its proportions.
 */
function planSample({ width, height }: Size): Rect[] {
  const across = Math.ceil(width / windowPx);
  const down = Math.ceil(height / windowPx);
  const thinning = Math.sqrt(Math.max(1, (across * down) / maxWindows));
  const xs = spread(
    width,
    Math.min(across, maxWindows, Math.max(1, Math.floor(across / thinning))),
  );
  const ys = spread(height, Math.min(down, maxWindows, Math.max(1, Math.floor(down / thinning))));
  const rects = ys.flatMap((y) => xs.map((x) => ({ ...x, y: y.x, height: y.width })));
  return rects.slice(0, maxWindows);
}

/** Spaces spans evenly along a side; they are adjacent if the side is short. */
function spread(side: number, count: number): { x: number; width: number }[] {
  return Array.from({ length: count }, (_, i) => {
    const x = Math.floor((i * side) / count);
    const end = Math.min(x + windowPx, Math.floor(((i + 1) * side) / count));
    return { x, width: end - x };
  });
}

function readWindow(raster: Pick<Raster, 'shape' | 'readRect'>, rect: Rect): SampleWindow {
  const { bands, bits } = raster.shape;
  const pixels = rect.width * rect.height;
  const samples = samplesIn(raster, rect);
  const top = bits === 8 ? 255 : 65535;
  const blind = new Uint8Array(pixels);
  const colours = Array.from({ length: colourBands(raster.shape) }, (_, band) =>
    readPlane(samples, band, { bands, top }, blind),
  );
  if (hasAlpha(raster.shape))
    for (let i = 0; i < pixels; i += 1)
      if (samples[i * bands + bands - 1] !== top) blind[i] = blindness.clear;
  const blindest =
    [blindness.clear, blindness.clipped].find((mark) => blind.includes(mark)) ?? blindness.none;
  return { ...rect, colours, luma: lumaOf(colours), blind, blindest };
}

/** Reads one band as levels of 255, and marks its clipped pixels. */
function readPlane(
  samples: Samples,
  band: number,
  { bands, top }: { bands: number; top: number },
  blind: Uint8Array,
): Float32Array {
  const plane = new Float32Array(blind.length);
  for (let i = 0, from = band; i < plane.length; i += 1, from += bands) {
    const sample = samples[from] as number;
    plane[i] = (sample * 255) / top;
    if (sample === 0 || sample === top) blind[i] = blindness.clipped;
  }
  return plane;
}

/** BT.601 luma in full range, as in JPEG. */
function lumaOf(colours: readonly Float32Array[]): Float32Array {
  const [red, green, blue] = colours;
  if (!red) throw new Error('A picture has at least one band');
  if (!green || !blue) return red;
  const luma = new Float32Array(red.length);
  for (let i = 0; i < luma.length; i += 1)
    luma[i] =
      0.299 * (red[i] as number) + 0.587 * (green[i] as number) + 0.114 * (blue[i] as number);
  return luma;
}

interface BlockPositions {
  /** Column and row in the picture of a block's first sample. */
  x: number;
  y: number;
  /** Distance from block to block. */
  everyPx?: number;
  /** Smallest mark of a pixel that excludes its block. */
  blindFrom: number;
}

/** Offsets in the window of the blocks at these positions without excluding pixels. */
export function* blocksIn(window: SampleWindow, positions: BlockPositions): Generator<number> {
  const { width, height, blind, blindest } = window;
  const { x, y, everyPx = blockPx, blindFrom } = positions;
  const first = (at: number, place: number) => (((place - at) % everyPx) + everyPx) % everyPx;
  for (let row = first(window.y, y); row + blockPx <= height; row += everyPx)
    for (let column = first(window.x, x); column + blockPx <= width; column += everyPx) {
      const offset = row * width + column;
      if (blindest < blindFrom || !isBlind(blind, offset, width, blindFrom)) yield offset;
    }
}

function isBlind(blind: Uint8Array, offset: number, stride: number, from: number): boolean {
  for (let y = 0; y < blockPx; y += 1)
    for (let x = 0; x < blockPx; x += 1)
      if ((blind[offset + y * stride + x] as number) >= from) return true;
  return false;
}
