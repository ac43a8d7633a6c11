/**
 * Reads the quantiser of an AV1 still picture (AV1 bitstream specification, 5.5 and 5.9): `base_q_idx` in its
 * first frame header, which depends on the sequence header. Pure; its work is bounded by the bytes it is
 * given.
 */
import { ifComplete, type TiffBytes } from '../../../../file-records/src/index.ts';
import { readBits, type Bits } from './header-bits.ts';

const sequenceHeader = 1;
const frameHeader = 3;
const frame = 6;
const maxUnits = 64;
/** Both headers are far shorter. */
const headerBytes = 512;

/**
 * Quantiser of the first frame between two offsets, 0 (finest) to 255; undefined for a lossless frame, for
 * one that is not a key frame, and if a header is truncated or has timing, which still pictures do not have.
 */
export function av1QuantiserOf(bytes: TiffBytes, from: number, to: number): number | undefined {
  let sequence: Av1Sequence | undefined;
  let at = from;
  for (let i = 0; i < maxUnits && at < to; i += 1) {
    const unit = unitAt(bytes, at, to);
    if (!unit) return undefined;
    const payload = () => readBits(bytes.read(unit.at, Math.min(unit.size, headerBytes)));
    if (unit.kind === sequenceHeader) {
      sequence = ifComplete(() => sequenceOf(payload()));
      if (!sequence) return undefined;
    }
    const known = sequence;
    const isFrame = unit.kind === frame || unit.kind === frameHeader;
    if (isFrame) return known && (ifComplete(() => quantiserIn(payload(), known)) || undefined);
    at = unit.at + unit.size;
  }
  return undefined;
}

/** Reads the header of an open bitstream unit: its type, and the range of its payload. */
function unitAt(bytes: TiffBytes, at: number, end: number) {
  const head = bytes.read(at, 10);
  const flags = head[0];
  if (flags === undefined) return undefined;
  const kind = (flags >> 3) & 15;
  const headBytes = flags & 4 ? 2 : 1;
  if ((flags & 2) === 0) return { kind, at: at + headBytes, size: end - at - headBytes };
  let size = 0;
  for (let i = 0; i < 8; i += 1) {
    const byte = head[headBytes + i];
    if (byte === undefined) return undefined;
    size += (byte & 127) * 128 ** i;
    if (byte < 128) return { kind, at: at + headBytes + i + 1, size };
  }
  return undefined;
}

/** Reads a number below `count` in ns(n) coding (4.10.7). */
function numberBelow(count: number, { number }: Bits): number {
  const width = Math.floor(Math.log2(count)) + 1;
  const short = 2 ** width - count;
  const value = number(width - 1);
  return value < short ? value : value * 2 - short + number(1);
}

/** Value of a tool's field that leaves the choice to each frame. */
const chosenByFrame = 2;

interface Av1Sequence {
  isReduced: boolean;
  widthBits: number;
  heightBits: number;
  width: number;
  height: number;
  frameIdBits: number;
  orderBits: number;
  hasLargeBlocks: boolean;
  hasSuperResolution: boolean;
  screenTools: number;
  integerVectors: number;
}

function sequenceOf({ number, isSet }: Bits): Av1Sequence {
  number(3 + 1); // Profile, still picture.
  const isReduced = isSet();
  if (isReduced) number(5);
  else skipOperatingPoints({ number, isSet });
  const [widthBits, heightBits] = [number(4) + 1, number(4) + 1];
  const [width, height] = [number(widthBits) + 1, number(heightBits) + 1];
  const frameIdBits = !isReduced && isSet() ? number(4) + 2 + number(3) + 1 : 0;
  const hasLargeBlocks = isSet();
  number(2); // Filter intra, intra edge filter.
  const tools = isReduced
    ? { screenTools: chosenByFrame, integerVectors: chosenByFrame, orderBits: 0 }
    : toolsOf({ number, isSet });
  const hasSuperResolution = isSet();
  const sizes = { widthBits, heightBits, width, height };
  return { isReduced, ...sizes, frameIdBits, hasLargeBlocks, hasSuperResolution, ...tools };
}

/** Skips the operating points. @throws RangeError for timing, which adds fields to the frames */
function skipOperatingPoints({ number, isSet }: Bits): void {
  if (isSet()) throw new RangeError('A still picture has no timing');
  const hasDelays = isSet();
  const points = number(5) + 1;
  for (let i = 0; i < points; i += 1) {
    number(12);
    if (number(5) > 7) number(1);
    if (hasDelays && isSet()) number(4);
  }
}

function toolsOf({ number, isSet }: Bits) {
  number(4); // Compound predictions, warped motion, dual filter.
  const hasOrder = isSet();
  if (hasOrder) number(2);
  const screenTools = isSet() ? chosenByFrame : number(1);
  const integerVectors = screenTools === 0 || isSet() ? chosenByFrame : number(1);
  return { screenTools, integerVectors, orderBits: hasOrder ? number(3) + 1 : 0 };
}

/** Reads the quantiser of a frame header; undefined unless it is a key frame that is shown. */
function quantiserIn(bits: Bits, sequence: Av1Sequence): number | undefined {
  const { number, isSet } = bits;
  const isShownKey = sequence.isReduced || number(1 + 2 + 1) === 1;
  if (!isShownKey) return undefined;
  const keepsProbabilities = isSet();
  const hasScreenTools =
    (sequence.screenTools === chosenByFrame ? number(1) : sequence.screenTools) === 1;
  if (hasScreenTools && sequence.integerVectors === chosenByFrame) number(1);
  number(sequence.frameIdBits);
  const hasOwnSize = !sequence.isReduced && isSet();
  number(sequence.orderBits);
  const width = hasOwnSize ? number(sequence.widthBits) + 1 : sequence.width;
  const height = hasOwnSize ? number(sequence.heightBits) + 1 : sequence.height;
  const reducedWidth = sequence.hasSuperResolution && isSet() ? reducedBy(number(3), width) : width;
  if (isSet()) number(32); // Render size.
  if (hasScreenTools && reducedWidth === width) number(1);
  if (!sequence.isReduced && !keepsProbabilities) number(1);
  skipTiles(bits, blocksOf(reducedWidth, height, sequence.hasLargeBlocks), sequence.hasLargeBlocks);
  return number(8);
}

const reducedBy = (coded: number, width: number) =>
  Math.floor((width * 8 + Math.floor((coded + 9) / 2)) / (coded + 9));

/** Number of superblocks of 64 or 128 pixels; sizes are rounded up to multiples of 8. */
function blocksOf(width: number, height: number, isLarge: boolean) {
  const along = (px: number) => Math.ceil((8 * Math.ceil(px / 8)) / (isLarge ? 128 : 64));
  return { columns: along(width), rows: along(height) };
}

const maxTiles = 64;
/** Exponent of the smallest power of two by which `start` reaches `count`. */
const doublings = (start: number, count: number) =>
  Math.max(0, Math.ceil(Math.log2(count / start)));

function skipTiles(
  bits: Bits,
  { columns, rows }: { columns: number; rows: number },
  isLarge: boolean,
): void {
  const { number, isSet } = bits;
  const widest = 4096 / (isLarge ? 128 : 64);
  const maxTileBlocks = (4096 * 2304) / (isLarge ? 128 : 64) ** 2;
  const minColumnsLog2 = doublings(widest, columns);
  const minTilesLog2 = Math.max(minColumnsLog2, doublings(maxTileBlocks, columns * rows));
  const split = (from: number, count: number) => {
    let power = from;
    const maxLog2 = doublings(1, Math.min(count, maxTiles));
    while (power < maxLog2 && isSet()) power += 1;
    return power;
  };
  const spans = (count: number, longest: number) => {
    let [start, tiles, most] = [0, 0, 0];
    for (; start < count; tiles += 1) {
      const span = numberBelow(Math.min(count - start, longest), bits) + 1;
      most = Math.max(most, span);
      start += span;
    }
    return { power: doublings(1, tiles), most };
  };
  const evenly = () => {
    const across = split(minColumnsLog2, columns);
    return across + split(Math.max(minTilesLog2 - across, 0), rows);
  };
  const freely = () => {
    const across = spans(columns, widest);
    const area = minTilesLog2 > 0 ? (columns * rows) >> (minTilesLog2 + 1) : columns * rows;
    return across.power + spans(rows, Math.max(Math.floor(area / across.most), 1)).power;
  };
  const powers = isSet() ? evenly() : freely();
  if (powers > 0) number(powers + 2);
}
