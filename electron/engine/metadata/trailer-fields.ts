/** Metadata that libvips writes from the trailer of a raster file. */
export interface TrailerFields {
  exif?: Buffer;
  xmp?: Buffer;
  icc?: Buffer;
  /** Pixels per inch, as in the source. */
  density?: number;
}
