/** The metadata that libvips writes from the trailer of a raster file; each field is one block of bytes. */
export interface TrailerFields {
  exif?: Buffer;
  xmp?: Buffer;
  icc?: Buffer;
  /** The resolution is in pixels an inch, as the source says. */
  density?: number;
}
