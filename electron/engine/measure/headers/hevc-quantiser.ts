/**
 * The quantiser of an HEVC still picture (ITU-T H.265, 7.3.1.2, 7.3.2 and 7.3.6.1): what its first slice begins with,
 * for which the sequence's and the picture's parameters must be read as well. Pure, and bounded by what it is given.
 */
import type { TiffBytes } from '../../metadata/tiff/tiff-directory.ts';
import { readBits, type Bits } from './header-bits.ts';

const sequenceParameters = 33;
const pictureParameters = 34;
/** The kinds of slices with which a picture that needs no other one may begin; without order the first of them. */
const refreshing = { first: 16, last: 23, withoutOrder: [19, 20] };
const mostSlices = 31;
const mostUnits = 64;
/** Headers are far shorter. */
const headerBytes = 4096;

/** What `hvcC` holds (ISO/IEC 14496-15, 8.3.3.1.2). */
interface Configuration {
  /** Of the length that stands before each unit of the data. */
  lengthBytes: number;
  units: Buffer[];
}

/**
 * 51 (coarsest) down to 0, and below with more than 8 bits, of the slice that comes first: blocks may differ from it.
 * Undefined where parts may be without loss, and for pictures that name others: stills have no need to. Throws a
 * RangeError where a header is not whole.
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

/** A unit's kind; undefined for those of further layers, such as a second view or transparency. */
function kindOf(unit: Buffer): number | undefined {
  if (unit.length < 2) return undefined;
  const head = unit.readUInt16BE(0);
  return ((head >> 3) & 63) === 0 ? (head >> 9) & 63 : undefined;
}

type Numbers = Bits & {
  /** Of as many bits as its value takes (9.2); the second one with a sign. */
  grown: () => number;
  signed: () => number;
};

/** A unit's numbers behind its head, without the threes that keep it from looking like a start code (7.3.1.1). */
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
  /** 0 also where each colour is coded as a picture of its own. */
  chroma: number;
  hasPlanes: boolean;
  /** Whether edges are filtered by sample-adaptive offsets. */
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
  skip(2); // Its size.
  if (isSet()) skip(4); // What of it is shown.
  skip(3); // Bits of both kinds of samples, and of the order.
  skip(3 * (isSet() ? furtherLayers + 1 : 1)); // Pictures that are kept.
  skip(6); // Sizes of blocks.
  if (isSet() && isSet()) skipScaling({ number, isSet, grown, signed });
  isSet(); // Whether blocks may be split unevenly.
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

/** Steps of each frequency (7.3.4). */
function skipScaling({ isSet, grown, signed }: Numbers): void {
  for (let size = 0; size < 4; size += 1)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!isSet()) {
        grown(); // The same as another one.
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
  /** What slices begin from. */
  quantiser: number;
  /** Whether blocks may be without loss. */
  mayBeLossless: boolean;
}

function addPicture(pictures: Map<number, Picture>, { number, isSet, grown, signed }: Numbers) {
  const id = grown();
  const sequence = grown();
  isSet(); // Whether slices may depend on others; the first one never does.
  const hasOutputFlag = isSet();
  const extraBits = number(3);
  number(2); // Hidden signs, and where probabilities begin.
  grown();
  grown(); // Pictures that blocks may be taken from, forwards and backwards.
  const quantiser = 26 + signed();
  number(2); // What blocks are predicted from, and whether they may be left as they are.
  if (isSet()) grown(); // How deep blocks have a quantiser of their own.
  signed();
  signed(); // How much colours differ.
  number(3); // Whether slices tell that, and weighted predictions.
  const mayBeLossless = isSet();
  pictures.set(id, { sequence, hasOutputFlag, extraBits, quantiser, mayBeLossless });
}

const intra = 2;
/** Of 16 bits, and of any. */
const finest = -48;
const coarsest = 51;

/** Of a picture's first slice. */
function quantiserIn(
  kind: number,
  { number, isSet, grown, signed }: Numbers,
  pictures: Map<number, Picture>,
  sequences: Map<number, Sequence>,
): number | undefined {
  const isFirst = isSet();
  const isRefreshing = kind >= refreshing.first && kind <= refreshing.last;
  if (!isFirst || !isRefreshing) return undefined;
  isSet(); // Whether pictures before it are left out.
  const picture = pictures.get(grown());
  const sequence = picture && sequences.get(picture.sequence);
  if (!sequence || picture.mayBeLossless) return undefined;
  number(picture.extraBits);
  if (grown() !== intra) return undefined;
  if (picture.hasOutputFlag) isSet();
  if (sequence.hasPlanes) number(2);
  // Others tell their place among pictures first, which stills have no need of.
  if (!refreshing.withoutOrder.includes(kind)) return undefined;
  if (sequence.hasOffsets) number(sequence.chroma === 0 ? 1 : 2);
  const quantiser = picture.quantiser + signed();
  return quantiser >= finest && quantiser <= coarsest ? quantiser : undefined;
}
