/** Detects from a picture's file whether it was encoded losslessly. */
import { withFileBytes, type TiffBytes } from '../../file-records/src/index.ts';
import { boxesOf } from './metadata/containers/jxl-boxes.ts';
import { firstFrameOf } from './metadata/containers/webp-chunks.ts';

const avifHeadBytes = 64 * 1024;
/**
 * Offset after `colr` and `nclx` of the two bytes of matrix coefficients, which follow primaries and
 * transfer.
 */
const matrixAt = 4 + 4;

/** A lossless AVIF holds RGB itself: its `nclx` colour box has matrix 0 (H.273). */
export const isLosslessAvif = (path: string): boolean =>
  withFileBytes(path, (bytes) => {
    const head = bytes.read(0, avifHeadBytes);
    const at = head.indexOf('colrnclx', 0, 'latin1');
    if (at < 0 || at + 4 + matrixAt + 2 > head.length) return false;
    return head.readUInt16BE(at + 4 + matrixAt) === 0;
  });

/** A WebP is lossless if its first frame is VP8L. */
export const isLosslessWebp = (path: string): boolean =>
  withFileBytes(path, (bytes) => firstFrameOf(bytes)?.kind === 'VP8L');

const jxlHeadBytes = 4096;

/**
 * A JPEG XL is lossless if its header says that colours are not XYB, unlike lossy ones (ISO/IEC 18181-1).
 *
 * @returns false if the header cannot be parsed
 */
export const isLosslessJxl = (path: string): boolean =>
  withFileBytes(path, (bytes) => {
    const head = codestreamHead(bytes);
    return head !== undefined && head.readUInt16BE(0) === 0xff0a && isPlainRgb(head.subarray(2));
  });

/** Reads the start of the codestream, which is bare or in a box. */
function codestreamHead(bytes: TiffBytes): Buffer | undefined {
  const start = bytes.read(0, jxlHeadBytes);
  if (start.length < 16) return undefined;
  if (start.readUInt16BE(0) === 0xff0a) return start;
  const box = boxesOf(bytes).find(({ type }) => type === 'jxlc' || type === 'jxlp');
  // In a `jxlp` box the codestream follows an index of four bytes.
  return box && bytes.read(box.type === 'jxlp' ? box.at + 4 : box.at, jxlHeadBytes);
}

type U32Choices = readonly (readonly [base: number, bits: number])[];
const sizes: U32Choices = [1, 1, 1, 1].map((base, i) => [base, [9, 13, 18, 30][i] ?? 9]);
const depths: U32Choices = [
  [8, 0],
  [10, 0],
  [12, 0],
  [1, 6],
];
const floatDepths: U32Choices = [
  [32, 0],
  [16, 0],
  [24, 0],
  [1, 6],
];
const counts: U32Choices = [
  [0, 0],
  [1, 0],
  [2, 4],
  [1, 12],
];
const kinds: U32Choices = [
  [0, 0],
  [1, 0],
  [2, 4],
  [18, 6],
];
const shifts: U32Choices = [
  [0, 0],
  [3, 0],
  [4, 0],
  [1, 3],
];
const lengths: U32Choices = [
  [0, 0],
  [0, 4],
  [16, 5],
  [48, 10],
];
const alphaKind = 0;

/** Parses ImageMetadata up to xyb_encoded. @returns whether that flag is not set */
function isPlainRgb(head: Buffer): boolean {
  const read = bitReader(head);
  readSize(read);
  const allDefault = read.flag();
  if (allDefault) return false;
  if (read.flag()) {
    read.bits(3);
    if (read.flag()) readSize(read);
    // Previews and animations are not parsed.
    if (read.flag() || read.flag()) return false;
  }
  readDepth(read);
  read.flag();
  for (let left = read.choice(counts); left > 0; left -= 1) if (!readAlpha(read)) return false;
  return !read.flag();
}

function readSize(read: BitReader): void {
  const isCompact = read.flag();
  const side = () => (isCompact ? read.bits(5) : read.choice(sizes));
  side();
  if (read.bits(3) === 0) side();
}

function readDepth(read: BitReader): void {
  if (!read.flag()) read.choice(depths);
  else {
    read.choice(floatDepths);
    read.bits(4);
  }
}

/** Reads an alpha channel. @returns false for other extra channels */
function readAlpha(read: BitReader): boolean {
  if (read.flag()) return true;
  if (read.choice(kinds) !== alphaKind) return false;
  readDepth(read);
  read.choice(shifts);
  for (let left = read.choice(lengths); left > 0; left -= 1) read.bits(8);
  read.flag();
  return true;
}

interface BitReader {
  bits(count: number): number;
  flag(): boolean;
  /** The standard's U32: two bits choose a base and the number of offset bits. */
  choice(choices: U32Choices): number;
}

/** Least significant bit first; zeros after the end. */
function bitReader(bytes: Buffer): BitReader {
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i += 1, at += 1)
      value += (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** i;
    return value;
  };
  return {
    bits,
    flag: () => bits(1) === 1,
    choice(choices) {
      const [base, extraBits] = choices[bits(2)] ?? [0, 0];
      return base + bits(extraBits);
    },
  };
}
