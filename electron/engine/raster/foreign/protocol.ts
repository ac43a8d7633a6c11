/** Formats that libvips does not read, and what their decoders' thread is asked and answers. */

const foreignFormats = ['bmp', 'heic', 'raw'] as const;
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

/** A picture as it will stand in the raster: upright, 8 or 16 bits. */
export interface ForeignHead {
  width: number;
  height: number;
  bits: 8 | 16;
  bands: 1 | 3 | 4;
}

/** Rows of pixels in memory. `stride` is in samples. */
export interface ForeignPixels extends ForeignHead {
  samples: Uint8Array | Uint16Array;
  stride: number;
}

export interface ForeignDecoder {
  head: ForeignHead;
  decode(): ForeignPixels;
}

export type ForeignAnswer = { head: ForeignHead } | { refusal: string };
