/**
 * TIFFs with floating-point samples of 16 bits (IEEE 754 binary16), which libvips does not read: a copy that
 * declares them as integers is decoded, and its numbers are taken for the bits of floats.
 */
import { closeSync, constants, copyFileSync, openSync } from 'node:fs';
import {
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
} from '../../../file-records/src/index.ts';
import { writeAll } from '../../../files/src/write-all.ts';
import { layoutTags, pictureDirectory, straightAlpha } from './tiff-layout.ts';

interface SampleKinds {
  /** Offset of the numbers in the file. */
  at: number;
  count: number;
  littleEndian: boolean;
  /** Offset of the kinds of further samples, and their count; absent: there are none. */
  extras?: { at: number; count: number };
}

const shortType = 3;
const unsignedKind = 1;
/** Differences of floats' bytes, which integers cannot be stored with. */
const floatPredictor = 3;

/** Finds where the picture's samples are declared as floats; undefined if integers cannot be declared there. */
export function findSampleKinds(path: string): SampleKinds | undefined {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return undefined;
    const { littleEndian } = layout;
    const { entries } = readDirectory(layout, pictureDirectory(layout).at);
    const rawOf = (wanted: number) =>
      entries.find(({ tag, type }) => tag === wanted && type === shortType);
    const kinds = rawOf(layoutTags.sampleFormat);
    const predictor = rawOf(layoutTags.predictor);
    const predictorBytes = predictor && readEntry(layout, predictor)?.bytes;
    const isOfFloats =
      predictorBytes &&
      (littleEndian ? predictorBytes.readUInt16LE(0) : predictorBytes.readUInt16BE(0)) ===
        floatPredictor;
    if (!kinds || isOfFloats === true || !readEntry(layout, kinds)) return undefined;
    const extras = rawOf(layoutTags.extraSamples);
    return {
      ...{ at: kinds.valueAt, count: kinds.count, littleEndian },
      ...(extras && { extras: { at: extras.valueAt, count: extras.count } }),
    };
  });
}

/** Copies the file with its samples declared as integers. */
export function copyAsIntegers(path: string, toPath: string): void {
  const kinds = findSampleKinds(path);
  if (!kinds) throw new Error('The TIFF does not declare its samples');
  copyFileSync(path, toPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const { littleEndian, extras } = kinds;
  const fd = openSync(toPath, 'r+');
  try {
    writeAll(fd, shorts(unsignedKind, kinds.count, littleEndian), kinds.at);
    // libvips would divide the bits by those of a premultiplied alpha.
    if (extras) writeAll(fd, shorts(straightAlpha, extras.count, littleEndian), extras.at);
  } finally {
    closeSync(fd);
  }
}

function shorts(value: number, count: number, littleEndian: boolean): Buffer {
  const bytes = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i += 1)
    if (littleEndian) bytes.writeUInt16LE(value, 2 * i);
    else bytes.writeUInt16BE(value, 2 * i);
  return bytes;
}

/** The number whose bits are given. */
export function numberOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}
