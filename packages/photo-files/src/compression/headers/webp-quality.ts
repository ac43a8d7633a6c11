/**
 * Estimates the quality of a lossy WebP: reads the quantiser index in the frame header (RFC 6386, 9.2 to 9.6
 * and 19.2), and looks up the JPEG quality with the same error.
 */
import { firstFrameOf } from '../../metadata/containers/webp-chunks.ts';
import type { TiffBytes } from '../../../../file-records/src/index.ts';
import { readEquivalentQuality, type EquivalentQualities } from './equivalent-quality.ts';

const headBytes = 256;

/** Equivalent quality; undefined for a lossless WebP and an unreadable header. */
export const readWebpQuality = (path: string): number | undefined =>
  readEquivalentQuality(path, quantiserIndexOf, equivalents);

/** Index of the first frame, 0 (finest) to 127: the mean over its segments. */
export function quantiserIndexOf(bytes: TiffBytes): number | undefined {
  const frame = firstFrameOf(bytes);
  return frame?.kind === 'VP8 ' ? indexInFrame(bytes.read(frame.at, headBytes)) : undefined;
}

/** Frame tag (3 bytes), start code (3) and size (4) precede the coded header. */
const codedFrom = 10;

function indexInFrame(frame: Buffer): number | undefined {
  const isKeyFrame = ((frame[0] ?? 1) & 1) === 0;
  if (frame.length < codedFrom + 16 || !isKeyFrame) return undefined;
  const { bit, number, signed } = createBoolDecoder(frame.subarray(codedFrom));
  number(2); // Colour space, clamping type.
  const segments = bit() ? segmentsIn(bit, number, signed) : undefined;
  number(1 + 6 + 3); // Loop filter type, level, sharpness.
  if (bit() && bit()) for (let i = 0; i < 8; i += 1) if (bit()) signed(6);
  number(2); // Number of partitions.
  const base = number(7);
  if (!segments) return base;
  const all = segments.values.map((value) => (segments.isAbsolute ? value : base + value));
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

type BoolDecoder = ReturnType<typeof createBoolDecoder>;

function segmentsIn(
  bit: BoolDecoder['bit'],
  number: BoolDecoder['number'],
  signed: BoolDecoder['signed'],
) {
  const isMapped = bit() === 1;
  let found: { isAbsolute: boolean; values: number[] } | undefined;
  if (bit()) {
    const isAbsolute = bit() === 1;
    const values = Array.from({ length: 4 }, () => (bit() ? signed(7) : 0));
    for (let i = 0; i < 4; i += 1) if (bit()) signed(6); // Loop filter levels.
    found = { isAbsolute, values };
  }
  if (isMapped) for (let i = 0; i < 3; i += 1) if (bit()) number(8);
  return found;
}

/** Boolean decoder of RFC 6386, 7.3, with equal probabilities. */
function createBoolDecoder(bytes: Buffer) {
  let at = 2;
  let value = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  let range = 255;
  let shifted = 0;
  const bit = (): 0 | 1 => {
    const split = 1 + (((range - 1) * 128) >> 8);
    const isSet = value >= split << 8;
    range = isSet ? range - split : split;
    if (isSet) value -= split << 8;
    while (range < 128) {
      value <<= 1;
      range <<= 1;
      shifted += 1;
      if (shifted < 8) continue;
      shifted = 0;
      value |= bytes[at] ?? 0;
      at += 1;
    }
    return isSet ? 1 : 0;
  };
  const number = (bits: number) => {
    let read = 0;
    for (let i = 0; i < bits; i += 1) read = (read << 1) | bit();
    return read;
  };
  const signed = (bits: number) => {
    const size = number(bits);
    return bit() ? -size : size;
  };
  return { bit, number, signed };
}

/** libjpeg's 4:2:0 qualities of equal luma PSNR, measured on nine photographs. */
// prettier-ignore
const equivalents: EquivalentQualities = [
  [0, 97], [5, 95], [10, 91], [16, 87], [22, 82], [28, 76], [34, 72], [40, 66], [46, 59], [54, 46], [62, 34], [74, 24], [89, 15],
];
