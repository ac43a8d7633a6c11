/**
 * Finds where the first picture of a HEIF file (AVIF, HEIC) lies and what its boxes say of it (ISO/IEC
 * 14496-12 and 23008-12). Its work is bounded, whatever the file says of itself. It throws a RangeError where
 * a box is not whole.
 */
import { boxesIn, type Box } from '../../metadata/containers/iso-boxes.ts';
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';

interface FirstPicture {
  /** The picture's first bytes lie between these offsets; `to` is not behind the end of the file. */
  from: number;
  to: number;
  /** Gives the content of the picture's property of a type; undefined without such a property. */
  property: (type: string) => Buffer | undefined;
}

const mostBoxes = 1000;
/** No more of a box is read; lists of items, and properties, are far shorter. */
const mostBoxBytes = 4 * 1024 * 1024;

/** Finds the primary item, or the first tile of a grid; undefined where there is none. */
export function firstPictureOf(bytes: TiffBytes): FirstPicture | undefined {
  const meta = firstOf('meta', boxesIn(bytes, 0, bytes.size, mostBoxes));
  if (!meta) return undefined;
  // A version and flags come first, as in all boxes that are read here.
  const boxes = boxesIn(bytes, meta.at + 4, meta.end, mostBoxes);
  const primary = firstOf('pitm', boxes);
  const places = firstOf('iloc', boxes);
  if (!primary || !places) return undefined;
  const { version, next } = listIn(bytes, primary);
  const id = firstTileOf(next(version === 0 ? 2 : 4), bytes, boxes);
  const place = placeOf(id, bytes, places);
  if (!place || place.length === 0) return undefined;
  const from = (place.isInside ? (firstOf('idat', boxes)?.at ?? 0) : 0) + place.offset;
  const to = Math.min(from + place.length, bytes.size);
  return { from, to, property: (type) => propertyOf(id, type, bytes, boxes) };
}

const firstOf = (type: string, boxes: Box[]) => boxes.find((box) => box.type === type);

const contentOf = (bytes: TiffBytes, { at, end }: Box) =>
  bytes.read(at, Math.min(end - at, mostBoxBytes));

/** Reads a box's version and flags, and its whole numbers of 0 to 8 bytes one after another. */
function listIn(bytes: TiffBytes, box: Box) {
  const content = contentOf(bytes, box);
  let at = 4;
  const skip = (size: number) => {
    at += size;
  };
  const next = (size: number): number => {
    skip(size);
    if (at > content.length) throw new RangeError('A box ends too early');
    if (size === 0) return 0;
    const from = at - size;
    return size === 8 ? Number(content.readBigUInt64BE(from)) : content.readUIntBE(from, size);
  };
  const head = content.length < 4 ? 0 : content.readUInt32BE(0);
  return { version: head >>> 24, flags: head & 0xffffff, next, skip };
}

/** Gives the first item of which a grid is made, or the item itself when it is no grid. */
function firstTileOf(id: number, bytes: TiffBytes, boxes: Box[]): number {
  const references = firstOf('iref', boxes);
  if (!references) return id;
  const idBytes = listIn(bytes, references).version === 0 ? 2 : 4;
  for (const box of boxesIn(bytes, references.at + 4, references.end, mostBoxes)) {
    if (box.type !== 'dimg') continue;
    const content = contentOf(bytes, box);
    if (content.readUIntBE(0, idBytes) === id) return content.readUIntBE(idBytes + 2, idBytes);
  }
  return id;
}

interface Place {
  offset: number;
  length: number;
  /** It tells whether the offset counts in the boxes' own data (`idat`) and not in the file. */
  isInside: boolean;
}

const mostItems = 100_000;

/** Finds where an item's first extent lies. */
function placeOf(wanted: number, bytes: TiffBytes, box: Box): Place | undefined {
  const { version, next, skip } = listIn(bytes, box);
  const [sizes, more] = [next(1), next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version > 0 ? more & 15 : 0;
  const items = Math.min(next(version < 2 ? 2 : 4), mostItems);
  for (let i = 0; i < items; i += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version > 0 ? next(2) & 15 : 0;
    next(2); // This is the file in which the data lie, which is the file itself.
    const base = next(baseBytes);
    const extents = next(2);
    next(indexBytes);
    const first = { offset: base + next(offsetBytes), length: next(lengthBytes) };
    if (id === wanted)
      return extents > 0 && method < 2 ? { ...first, isInside: method === 1 } : undefined;
    skip((extents - 1) * (indexBytes + offsetBytes + lengthBytes));
  }
  return undefined;
}

function propertyOf(id: number, type: string, bytes: TiffBytes, boxes: Box[]): Buffer | undefined {
  const container = firstOf('iprp', boxes);
  if (!container) return undefined;
  const inside = boxesIn(bytes, container.at, container.end, mostBoxes);
  const properties = firstOf('ipco', inside);
  const uses = firstOf('ipma', inside);
  if (!properties || !uses) return undefined;
  const all = boxesIn(bytes, properties.at, properties.end, mostBoxes);
  const used = usedBy(id, bytes, uses).flatMap((place) => all[place - 1] ?? []);
  const found = firstOf(type, used);
  return found && contentOf(bytes, found);
}

/** Gives the places of an item's properties in their list, counted from 1. */
function usedBy(wanted: number, bytes: TiffBytes, box: Box): number[] {
  const { version, flags, next, skip } = listIn(bytes, box);
  const size = flags & 1 ? 2 : 1;
  const items = Math.min(next(4), mostItems);
  for (let i = 0; i < items; i += 1) {
    const id = next(version === 0 ? 2 : 4);
    const count = next(1);
    // The highest bit tells whether a reader must know the property.
    if (id === wanted) return Array.from({ length: count }, () => next(size) % 2 ** (8 * size - 1));
    skip(count * size);
  }
  return [];
}
