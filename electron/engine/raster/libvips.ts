/**
 * This is the only door to sharp, set up for untrusted pictures: it has no cache by file name, and no loaders
 * but those of the formats that Enlarger accepts and of its own rasters.
 */
import sharp, { type Sharp } from 'sharp';
import type { Size } from '../../contract/geometry.ts';

sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadTiffBuffer',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadVips',
  ],
});

/**
 * Opens a user's picture from a file or bytes, at its first page unless another is named. `failOn: 'warning'`
 * refuses files that are cut short; those that are whole but break a rule are repaired (`repair/`). sharp's pixel limit is off, because Enlarger checks its own before.
 */
export const openPicture = (
  source: string | Buffer,
  options: { ignoreIcc: boolean; page?: number },
): Sharp =>
  sharp(source, {
    failOn: 'warning',
    limitInputPixels: false,
    sequentialRead: true,
    pages: 1,
    ...options,
  });

/** Opens one of Enlarger's rasters with its own numbers; `toDisplay` converts them to sRGB by its profile. */
export const openOwnRaster = (path: string, options: { toDisplay?: boolean } = {}): Sharp =>
  sharp(path, { ignoreIcc: !options.toDisplay, limitInputPixels: false });

/** Takes the first line of libvips' message, which names the fault. */
export const firstLineOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);

/** Opens interleaved pixels that are in memory. */
export const openSamples = (
  samples: Uint8Array | Uint16Array,
  raw: Size & { channels: 1 | 2 | 3 | 4 },
): Sharp => sharp(samples, { raw });
