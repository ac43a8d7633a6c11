/** Metadata that libvips writes from the trailer of a raster file. */
export interface TrailerFields {
  exif?: Buffer;
  xmp?: Buffer;
  icc?: Buffer;
  /** Frames of an animation, one below another. */
  animation?: { frames: number; frameHeight: number };
  /** Pixels per inch, as in the source. */
  density?: number;
}
