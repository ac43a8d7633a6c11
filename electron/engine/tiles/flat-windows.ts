/**
 * Reuses what the network made of a window of one colour. Every such window of a pass is the same input, so a
 * network that answers it with one colour is run once for each colour and place of the core.
 */
import { createSamples, type Raster } from '../raster/raster-file.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { TileSpan, TilePlan } from './tile-plan.ts';

/** Colour samples of a view's pixel, without its alpha. */
type Colour = readonly number[];

export interface FlatWindows {
  /**
   * Returns the output colour of a window that is one colour, if that is known from an earlier window; and
   * what to call with the output of this one.
   */
  lookUp(window: SampleView, row: TileSpan, column: TileSpan): FlatWindow | undefined;
}

export interface FlatWindow {
  /** The core's colour in the output; undefined where the network has to run. */
  colour: Colour | undefined;
  /** Learns from the output of the core, `width` x `height` pixels. */
  learn(output: SampleView, width: number, height: number): void;
}

const colourBands = ({ bands }: SampleView) => bands - ((bands + 1) % 2);

/** Returns the one colour of `width` x `height` pixels, or undefined at the first that differs. */
function flatColour(view: SampleView, width: number, height: number): Colour | undefined {
  const { samples, stride, bands } = view;
  const colour = Array.from(samples.subarray(view.offset, view.offset + colourBands(view)));
  const isOpaque = colour.length === bands;
  const first = isOpaque ? rowBytesAt(view, 0, width) : undefined;
  for (let y = 0; y < height; y += 1) {
    // Comparing bytes is many times as fast as comparing samples.
    if (y > 0 && first?.equals(rowBytesAt(view, y, width))) continue;
    const start = view.offset + y * stride;
    for (let at = start; at < start + width * bands; at += bands)
      for (let band = 0; band < colour.length; band += 1)
        if (samples[at + band] !== colour[band]) return undefined;
  }
  return colour;
}

function rowBytesAt({ samples, offset, stride, bands }: SampleView, y: number, width: number) {
  const unit = samples.BYTES_PER_ELEMENT;
  const start = samples.byteOffset + (offset + y * stride) * unit;
  return Buffer.from(samples.buffer, start, width * bands * unit);
}

/** @param plan of the pass whose windows are looked up; all have one size */
export function createFlatWindows({ windowWidth, windowHeight }: TilePlan): FlatWindows {
  const known = new Map<string, Colour>();
  return {
    lookUp(window, row, column) {
      const colour = flatColour(window, windowWidth, windowHeight);
      if (!colour) return undefined;
      const place = [column.start - column.windowStart, row.start - row.windowStart];
      const key = [...colour, ...place, column.length, row.length].join(' ');
      return {
        colour: known.get(key),
        learn(output, width, height) {
          const made = flatColour(output, width, height);
          if (made) known.set(key, made);
        },
      };
    },
  };
}

/**
 * Whether a tile of the plan is likely to be one colour: so are the first, the middle and the last row of its core.
 * Tall tiles seldom are, so that they cost such a picture more than they gain.
 */
export function hasFlatTiles(raster: Pick<Raster, 'shape' | 'readRect'>, plan: TilePlan): boolean {
  const { bands, bits } = raster.shape;
  const row = createSamples({ bits }, plan.windowWidth * bands);
  const colourAt = (column: TileSpan, y: number) => {
    const width = column.length;
    raster.readRect({ x: column.start, y, width, height: 1 }, row, 0, width * bands);
    const view = { samples: row, offset: 0, stride: width * bands, bands, bits };
    return flatColour(view, width, 1)?.join(' ');
  };
  return plan.rows.some(({ start, length }) =>
    plan.columns.some((column) => {
      const first = colourAt(column, start);
      const others = [start + Math.floor(length / 2), start + length - 1];
      return first !== undefined && others.every((y) => colourAt(column, y) === first);
    }),
  );
}

/** Fills the colour samples of `width` x `height` pixels; alpha stays. */
export function fillColour(view: SampleView, colour: Colour, width: number, height: number): void {
  const { samples, offset, stride, bands } = view;
  const isOpaque = colour.length === bands;
  for (let y = 0; y < height; y += 1) {
    const start = offset + y * stride;
    if (isOpaque && y > 0) {
      samples.copyWithin(start, offset, offset + width * bands);
      continue;
    }
    for (let at = start; at < start + width * bands; at += bands)
      for (let band = 0; band < colour.length; band += 1)
        samples[at + band] = colour[band] as number;
  }
}
