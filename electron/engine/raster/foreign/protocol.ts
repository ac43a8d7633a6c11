/** Says which formats sharp's libvips does not know, and what their thread is asked and answers. */
import type { RasterShape } from '../raster-file.ts';

const foreignFormats = ['bmp', 'heic', 'raw', 'jxl'] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

export const isForeign = (format: string): format is ForeignFormat =>
  foreignFormats.some((known) => known === format);

export interface ForeignRequest {
  format: ForeignFormat;
  path: string;
  /** It tells whether a format that has both depths is decoded to more than 8 bits. */
  isDeep: boolean;
  /** The raster is written here. Without a path only the head is read. */
  rasterPath?: string;
  /** A picture of more pixels is not decoded. */
  maxPixels: number;
}

/** Orders a JPEG XL file from a raster, with the profile in the raster's trailer and no other metadata. */
export interface JxlOrder {
  rasterPath: string;
  outputPath: string;
  lossless: boolean;
  quality: number;
}

/** The picture will have this shape in the raster: upright, of 8 or 16 bits. */
export interface ForeignHead extends RasterShape {
  bands: 1 | 2 | 3 | 4;
  /** It is the profile, where the decoder knows it and the file's own bytes do not show it. */
  icc?: Uint8Array;
}

/** The pixels lie in memory, row by row. `stride` counts samples. */
export interface ForeignPixels extends ForeignHead {
  samples: Uint8Array | Uint16Array;
  stride: number;
}

export interface ForeignDecoder {
  head: ForeignHead;
  /** Answers the pixels, or nothing when the decoder has written the raster itself. */
  decode(rasterPath: string): ForeignPixels | undefined;
}

/** The thread answers these questions. */
export interface ForeignCalls {
  read: { request: ForeignRequest; response: ForeignHead };
  write: { request: JxlOrder; response: unknown };
}
