/**
 * Reads the quantiser of an HEVC still picture (ITU-T H.265, 7.3.1.2, 7.3.2 and 7.3.6.1): the one with which its
 * first slice begins, for which the sequence's and the picture's parameters must be read, too. This is pure, and
 * its work is bounded by the bytes it is given.
 */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';
import { readBits, type Bits } from './header-bits.ts';

const sequenceParameters = 33;
const pictureParameters = 34;
/** Slices of pictures that need no other one; those `withoutOrder` tell no place among pictures. */
const refreshing = { first: 16, last: 23, withoutOrder: [19, 20] };
const mostSlices = 31;
const mostUnits = 64;
/** No more of a unit is read; headers are far shorter. */
const headerBytes = 4096;

/** The content of `hvcC` (ISO/IEC 14496-15, 8.3.3.1.2). */
interface Configuration {
  /** The size of the length field before each unit of the data. */
  lengthBytes: number;
  units: Buffer[];
}

/**
 * Gives the quantiser of the first slice, from 51 (coarsest) down to 0, or below 0 with more than 8 bits;
 * single blocks may differ from it. It is undefined where parts may be lossless, and for pictures that refer
 * to others, as stills need not. It throws a RangeError where a header is not whole.
 *
 * @param configuration the content of the picture's `hvcC`; its data lie between `from` and `to`
 */
export function hevcQuantiserOf(
  configuration: Buffer,
  bytes: TiffBytes,
  from: number,
  to: number,
): number | undefined {
  const { lengthBytes, units } = configurationIn(configuration);
  const sequences = new Map<number, Sequence>();
  const pictures = new Map<number, Picture>();
  const learn = (unit: Buffer) => {
    if (kindOf(unit) === sequenceParameters) addSequence(sequences, readUnit(unit));
    if (kindOf(unit) === pictureParameters) addPicture(pictures, readUnit(unit));
  };
  for (const unit of units) learn(unit);
  let at = from;
  for (let i = 0; i < mostUnits && at + lengthBytes < to; i += 1) {
    const size = bytes.read(at, lengthBytes).readUIntBE(0, lengthBytes);
    const unit = bytes.read(at + lengthBytes, Math.min(size, headerBytes));
    const kind = kindOf(unit);
    if (kind !== undefined && kind <= mostSlices)
      return quantiserIn(kind, readUnit(unit), pictures, sequences);
    learn(unit);
    at += lengthBytes + size;
  }
  return undefined;
}

function configurationIn(content: Buffer): Configuration {
  const lengthBytes = (content.readUInt8(21) & 3) + 1;
  const units: Buffer[] = [];
  let at = 23;
  for (let array = content.readUInt8(22); array > 0; array -= 1) {
    const count = content.readUInt16BE(at + 1);
    at += 3;
    for (let i = 0; i < count && units.length < mostUnits; i += 1) {
      const size = content.readUInt16BE(at);
      units.push(content.subarray(at + 2, at + 2 + size));
      at += 2 + size;
    }
  }
  return { lengthBytes, units };
}

/** Gives a unit's kind; undefined for units of further layers, such as a second view or transparency. */
function kindOf(unit: Buffer): number | undefined {
  if (unit.length < 2) return undefined;
  const head = unit.readUInt16BE(0);
  return ((head >> 3) & 63) === 0 ? (head >> 9) & 63 : undefined;
}

type Numbers = Bits & {
  /** These read an Exp-Golomb code (9.2): `grown` without a sign, `signed` with one. */
  grown: () => number;
  signed: () => number;
};

/** Reads the numbers behind a unit's head, without the 3s that prevent accidental start codes (7.3.1.1). */
function readUnit(unit: Buffer): Numbers {
  const payload = unit.subarray(2);
  const bits = readBits(
    Buffer.from(
      payload.filter((byte, i) => !(byte === 3 && payload[i - 1] === 0 && payload[i - 2] === 0)),
    ),
  );
  const grown = () => {
    let zeros = 0;
    while (!bits.isSet()) zeros += 1;
    if (zeros > 32) throw new RangeError('The number is too long');
    return 2 ** zeros - 1 + bits.number(zeros);
  };
  const signed = () => {
    const value = grown();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  };
  return { ...bits, grown, signed };
}

interface Sequence {
  /** The chroma format; it is 0 for grey, and also where each colour is coded as a picture of its own. */
  chroma: number;
  hasPlanes: boolean;
  /** It tells whether edges are filtered by sample-adaptive offsets. */
  hasOffsets: boolean;
}

const fullColour = 3;

function addSequence(sequences: Map<number, Sequence>, { number, isSet, grown, signed }: Numbers) {
  number(4);
  const furtherLayers = number(3);
  isSet();
  skipProfile(furtherLayers, { number, isSet });
  const id = grown();
  const format = grown();
  const hasPlanes = format === fullColour && isSet();
  const skip = (count: number) => {
    for (let i = 0; i < count; i += 1) grown();
  };
  skip(2); // These are width and height.
  if (isSet()) skip(4); // These are the borders that are not shown.
  skip(3); // These are the bits of brightness, of colours, and of the order of pictures.
  skip(3 * (isSet() ? furtherLayers + 1 : 1)); // These bound the pictures that are kept.
  skip(6); // These are the sizes of blocks.
  if (isSet() && isSet()) skipScaling({ number, isSet, grown, signed });
  isSet(); // It tells whether blocks may be split unevenly.
  const hasOffsets = isSet();
  sequences.set(id, { chroma: hasPlanes ? 0 : format, hasPlanes, hasOffsets });
}

function skipProfile(furtherLayers: number, { number, isSet }: Bits): void {
  const profileBits = 88;
  const levelBits = 8;
  number(profileBits + levelBits);
  const told = Array.from({ length: furtherLayers }, () => [isSet(), isSet()] as const);
  if (furtherLayers > 0) number(2 * (8 - furtherLayers));
  for (const [hasProfile, hasLevel] of told)
    number((hasProfile ? profileBits : 0) + (hasLevel ? levelBits : 0));
}

/** Skips the scaling lists, which hold a step for each frequency (7.3.4). */
function skipScaling({ isSet, grown, signed }: Numbers): void {
  for (let size = 0; size < 4; size += 1)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!isSet()) {
        grown(); // This list equals the one to which the number refers.
        continue;
      }
      const firstAlone = size > 1 ? 1 : 0;
      const count = Math.min(64, 2 ** (4 + 2 * size)) + firstAlone;
      for (let i = 0; i < count; i += 1) signed();
    }
}

interface Picture {
  sequence: number;
  hasOutputFlag: boolean;
  extraBits: number;
  /** The quantiser to which slices add a difference. */
  quantiser: number;
  /** It tells whether blocks may be lossless. */
  mayBeLossless: boolean;
}

function addPicture(pictures: Map<number, Picture>, { number, isSet, grown, signed }: Numbers) {
  const id = grown();
  const sequence = grown();
  isSet(); // It tells whether slices may depend on others; the first one never does.
  const hasOutputFlag = isSet();
  const extraBits = number(3);
  number(2); // These switch hidden signs and the choice of initial probabilities.
  grown();
  grown(); // These two are the numbers of pictures from which blocks are predicted, forwards and backwards.
  const quantiser = 26 + signed();
  number(2); // These tell from what blocks are predicted, and whether the transform may be skipped.
  if (isSet()) grown(); // It tells down to which depth blocks have a quantiser of their own.
  signed();
  signed(); // These two are the differences of the quantisers of colours.
  number(3); // These tell whether slices have such differences, and switch weighted predictions.
  const mayBeLossless = isSet();
  pictures.set(id, { sequence, hasOutputFlag, extraBits, quantiser, mayBeLossless });
}

const intra = 2;
/** The finest quantiser, that of 16 bits, and the coarsest one of any bits. */
const finest = -48;
const coarsest = 51;

/** Reads the quantiser in the header of a picture's first slice. */
function quantiserIn(
  kind: number,
  { number, isSet, grown, signed }: Numbers,
  pictures: Map<number, Picture>,
  sequences: Map<number, Sequence>,
): number | undefined {
  const isFirst = isSet();
  const isRefreshing = kind >= refreshing.first && kind <= refreshing.last;
  if (!isFirst || !isRefreshing) return undefined;
  isSet(); // It tells whether pictures before this one are dropped.
  const picture = pictures.get(grown());
  const sequence = picture && sequences.get(picture.sequence);
  if (!sequence || picture.mayBeLossless) return undefined;
  number(picture.extraBits);
  if (grown() !== intra) return undefined;
  if (picture.hasOutputFlag) isSet();
  if (sequence.hasPlanes) number(2);
  // Slices of other kinds tell their place among pictures first, which stills do not need.
  if (!refreshing.withoutOrder.includes(kind)) return undefined;
  if (sequence.hasOffsets) number(sequence.chroma === 0 ? 1 : 2);
  const quantiser = picture.quantiser + signed();
  return quantiser >= finest && quantiser <= coarsest ? quantiser : undefined;
}
