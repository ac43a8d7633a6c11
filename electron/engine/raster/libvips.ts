/**
 * sharp, set up for untrusted pictures: no cache by file name, and no loader but those of the
 * formats that we accept and of our own rasters.
 */
import sharp, { type Sharp } from 'sharp';
import type { Size } from '../../contract/geometry.ts';

sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
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
 * A user's picture, its first page unless another is named, from its file or its bytes. `failOn: 'warning'` refuses
 * what is cut short; pixel limits are ours and checked before.
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

/** A raster of ours, with its own numbers; `toDisplay` converts them by its profile to sRGB. */
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
