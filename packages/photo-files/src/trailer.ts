/** Appends metadata to a raster in libvips' form, so that encoders write it into the result. */
import { appendFileSync, closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { TrailerFields } from './metadata/trailer-fields.ts';
import { rasterBytes, shapeOf } from '../../../electron/engine/raster/raster-file.ts';

const names = {
  exif: 'exif-data',
  xmp: 'xmp-data',
  icc: 'icc-profile-data',
} as const;

const mmPerInch = 25.4;
const defaultDensity = 72;
/** Header offset of the resolution: two floats, in pixels per millimetre. */
const resolutionAt = 32;

export const pixelsPerMm = ({ density = defaultDensity }: TrailerFields) => density / mmPerInch;

/** Removes what libvips wrote after the pixels: it reads one trailer, not two. */
function clearTrailer(path: string, perMm: number): void {
  const resolution = Buffer.alloc(8);
  resolution.writeFloatLE(perMm, 0);
  resolution.writeFloatLE(perMm, 4);
  const pixelsEnd = rasterBytes(shapeOf(path));
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, pixelsEnd);
    writeSync(fd, resolution, 0, resolution.length, resolutionAt);
  } finally {
    closeSync(fd);
  }
}

/** Appends a trailer in place of any other, and sets the header's resolution. */
export function appendTrailer(path: string, metadata: TrailerFields): void {
  clearTrailer(path, pixelsPerMm(metadata));
  const fields = (['exif', 'xmp', 'icc'] as const).flatMap((kind) => {
    const bytes = metadata[kind];
    return bytes
      ? [`<field type="VipsBlob" name="${names[kind]}">${bytes.toString('base64')}</field>`]
      : [];
  });
  if (metadata.animation) {
    const { frames, frameHeight } = metadata.animation;
    fields.push(`<field type="gint" name="n-pages">${frames}</field>`);
    fields.push(`<field type="gint" name="page-height">${frameHeight}</field>`);
  }
  const space = 'http://www.vips.ecs.soton.ac.uk/vips/8.18.7';
  const xml = `<?xml version="1.0"?>\n<root xmlns="${space}"><header/><meta>${fields.join('')}</meta></root>\n`;
  appendFileSync(path, xml);
}
