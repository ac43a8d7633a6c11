/** Metadata behind a raster's pixels, as libvips reads it: so that encoders write it into the result. */
import { appendFileSync } from 'node:fs';

/** The source's own bytes, as they are to stand in the result. */
export interface CarriedMetadata {
  exif?: Buffer;
  xmp?: Buffer;
  iptc?: Buffer;
  icc?: Buffer;
}

const names = {
  exif: 'exif-data',
  xmp: 'xmp-data',
  iptc: 'iptc-data',
  icc: 'icc-profile-data',
} as const;

/** Appends the trailer. The raster must have none yet. */
export function appendTrailer(path: string, metadata: CarriedMetadata): void {
  const fields = (['exif', 'xmp', 'iptc', 'icc'] as const).flatMap((kind) => {
    const bytes = metadata[kind];
    return bytes
      ? [`<field type="VipsBlob" name="${names[kind]}">${bytes.toString('base64')}</field>`]
      : [];
  });
  const space = 'http://www.vips.ecs.soton.ac.uk/vips/8.18.7';
  const xml = `<?xml version="1.0"?>\n<root xmlns="${space}"><header/><meta>${fields.join('')}</meta></root>\n`;
  appendFileSync(path, xml);
}
