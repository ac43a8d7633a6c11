/**
 * Finds the items of a HEIF file (AVIF, HEIC), their references and properties (ISO/IEC 14496-12 and
 * 23008-12), with bounded work whatever the file declares.
 *
 * @throws RangeError if a box is truncated
 */
import { boxesIn, type Box } from './iso-boxes.ts';
import type { TiffBytes } from './tiff/tiff-directory.ts';

interface FirstPicture {
  /** Range of the picture's first bytes; `to` is at most the end of the file. */
  from: number;
  to: number;
  /** Content of the picture's property of a type; undefined if it has none. */
  property: (type: string) => Buffer | undefined;
}

const maxBoxes = 1000;
/** Lists of items, and properties, are far shorter. */
const maxBoxBytes = 4 * 1024 * 1024;

/** A picture or block of metadata. */
interface HeifItem {
  id: number;
  type: string;
  /** Offset of the lowest byte of the flags, whose bit 0 hides the item. */
  flagsAt: number;
}

interface ItemReference {
  type: string;
  from: number;
  to: number[];
  /** Offset of the four letters of the type. */
  typeAt: number;
}

export interface HeifItems {
  primaryId: number;
  /** Where the number of the primary item is stored. */
  primaryAt: number;
  primaryIdBytes: 2 | 4;
  items: HeifItem[];
  references: ItemReference[];
  /** Content of an item's property of a type; undefined if it has none. */
  property: (id: number, type: string) => Buffer | undefined;
  /** First extent of an item, at most `maxBoxBytes`; undefined if it has none. */
  content: (id: number) => Buffer | undefined;
}

/** Reads the list of items; undefined if the file has none. */
export function readHeifItems(bytes: TiffBytes): HeifItems | undefined {
  const declared = declaredIn(bytes);
  if (!declared) return undefined;
  const { boxes, locations, primary } = declared;
  return {
    ...primary,
    items: itemsOf(bytes, boxes),
    references: referencesOf(bytes, boxes),
    property: (id, type) => propertyOf(id, type, bytes, boxes),
    content(id) {
      const range = rangeOf(id, bytes, boxes, locations);
      return range && bytes.read(range.from, Math.min(range.to - range.from, maxBoxBytes));
    },
  };
}

/** Finds the primary item, or the first tile of a grid; undefined if there is none. */
export function firstPictureOf(bytes: TiffBytes): FirstPicture | undefined {
  const declared = declaredIn(bytes);
  if (!declared) return undefined;
  const { boxes, locations, primary } = declared;
  const id = firstTileOf(primary.primaryId, bytes, boxes);
  const range = rangeOf(id, bytes, boxes, locations);
  return range && { ...range, property: (type) => propertyOf(id, type, bytes, boxes) };
}

/** Whether the primary picture's colours are multiplied with its transparency (`prem`, ISO/IEC 23008-12). */
export function isPremultipliedHeif(bytes: TiffBytes): boolean {
  const items = readHeifItems(bytes);
  return (
    items?.references.some(({ type, from }) => type === 'prem' && from === items.primaryId) ?? false
  );
}

/** The file's boxes of items, their places and the primary one; undefined if one of these is missing. */
function declaredIn(bytes: TiffBytes) {
  const boxes = metaBoxesOf(bytes);
  const box = firstOf('pitm', boxes);
  const locations = firstOf('iloc', boxes);
  if (!box || !locations) return undefined;
  const { version, next } = listIn(bytes, box);
  const primaryIdBytes: 2 | 4 = version === 0 ? 2 : 4;
  const primary = { primaryId: next(primaryIdBytes), primaryAt: box.at + 4, primaryIdBytes };
  return { boxes, locations, primary };
}

/** The boxes of the file's `meta` box. A version and flags come first, as in all boxes read here. */
function metaBoxesOf(bytes: TiffBytes): Box[] {
  const meta = firstOf('meta', boxesIn(bytes, 0, bytes.size, maxBoxes));
  return meta ? boxesIn(bytes, meta.at + 4, meta.end, maxBoxes) : [];
}

function rangeOf(id: number, bytes: TiffBytes, boxes: Box[], locations: Box) {
  const extent = extentOf(id, bytes, locations);
  if (!extent || extent.length === 0) return undefined;
  const from = (extent.isInIdat ? (firstOf('idat', boxes)?.at ?? 0) : 0) + extent.offset;
  return { from, to: Math.min(from + extent.length, bytes.size) };
}

/** Entries of versions 2 and 3, which pictures have. */
function itemsOf(bytes: TiffBytes, boxes: Box[]): HeifItem[] {
  const list = firstOf('iinf', boxes);
  if (!list) return [];
  const first = list.at + (listIn(bytes, list).version === 0 ? 6 : 8);
  return boxesIn(bytes, first, list.end, maxBoxes).flatMap((box) => {
    const { version, next } = listIn(bytes, box);
    if (box.type !== 'infe' || version < 2) return [];
    const id = next(version === 2 ? 2 : 4);
    const typeAt = box.at + (version === 2 ? 8 : 10);
    const type = bytes.read(typeAt, 4).toString('latin1');
    return [{ id, type, flagsAt: box.at + 3 }];
  });
}

function referencesOf(bytes: TiffBytes, boxes: Box[]): ItemReference[] {
  const list = firstOf('iref', boxes);
  if (!list) return [];
  const idBytes = listIn(bytes, list).version === 0 ? 2 : 4;
  return boxesIn(bytes, list.at + 4, list.end, maxBoxes).map((box) => {
    const content = contentOf(bytes, box);
    const ids = (content.length - 2) / idBytes - 1;
    const count = Math.min(content.readUInt16BE(idBytes), ids);
    return {
      type: box.type,
      from: content.readUIntBE(0, idBytes),
      to: Array.from({ length: count }, (_, i) =>
        content.readUIntBE(idBytes + 2 + i * idBytes, idBytes),
      ),
      typeAt: box.at - 4,
    };
  });
}

const firstOf = (type: string, boxes: Box[]) => boxes.find((box) => box.type === type);

const contentOf = (bytes: TiffBytes, { at, end }: Box) =>
  bytes.read(at, Math.min(end - at, maxBoxBytes));

/** Reads a box's version and flags, then integers of 0 to 8 bytes one after another. */
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
  /** Where the next integer is. */
  const field = (sizeBytes: number): NumberField => ({ at: box.at + at, sizeBytes });
  const head = content.length < 4 ? 0 : content.readUInt32BE(0);
  return { version: head >>> 24, flags: head & 0xffffff, next, skip, field };
}

/** The first item of a grid; any other item itself. */
function firstTileOf(id: number, bytes: TiffBytes, boxes: Box[]): number {
  const references = firstOf('iref', boxes);
  if (!references) return id;
  const idBytes = listIn(bytes, references).version === 0 ? 2 : 4;
  for (const box of boxesIn(bytes, references.at + 4, references.end, maxBoxes)) {
    if (box.type !== 'dimg') continue;
    const content = contentOf(bytes, box);
    if (content.readUIntBE(0, idBytes) === id) return content.readUIntBE(idBytes + 2, idBytes);
  }
  return id;
}

/** Where an item's bytes are, and where the file says so. */
export interface ItemPlace {
  /** Offset and length of the number that is added to all offsets; a length of 0: there is none. */
  base: NumberField;
  /** `field` is where the file holds `from` less the base. */
  extents: { field: NumberField; from: number; length: number }[];
}

interface NumberField {
  at: number;
  sizeBytes: number;
}

/**
 * Lists where the bytes of the items are that stand in the file itself, not in `idat`. Undefined if the file has no list
 * of items.
 */
export function placesOfItems(bytes: TiffBytes): ItemPlace[] | undefined {
  const list = firstOf('iloc', metaBoxesOf(bytes));
  return list && placesIn(bytes, list);
}

function placesIn(bytes: TiffBytes, box: Box): ItemPlace[] {
  const { version, next, field } = listIn(bytes, box);
  const [sizes, more] = [next(1), next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version > 0 ? more & 15 : 0;
  const items = Math.min(next(version < 2 ? 2 : 4), maxItems);
  const places: ItemPlace[] = [];
  let extentsLeft = maxItems;
  for (let i = 0; i < items; i += 1) {
    next(version < 2 ? 2 : 4);
    const method = version > 0 ? next(2) & 15 : 0;
    next(2); // data_reference_index: this file.
    const base = field(baseBytes);
    const start = next(baseBytes);
    const count = next(2);
    // Fields of no bytes cost the file nothing.
    extentsLeft -= count;
    if (extentsLeft < 0) throw new RangeError('Too many extents');
    const extents = Array.from({ length: count }, () => {
      next(indexBytes);
      const offset = field(offsetBytes);
      return { field: offset, from: start + next(offsetBytes), length: next(lengthBytes) };
    });
    if (method === 0) places.push({ base, extents });
  }
  return places;
}

interface ItemExtent {
  offset: number;
  length: number;
  /** Whether the offset is relative to the boxes' own data (`idat`) instead of the file. */
  isInIdat: boolean;
}

const maxItems = 100_000;

/** Finds an item's first extent. */
function extentOf(wanted: number, bytes: TiffBytes, box: Box): ItemExtent | undefined {
  const { version, next, skip } = listIn(bytes, box);
  const [sizes, more] = [next(1), next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version > 0 ? more & 15 : 0;
  const items = Math.min(next(version < 2 ? 2 : 4), maxItems);
  for (let i = 0; i < items; i += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version > 0 ? next(2) & 15 : 0;
    next(2); // data_reference_index: this file.
    const base = next(baseBytes);
    const extents = next(2);
    next(indexBytes);
    const first = { offset: base + next(offsetBytes), length: next(lengthBytes) };
    if (id === wanted)
      return extents > 0 && method < 2 ? { ...first, isInIdat: method === 1 } : undefined;
    skip((extents - 1) * (indexBytes + offsetBytes + lengthBytes));
  }
  return undefined;
}

function propertyOf(id: number, type: string, bytes: TiffBytes, boxes: Box[]): Buffer | undefined {
  const container = firstOf('iprp', boxes);
  if (!container) return undefined;
  const inside = boxesIn(bytes, container.at, container.end, maxBoxes);
  const properties = firstOf('ipco', inside);
  const uses = firstOf('ipma', inside);
  if (!properties || !uses) return undefined;
  const all = boxesIn(bytes, properties.at, properties.end, maxBoxes);
  const used = propertyIndices(id, bytes, uses).flatMap((extent) => all[extent - 1] ?? []);
  const found = firstOf(type, used);
  return found && contentOf(bytes, found);
}

/** Indices of an item's properties in their list, from 1. */
function propertyIndices(wanted: number, bytes: TiffBytes, box: Box): number[] {
  const { version, flags, next, skip } = listIn(bytes, box);
  const size = flags & 1 ? 2 : 1;
  const items = Math.min(next(4), maxItems);
  for (let i = 0; i < items; i += 1) {
    const id = next(version === 0 ? 2 : 4);
    const count = next(1);
    // The highest bit marks properties that a reader must support.
    if (id === wanted) return Array.from({ length: count }, () => next(size) % 2 ** (8 * size - 1));
    skip(count * size);
  }
  return [];
}
