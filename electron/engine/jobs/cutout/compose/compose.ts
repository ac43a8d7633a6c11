/** Composes the raster to be encoded: a part of the cut-out over its background, in the result's depth. */
import type { Rect } from '../../../../../packages/contract/src/geometry.ts';
import {
  wordsOf,
  type Raster,
  type RasterShape,
  type Samples,
} from '../../../raster/raster-file.ts';
import { mapStrips } from '../../../raster/strips.ts';
import type { ShadowRow } from './soft-shadow.ts';

/** Background of a row, 0..1, for each band and pixel of the result; reused by the next call. */
export type BackdropRow = (y: number) => Float32Array;

/** Writes the pixels of a row. Offsets are those of the row's first sample; `y` is relative to the source. */
export interface Painter {
  /** Number of bands of the result. */
  bands: number;
  paintRow(from: Samples, fromOffset: number, to: Samples, toOffset: number, y: number): void;
}

interface PaintOrder {
  cut: Raster;
  /** Inside the picture. */
  region: Rect;
  output: string;
  bits: 8 | 16;
  painter: Painter;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

/** Paints the region of the cut-out. @throws the signal's reason, EnlargerError STORAGE_FULL */
export function compose(order: PaintOrder): Promise<RasterShape> {
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
  /** Pixels per row. */
  width: number;
  cut: RasterShape;
  bits: 8 | 16;
}

const topOf = (bits: number) => 2 ** bits - 1;

/**
 * Writes colours and alpha. Fully transparent pixels become zero, so that nothing of the photo remains in
 * them.
 */
export function transparentPainter({ width, cut, bits }: Depths): Painter {
  const { bands } = cut;
  const gain = topOf(bits) / topOf(cut.bits);
  const samplesPerRow = width * bands;
  return {
    bands,
    paintRow(from, fromOffset, to, toOffset) {
      if (bands === 4 && from instanceof Uint8Array && to instanceof Uint8Array) {
        copyVisible(from, fromOffset, to, toOffset, width);
        return;
      }
      if (gain === 1) to.set(from.subarray(fromOffset, fromOffset + samplesPerRow), toOffset);
      else
        for (let i = 0; i < samplesPerRow; i += 1)
          to[toOffset + i] = Math.round((from[fromOffset + i] as number) * gain);
      const end = toOffset + samplesPerRow;
      for (let at = toOffset; at < end; at += bands)
        if (to[at + bands - 1] === 0)
          for (let band = 0; band < bands - 1; band += 1) to[at + band] = 0;
    },
  };
}

/** As samples, of RGB and alpha in 8 bits in a fifth of the time. */
function copyVisible(
  from: Uint8Array,
  fromOffset: number,
  to: Uint8Array,
  toOffset: number,
  width: number,
): void {
  const read = wordsOf(from.subarray(fromOffset));
  const written = wordsOf(to.subarray(toOffset));
  for (let x = 0; x < width; x += 1) {
    const word = read[x] as number;
    written[x] = word > 0x00ffffff ? word : 0;
  }
}

/** Writes colours and alpha over a black shadow, which is visible where the subject is not. */
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

/** Background rows darkened by the subject's shadow. */
export function shadedRow(
  behind: BackdropRow,
  shadow: ShadowRow,
  region: Rect,
  bands: number,
): BackdropRow {
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

/** Writes alpha only. */
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

/** A lookup table per band of the result: the value, 0..1, of each sample of the cut-out's grey band. */
export type GreyToColours = Float32Array[];

/**
 * Writes the picture over a background, blended in the encoded values of its profile, as image editors do.
 */
export function opaquePainter(
  { width, cut, bits }: Depths,
  behind: BackdropRow,
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
        let backdropAt = region.x * bands + band;
        let at = toOffset + band;
        for (let x = 0; x < width; x += 1, read += cut.bands, backdropAt += bands, at += bands) {
          const alpha = levels[from[fromOffset + x * cut.bands + own] as number] as number;
          const colour = table[from[read] as number] as number;
          const back = under[backdropAt] as number;
          to[at] = Math.round((back + (colour - back) * alpha) * topOut);
        }
      }
    },
  };
}
