/** Formats that sharp's libvips lacks, and the requests and responses of their thread. */
import type { RasterShape } from '../../../../electron/engine/raster/raster-file.ts';

const foreignFormats = ['bmp', 'heic', 'raw', 'jxl'] as const;
export type ForeignFormat = (typeof foreignFormats)[number];

export const isForeign = (format: string): format is ForeignFormat =>
  foreignFormats.some((known) => known === format);

export interface ForeignRequest {
  format: ForeignFormat;
  path: string;
  /** Whether a format with both depths is decoded to more than 8 bits. */
  isDeep: boolean;
  /** Path of the raster; absent: only the header is read. */
  rasterPath?: string;
  /** Larger pictures are not decoded. */
  maxPixels: number;
}

/** Encoding of a raster as JPEG XL, with the profile in the raster's trailer and no other metadata. */
export interface JxlOptions {
  rasterPath: string;
  outputPath: string;
  lossless: boolean;
  quality: number;
}

/** Shape of the raster: upright, 8 or 16 bits. */
export interface ForeignHeader extends RasterShape {
  bands: 1 | 2 | 3 | 4;
  /** The profile, if the decoder knows it and the file's own bytes do not contain it. */
  icc?: Uint8Array;
}

/** Pixels in memory, row-major. `stride` is in samples. */
export interface ForeignPixels extends ForeignHeader {
  samples: Uint8Array | Uint16Array;
  stride: number;
}

export interface ForeignDecoder {
  head: ForeignHeader;
  /** Returns the pixels; undefined if the decoder has written the raster itself. */
  decode(rasterPath: string): ForeignPixels | undefined;
}

/** The requests that the thread serves. */
export interface ForeignCalls {
  read: { request: ForeignRequest; response: ForeignHeader };
  write: { request: JxlOptions; response: unknown };
}
