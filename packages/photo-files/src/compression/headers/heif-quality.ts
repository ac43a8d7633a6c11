/**
 * Estimates the quality of an AVIF or HEIC photo: reads the quantiser of the first picture's AV1 frame or
 * HEVC slice, and looks up the JPEG quality with the same error.
 */
import { firstPictureOf, type TiffBytes, ifComplete } from '../../../../file-records/src/index.ts';
import { av1QuantiserOf } from './av1-quantiser.ts';
import { hevcQuantiserOf } from './hevc-quantiser.ts';
import { readEquivalentQuality, type EquivalentQualities } from './equivalent-quality.ts';

/** Equivalent quality of an AVIF; undefined if it is lossless or unreadable. */
export const readAvifQuality = (path: string): number | undefined =>
  readEquivalentQuality(path, avifQuantiserOf, equivalentsOfAvif);

/** Equivalent quality of a HEIC; undefined if it may be lossless or is unreadable. */
export const readHeicQuality = (path: string): number | undefined =>
  readEquivalentQuality(path, heicQuantiserOf, equivalentsOfHeic);

/** Quantiser of the primary item, or of a grid's first tile: 0 (finest) to 255. */
export function avifQuantiserOf(bytes: TiffBytes): number | undefined {
  const picture = ifComplete(() => firstPictureOf(bytes));
  return picture && av1QuantiserOf(bytes, picture.from, picture.to);
}

/** As for AVIF: 51 (coarsest) down to 0, or below 0 with more than 8 bits. */
export function heicQuantiserOf(bytes: TiffBytes): number | undefined {
  return ifComplete(() => {
    const picture = firstPictureOf(bytes);
    const configuration = picture?.property('hvcC');
    if (!picture || !configuration) return undefined;
    return hevcQuantiserOf(configuration, bytes, picture.from, picture.to);
  });
}

/** libjpeg's 4:2:0 qualities of equal luma PSNR; median of eight photographs. */
// prettier-ignore
const equivalentsOfAvif: EquivalentQualities = [
  [0, 99], [8, 99], [16, 98], [32, 96], [48, 94], [60, 92], [76, 90], [92, 88], [120, 80], [148, 62], [172, 34], [196, 19], [216, 12],
];

/**
 * libjpeg's 4:2:0 qualities of equal luma PSNR: the second best of five photographs, encoded by x265 with a
 * constant quantiser, so that for other encoders rather too little is removed.
 */
// prettier-ignore
const equivalentsOfHeic: EquivalentQualities = [
  [0, 100], [8, 99], [15, 97], [22, 93], [27, 87], [32, 73], [37, 42], [42, 14],
];
