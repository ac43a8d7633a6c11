/** A cut-out raster to the one that is encoded: its part, over what is wanted behind it, in the result's bits. */
import type { Rect } from '../../../../contract/geometry.ts';
import type { Raster, RasterShape, Samples } from '../../../raster/raster-file.ts';
import { mapStrips } from '../../../raster/strips.ts';
import type { ShadowRow } from './soft-shadow.ts';

/** What stands behind a row of the picture, as 0..1 for each of the result's bands and pixels. */
export type RowBehind = (y: number) => Float32Array;

/** How pixels of a row are written. Offsets are of the row's first sample; `y` counts in the source. */
export interface Painter {
  /** Bands of the result. */
  bands: number;
  paintRow(from: Samples, fromOffset: number, to: Samples, toOffset: number, y: number): void;
}

interface Composition {
  cut: Raster;
  /** Inside the picture. */
  region: Rect;
  output: string;
  bits: 8 | 16;
  painter: Painter;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

export function compose(order: Composition): Promise<RasterShape> {
  const { cut, region, output, bits, painter, signal, onProgress } = order;
  const target = { path: output, shape: { bands: painter.bands, bits } };
  return mapStrips(cut, target, { part: region, signal, onProgress }, (from, to) => {
    for (let row = 0; row < from.rows; row += 1) {
      const y = region.y + from.y + row;
      painter.paintRow(from.samples, row * from.stride, to.samples, row * to.stride, y);
    }
  });
}

interface Depths {
  /** Pixels of a row. */
  width: number;
  cut: RasterShape;
  bits: 8 | 16;
}

const topOf = (bits: number) => 2 ** bits - 1;

/** Colours and alpha. Under what is fully transparent nothing of the photo stays. */
export function transparentPainter({ width, cut, bits }: Depths): Painter {
  const { bands } = cut;
  const gain = topOf(bits) / topOf(cut.bits);
  return {
    bands,
    paintRow(from, fromOffset, to, toOffset) {
      let read = fromOffset;
      let at = toOffset;
      for (let x = 0; x < width; x += 1, read += bands) {
        const isSeen = (from[read + bands - 1] as number) > 0;
        for (let band = 0; band < bands; band += 1)
          to[at++] = isSeen ? Math.round((from[read + band] as number) * gain) : 0;
      }
    },
  };
}

/** The same with a black shadow under it, which is there where the subject is not. */
export function shadedPainter(
  { width, cut, bits }: Depths,
  shadow: ShadowRow,
  region: Rect,
): Painter {
  const { bands } = cut;
  const [topIn, topOut] = [topOf(cut.bits), topOf(bits)];
  const gain = topOut / topIn;
  return {
    bands,
    paintRow(from, fromOffset, to, toOffset, y) {
      const dark = shadow(y - region.y);
      let read = fromOffset;
      let at = toOffset;
      for (let x = 0; x < width; x += 1, read += bands, at += bands) {
        const alpha = (from[read + bands - 1] as number) / topIn;
        const whole = alpha + (1 - alpha) * (dark[x] as number);
        const share = whole > 0 ? (alpha / whole) * gain : 0;
        for (let band = 0; band < bands - 1; band += 1)
          to[at + band] = Math.round((from[read + band] as number) * share);
        to[at + bands - 1] = Math.round(whole * topOut);
      }
    },
  };
}

/** What is behind the subject, darker by its shadow. */
export function shadedRow(
  behind: RowBehind,
  shadow: ShadowRow,
  region: Rect,
  bands: number,
): RowBehind {
  const row = new Float32Array((region.x + region.width) * bands);
  return (y) => {
    const under = behind(y);
    const dark = shadow(y - region.y);
    let at = region.x * bands;
    for (let x = 0; x < region.width; x += 1) {
      const light = 1 - (dark[x] as number);
      for (let band = 0; band < bands; band += 1, at += 1) row[at] = (under[at] as number) * light;
    }
    return row;
  };
}

/** Alpha alone. */
export function maskPainter({ width, cut, bits }: Depths): Painter {
  const gain = topOf(bits) / topOf(cut.bits);
  return {
    bands: 1,
    paintRow(from, fromOffset, to, toOffset) {
      let read = fromOffset + cut.bands - 1;
      for (let x = 0; x < width; x += 1, read += cut.bands)
        to[toOffset + x] = Math.round((from[read] as number) * gain);
    },
  };
}

/** For each of the result's bands: what a sample of the cut raster's grey band is there, 0..1. */
export type GreyToColours = Float32Array[];

/** Over a background, in the numbers of the picture's own profile, as every editor does. */
export function opaquePainter(
  { width, cut, bits }: Depths,
  behind: RowBehind,
  region: Rect,
  greyToColours?: GreyToColours,
): Painter {
  const own = cut.bands - 1;
  const bands = greyToColours ? 3 : own;
  const topIn = topOf(cut.bits);
  const topOut = topOf(bits);
  const levels = Float32Array.from({ length: topIn + 1 }, (_, sample) => sample / topIn);
  const tables = Array.from({ length: bands }, (_, band) => greyToColours?.[band] ?? levels);
  return {
    bands,
    paintRow(from, fromOffset, to, toOffset, y) {
      const under = behind(y);
      for (let band = 0; band < bands; band += 1) {
        const table = tables[band] as Float32Array;
        let read = fromOffset + (greyToColours ? 0 : band);
        let place = region.x * bands + band;
        let at = toOffset + band;
        for (let x = 0; x < width; x += 1, read += cut.bands, place += bands, at += bands) {
          const alpha = levels[from[fromOffset + x * cut.bands + own] as number] as number;
          const colour = table[from[read] as number] as number;
          const back = under[place] as number;
          to[at] = Math.round((back + (colour - back) * alpha) * topOut);
        }
      }
    },
  };
}
