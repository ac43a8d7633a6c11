/**
 * The only import of sharp, configured for untrusted pictures: no cache by file name, and no loaders but
 * those of accepted formats and of Enlarger's rasters.
 */
import sharp, { type Sharp } from 'sharp';
import type { Size } from '../../../packages/contract/src/geometry.ts';

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
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadVips',
  ],
});

/**
 * Opens a user's picture from a file or bytes, by default at its first page. `failOn: 'warning'` refuses
 * truncated files, of which 'none' shows a part; complete files that break a rule are repaired
 * (`photo-files`). sharp's pixel limit is off, because Enlarger has checked its own.
 */
export const openPicture = (
  source: string | Buffer,
  options: { ignoreIcc: boolean; page?: number; pages?: number; failOn?: 'none' },
): Sharp =>
  sharp(source, {
    failOn: 'warning',
    limitInputPixels: false,
    sequentialRead: true,
    pages: 1,
    ...options,
  });

/**
 * Opens one of Enlarger's rasters in its own numbers.
 *
 * @param options.toDisplay convert to sRGB by its profile
 */
export const openOwnRaster = (path: string, options: { toDisplay?: boolean } = {}): Sharp =>
  sharp(path, { ignoreIcc: !options.toDisplay, limitInputPixels: false });

/** First line of libvips' message, which names the fault. */
export const firstLineOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);

/** Opens interleaved pixels in memory. */
export const openSamples = (
  samples: Uint8Array | Uint16Array,
  raw: Size & { channels: 1 | 2 | 3 | 4 },
): Sharp => sharp(samples, { raw });
