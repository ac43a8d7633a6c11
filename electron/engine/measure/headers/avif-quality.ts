/**
 * How strongly an AVIF was compressed: the quantiser of its first picture's AV1 frame, and the JPEG quality whose
 * pictures differ as much from their originals.
 */
import { withFileBytes, type TiffBytes } from '../../metadata/tiff/tiff-directory.ts';
import { av1QuantiserOf } from './av1-quantiser.ts';
import { unlessCutShort } from './header-bits.ts';
import { firstPictureOf } from './heif-items.ts';
import { likenedQuality, type Likened } from './likened-quality.ts';

/** Undefined for a lossless one, and where the file cannot be read. */
export function readAvifQuality(path: string): number | undefined {
  const index = withFileBytes(path, (bytes) => avifQuantiserOf(bytes));
  return index === undefined ? undefined : likenedQuality(index, likened);
}

/** 0 (finest) to 255 of the primary item; of a grid's first tile. */
export function avifQuantiserOf(bytes: TiffBytes): number | undefined {
  const picture = unlessCutShort(() => firstPictureOf(bytes));
  return picture && av1QuantiserOf(bytes, picture.from, picture.to);
}

/** [index, quality]: libjpeg's 4:2:0 qualities of equal PSNR of brightness, the middle of eight photographs. */
// prettier-ignore
const likened: Likened = [
  [0, 99], [8, 99], [16, 98], [32, 96], [48, 94], [60, 92], [76, 90], [92, 88], [120, 80], [148, 62], [172, 34], [196, 19], [216, 12],
];
