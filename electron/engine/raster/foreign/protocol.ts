/** Says which formats sharp's libvips does not know, and what their thread is asked and answers. */
import type { RasterShape } from '../raster-file.ts';

const foreignFormats = ['bmp', 'heic', 'raw', 'jxl'] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

export const isForeign = (format: string): format is ForeignFormat =>
  foreignFormats.some((known) => known === format);

export interface ForeignRequest {
  format: ForeignFormat;
  path: string;
  /** Whether more than 8 bits are asked of a format that has both. */
  isDeep: boolean;
  /** Where the raster is written; absent: only the head is wanted. */
  rasterPath?: string;
  /** A picture of more is refused before it is decoded. */
  maxPixels: number;
}

/** A raster, with its profile in its trailer, to a JPEG XL file without other metadata. */
export interface JxlOrder {
  rasterPath: string;
  outputPath: string;
  lossless: boolean;
  quality: number;
}

/** The picture will have this shape in the raster: upright, of 8 or 16 bits. */
export interface ForeignHead extends RasterShape {
  bands: 1 | 2 | 3 | 4;
  /** Where the decoder knows it and the file's own bytes do not show it. */
  icc?: Uint8Array;
}

/** Rows of pixels in memory. `stride` is in samples. */
export interface ForeignPixels extends ForeignHead {
  samples: Uint8Array | Uint16Array;
  stride: number;
}

export interface ForeignDecoder {
  head: ForeignHead;
  /** Pixels, or nothing when the raster was written by itself. */
  decode(rasterPath: string): ForeignPixels | undefined;
}

/** What the thread can be asked. */
export interface ForeignCalls {
  read: { asked: ForeignRequest; answer: ForeignHead };
  write: { asked: JxlOrder; answer: unknown };
}
