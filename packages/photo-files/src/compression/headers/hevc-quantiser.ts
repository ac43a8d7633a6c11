/**
 * Reads the initial quantiser of an HEVC still picture's first slice (ITU-T H.265, 7.3.1.2, 7.3.2 and
 * 7.3.6.1), which depends on the sequence and picture parameter sets. Pure; its work is bounded by the bytes
 * it is given.
 */
import type { TiffBytes } from '../../../../file-records/src/index.ts';
import { readBits, type Bits } from './header-bits.ts';

const sequenceParameters = 33;
const pictureParameters = 34;
/** NAL unit types of intra random access pictures; those `withoutOrder` have no picture order count. */
const refreshing = { first: 16, last: 23, withoutOrder: [19, 20] };
const maxSliceType = 31;
const maxUnits = 64;
/** Headers are far shorter. */
const headerBytes = 4096;

/** The content of `hvcC` (ISO/IEC 14496-15, 8.3.3.1.2). */
interface HevcConfiguration {
  /** Size of the length field before each unit of the data. */
  lengthBytes: number;
  units: Buffer[];
}

/**
 * Quantiser of the first slice, from 51 (coarsest) down to 0, or below 0 with more than 8 bits; single blocks
 * may differ. Undefined if parts may be lossless, and for pictures that refer to others.
 *
 * @param configuration content of the picture's `hvcC`; its data are between `from` and `to`
 * @throws RangeError if a header is truncated
 */
export function hevcQuantiserOf(
  configuration: Buffer,
  bytes: TiffBytes,
  from: number,
  to: number,
): number | undefined {
  const { lengthBytes, units } = configurationIn(configuration);
  const sequences = new Map<number, HevcSequence>();
  const pictures = new Map<number, HevcPicture>();
  const addParameters = (unit: Buffer) => {
    if (kindOf(unit) === sequenceParameters) addSequence(sequences, readUnit(unit));
    if (kindOf(unit) === pictureParameters) addPicture(pictures, readUnit(unit));
  };
  for (const unit of units) addParameters(unit);
  let at = from;
  for (let i = 0; i < maxUnits && at + lengthBytes < to; i += 1) {
    const size = bytes.read(at, lengthBytes).readUIntBE(0, lengthBytes);
    const unit = bytes.read(at + lengthBytes, Math.min(size, headerBytes));
    const kind = kindOf(unit);
    if (kind !== undefined && kind <= maxSliceType)
      return quantiserIn(kind, readUnit(unit), pictures, sequences);
    addParameters(unit);
    at += lengthBytes + size;
  }
  return undefined;
}

function configurationIn(content: Buffer): HevcConfiguration {
  const lengthBytes = (content.readUInt8(21) & 3) + 1;
  const units: Buffer[] = [];
  let at = 23;
  for (let array = content.readUInt8(22); array > 0; array -= 1) {
    const count = content.readUInt16BE(at + 1);
    at += 3;
    for (let i = 0; i < count && units.length < maxUnits; i += 1) {
      const size = content.readUInt16BE(at);
      units.push(content.subarray(at + 2, at + 2 + size));
      at += 2 + size;
    }
  }
  return { lengthBytes, units };
}

/** A NAL unit's type; undefined for units of other layers, such as a second view or transparency. */
function kindOf(unit: Buffer): number | undefined {
  if (unit.length < 2) return undefined;
  const head = unit.readUInt16BE(0);
  return ((head >> 3) & 63) === 0 ? (head >> 9) & 63 : undefined;
}

type Numbers = Bits & {
  /** Exp-Golomb codes (9.2): `unsigned` is ue(v), `signed` is se(v). */
  unsigned: () => number;
  signed: () => number;
};

/** Reads the numbers after a unit's header, without emulation prevention bytes (7.3.1.1). */
function readUnit(unit: Buffer): Numbers {
  const payload = unit.subarray(2);
  const bits = readBits(
    Buffer.from(
      payload.filter((byte, i) => !(byte === 3 && payload[i - 1] === 0 && payload[i - 2] === 0)),
    ),
  );
  const unsigned = () => {
    let zeros = 0;
    while (!bits.isSet()) zeros += 1;
    if (zeros > 32) throw new RangeError('The number is too long');
    return 2 ** zeros - 1 + bits.number(zeros);
  };
  const signed = () => {
    const value = unsigned();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  };
  return { ...bits, unsigned, signed };
}

interface HevcSequence {
  /** Chroma format; 0 for grey, and for separately coded colour planes. */
  chroma: number;
  hasPlanes: boolean;
  /** Sample adaptive offset. */
  hasOffsets: boolean;
}

const fullColour = 3;

function addSequence(
  sequences: Map<number, HevcSequence>,
  { number, isSet, unsigned, signed }: Numbers,
) {
  number(4);
  const furtherLayers = number(3);
  isSet();
  skipProfile(furtherLayers, { number, isSet });
  const id = unsigned();
  const format = unsigned();
  const hasPlanes = format === fullColour && isSet();
  const skip = (count: number) => {
    for (let i = 0; i < count; i += 1) unsigned();
  };
  skip(2); // Width and height.
  if (isSet()) skip(4); // Conformance window.
  skip(3); // Bit depths of luma and chroma, and of picture order counts.
  skip(3 * (isSet() ? furtherLayers + 1 : 1)); // Decoded picture buffer.
  skip(6); // Block sizes.
  if (isSet() && isSet()) skipScaling({ number, isSet, unsigned, signed });
  isSet(); // Asymmetric motion partitions.
  const hasOffsets = isSet();
  sequences.set(id, { chroma: hasPlanes ? 0 : format, hasPlanes, hasOffsets });
}

function skipProfile(furtherLayers: number, { number, isSet }: Bits): void {
  const profileBits = 88;
  const levelBits = 8;
  number(profileBits + levelBits);
  const present = Array.from({ length: furtherLayers }, () => [isSet(), isSet()] as const);
  if (furtherLayers > 0) number(2 * (8 - furtherLayers));
  for (const [hasProfile, hasLevel] of present)
    number((hasProfile ? profileBits : 0) + (hasLevel ? levelBits : 0));
}

/** Skips the scaling lists (7.3.4). */
function skipScaling({ isSet, unsigned, signed }: Numbers): void {
  for (let size = 0; size < 4; size += 1)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!isSet()) {
        unsigned(); // Reference to an earlier list.
        continue;
      }
      const firstAlone = size > 1 ? 1 : 0;
      const count = Math.min(64, 2 ** (4 + 2 * size)) + firstAlone;
      for (let i = 0; i < count; i += 1) signed();
    }
}

interface HevcPicture {
  sequence: number;
  hasOutputFlag: boolean;
  extraBits: number;
  /** Initial quantiser, to which slices add a difference. */
  quantiser: number;
  /** Whether blocks may be lossless. */
  mayBeLossless: boolean;
}

function addPicture(
  pictures: Map<number, HevcPicture>,
  { number, isSet, unsigned, signed }: Numbers,
) {
  const id = unsigned();
  const sequence = unsigned();
  isSet(); // Dependent slice segments; the first slice is never one.
  const hasOutputFlag = isSet();
  const extraBits = number(3);
  number(2); // Sign data hiding, cabac_init_present.
  unsigned();
  unsigned(); // Numbers of reference pictures.
  const quantiser = 26 + signed();
  number(2); // Constrained intra prediction, transform skip.
  if (isSet()) unsigned(); // Depth of quantiser groups.
  signed();
  signed(); // Chroma quantiser offsets.
  number(3); // Slice-level chroma offsets, weighted predictions.
  const mayBeLossless = isSet();
  pictures.set(id, { sequence, hasOutputFlag, extraBits, quantiser, mayBeLossless });
}

const intra = 2;
/** The finest quantiser, of 16 bits, and the coarsest of any depth. */
const finest = -48;
const coarsest = 51;

/** Reads the quantiser in the header of a picture's first slice. */
function quantiserIn(
  kind: number,
  { number, isSet, unsigned, signed }: Numbers,
  pictures: Map<number, HevcPicture>,
  sequences: Map<number, HevcSequence>,
): number | undefined {
  const isFirst = isSet();
  const isRefreshing = kind >= refreshing.first && kind <= refreshing.last;
  if (!isFirst || !isRefreshing) return undefined;
  isSet(); // no_output_of_prior_pics_flag.
  const picture = pictures.get(unsigned());
  const sequence = picture && sequences.get(picture.sequence);
  if (!sequence || picture.mayBeLossless) return undefined;
  number(picture.extraBits);
  if (unsigned() !== intra) return undefined;
  if (picture.hasOutputFlag) isSet();
  if (sequence.hasPlanes) number(2);
  // Slices of other types code their picture order count first, which stills do not need.
  if (!refreshing.withoutOrder.includes(kind)) return undefined;
  if (sequence.hasOffsets) number(sequence.chroma === 0 ? 1 : 2);
  const quantiser = picture.quantiser + signed();
  return quantiser >= finest && quantiser <= coarsest ? quantiser : undefined;
}
