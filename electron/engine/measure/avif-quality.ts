/**
 * How strongly an AVIF was compressed: the quantiser of its first picture's AV1 frame, found by the boxes of its
 * file (ISO/IEC 14496-12 and 23008-12), and the JPEG quality whose pictures differ as much from their originals.
 */
import { withFileBytes, type TiffBytes } from '../metadata/tiff/tiff-directory.ts';
import { av1QuantiserOf } from './av1-quantiser.ts';
import { likenedQuality, type Likened } from './likened-quality.ts';

/** Undefined for a lossless one, and where the file cannot be read. */
export function readAvifQuality(path: string): number | undefined {
  const index = withFileBytes(path, (bytes) => avifQuantiserOf(bytes));
  return index === undefined ? undefined : likenedQuality(index, likened);
}

interface Box {
  type: string;
  /** Of its content. */
  at: number;
  end: number;
}

const mostBoxes = 1000;

/** 0 (finest) to 255 of the primary item; of a grid's first tile. */
export function avifQuantiserOf(bytes: TiffBytes): number | undefined {
  try {
    return quantiserIn(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function quantiserIn(bytes: TiffBytes): number | undefined {
  const meta = firstOf('meta', boxesIn(bytes, 0, bytes.size));
  if (!meta) return undefined;
  // A version and flags come first, as in all the boxes that are read here.
  const boxes = boxesIn(bytes, meta.at + 4, meta.end);
  const primary = firstOf('pitm', boxes);
  const places = firstOf('iloc', boxes);
  if (!primary || !places) return undefined;
  const id = numberIn(bytes, primary)(primary.at + 4, versionOf(bytes, primary) === 0 ? 2 : 4);
  const place = placeOf(firstTileOf(id, bytes, boxes), bytes, places);
  if (!place) return undefined;
  const data = place.isInside ? (firstOf('idat', boxes)?.at ?? 0) : 0;
  const from = data + place.offset;
  const to = Math.min(from + place.length, bytes.size);
  return place.length === 0 ? undefined : av1QuantiserOf(bytes, from, to);
}

const firstOf = (type: string, boxes: Box[]) => boxes.find((box) => box.type === type);

function boxesIn(bytes: TiffBytes, from: number, end: number): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (boxes.length < mostBoxes && at + 8 <= end) {
    const head = bytes.read(at, 16);
    if (head.length < 8) break;
    const said = head.readUInt32BE(0);
    const isLong = said === 1 && head.length === 16;
    const whole = isLong ? Number(head.readBigUInt64BE(8)) : said === 0 ? end - at : said;
    const headBytes = isLong ? 16 : 8;
    if (whole < headBytes || at + whole > end) break;
    boxes.push({ type: head.toString('latin1', 4, 8), at: at + headBytes, end: at + whole });
    at += whole;
  }
  return boxes;
}

/** Reads whole numbers of 0 to 8 bytes; throws a RangeError outside of the box. */
const numberIn =
  (bytes: TiffBytes, { at: start, end }: Box) =>
  (at: number, size: number): number => {
    if (at < start || at + size > end) throw new RangeError('A box ends too early');
    const read = bytes.read(at, size);
    if (read.length < size) throw new RangeError('The file ends too early');
    return size === 8 ? Number(read.readBigUInt64BE(0)) : size === 0 ? 0 : read.readUIntBE(0, size);
  };

const versionOf = (bytes: TiffBytes, box: Box) => numberIn(bytes, box)(box.at, 1);

/** The first item that a grid is made of; the item itself, when it is none. */
function firstTileOf(id: number, bytes: TiffBytes, boxes: Box[]): number {
  const references = firstOf('iref', boxes);
  if (!references) return id;
  const idBytes = versionOf(bytes, references) === 0 ? 2 : 4;
  for (const box of boxesIn(bytes, references.at + 4, references.end)) {
    const number = numberIn(bytes, box);
    if (box.type !== 'dimg' || number(box.at, idBytes) !== id) continue;
    return number(box.at + idBytes + 2, idBytes);
  }
  return id;
}

interface Place {
  offset: number;
  length: number;
  /** Of the boxes' own data (`idat`), not of the file. */
  isInside: boolean;
}

const mostItems = 100_000;

/** Where an item's first bytes stand. Throws a RangeError where the list is not whole. */
function placeOf(wanted: number, bytes: TiffBytes, box: Box): Place | undefined {
  const number = numberIn(bytes, box);
  const version = versionOf(bytes, box);
  let at = box.at + 4;
  const next = (size: number) => {
    at += size;
    return number(at - size, size);
  };
  const [sizes, more] = [next(1), next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version > 0 ? more & 15 : 0;
  const items = Math.min(next(version < 2 ? 2 : 4), mostItems);
  for (let i = 0; i < items; i += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version > 0 ? next(2) & 15 : 0;
    next(2); // The file in which its data lie: this one.
    const base = next(baseBytes);
    const extents = next(2);
    next(indexBytes);
    const first = { offset: base + next(offsetBytes), length: next(lengthBytes) };
    if (id === wanted)
      return extents > 0 && method < 2 ? { ...first, isInside: method === 1 } : undefined;
    at += (extents - 1) * (indexBytes + offsetBytes + lengthBytes);
  }
  return undefined;
}

/** [index, quality]: libjpeg's 4:2:0 qualities of equal PSNR of brightness, the middle of eight photographs. */
// prettier-ignore
const likened: Likened = [
  [0, 99], [8, 99], [16, 98], [32, 96], [48, 94], [60, 92], [76, 90], [92, 88], [120, 80], [148, 62], [172, 34], [196, 19], [216, 12],
];
