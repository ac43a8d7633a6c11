/**
 * Tells how strongly an AVIF or a HEIC photo was compressed. It reads the quantiser of the first picture's
 * AV1 frame or HEVC slice, and finds the JPEG quality whose pictures differ as much from their originals.
 */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';
import { av1QuantiserOf } from './av1-quantiser.ts';
import { unlessCutShort } from './header-bits.ts';
import { firstPictureOf } from './heif-items.ts';
import { hevcQuantiserOf } from './hevc-quantiser.ts';
import { readEquivalentQuality, type EquivalentQualities } from './equivalent-quality.ts';

/** Reads an AVIF's equivalent quality; undefined for a lossless one, and where the file cannot be read. */
export const readAvifQuality = (path: string): number | undefined =>
  readEquivalentQuality(path, avifQuantiserOf, equivalentsOfAvif);

/** Reads a HEIC's equivalent quality; undefined where it may be lossless, or the file cannot be read. */
export const readHeicQuality = (path: string): number | undefined =>
  readEquivalentQuality(path, heicQuantiserOf, equivalentsOfHeic);

/** Gives the quantiser of the primary item, or of a grid's first tile: 0 (finest) to 255. */
export function avifQuantiserOf(bytes: TiffBytes): number | undefined {
  const picture = unlessCutShort(() => firstPictureOf(bytes));
  return picture && av1QuantiserOf(bytes, picture.from, picture.to);
}

/** Gives the quantiser of a HEIC so, too: 51 (coarsest) down to 0, or below 0 with more than 8 bits. */
export function heicQuantiserOf(bytes: TiffBytes): number | undefined {
  return unlessCutShort(() => {
    const picture = firstPictureOf(bytes);
    const configuration = picture?.property('hvcC');
    if (!picture || !configuration) return undefined;
    return hevcQuantiserOf(configuration, bytes, picture.from, picture.to);
  });
}

/** These are libjpeg's 4:2:0 qualities of equal PSNR of brightness, the median of eight photographs. */
// prettier-ignore
const equivalentsOfAvif: EquivalentQualities = [
  [0, 99], [8, 99], [16, 98], [32, 96], [48, 94], [60, 92], [76, 90], [92, 88], [120, 80], [148, 62], [172, 34], [196, 19], [216, 12],
];

/**
 * These are libjpeg's 4:2:0 qualities of equal PSNR of brightness, the second best of five photographs as
 * x265 writes them with one quantiser all over. So for encoders that were not measured rather too little is
 * taken off.
 */
// prettier-ignore
const equivalentsOfHeic: EquivalentQualities = [
  [0, 100], [8, 99], [15, 97], [22, 93], [27, 87], [32, 73], [37, 42], [42, 14],
];
