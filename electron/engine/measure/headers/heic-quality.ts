/**
 * How strongly a HEIC photo was compressed: the quantiser of its first picture's HEVC slice, and the JPEG quality
 * whose pictures differ as much from their originals.
 */
import { withFileBytes, type TiffBytes } from '../../metadata/tiff/tiff-directory.ts';
import { unlessCutShort } from './header-bits.ts';
import { firstPictureOf } from './heif-items.ts';
import { hevcQuantiserOf } from './hevc-quantiser.ts';
import { likenedQuality, type Likened } from './likened-quality.ts';

/** Undefined for one that is or may be lossless, and where the file cannot be read. */
export function readHeicQuality(path: string): number | undefined {
  const quantiser = withFileBytes(path, heicQuantiserOf);
  return quantiser === undefined ? undefined : likenedQuality(quantiser, likened);
}

/** 51 (coarsest) down to 0, or below it with more than 8 bits, of the primary item; of a grid's first tile. */
export function heicQuantiserOf(bytes: TiffBytes): number | undefined {
  return unlessCutShort(() => {
    const picture = firstPictureOf(bytes);
    const configuration = picture?.property('hvcC');
    if (!picture || !configuration) return undefined;
    return hevcQuantiserOf(configuration, bytes, picture.from, picture.to);
  });
}

/**
 * [quantiser, quality]: libjpeg's 4:2:0 qualities of equal PSNR of brightness, the second best of five photographs as
 * x265 writes them with one quantiser all over: of encoders that were not measured rather too little is taken off.
 */
// prettier-ignore
const likened: Likened = [
  [0, 100], [8, 99], [15, 97], [22, 93], [27, 87], [32, 73], [37, 42], [42, 14],
];
