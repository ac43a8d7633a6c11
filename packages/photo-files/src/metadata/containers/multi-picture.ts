/** Reads and writes the index of a JPEG with several pictures (CIPA DC-007, Multi-Picture Format). */
import {
  bytesInMemory,
  openLayout,
  readDirectory,
  readEntry,
} from '../../../../file-records/src/index.ts';

export const multiPictureHead = 'MPF\0';
const entriesTag = 0xb002;
const entryBytes = 16;
const maxPictures = 100;

export interface IndexedPicture {
  /** From the index's TIFF header; 0 for the first picture, which is at the file's start. */
  offset: number;
  sizeBytes: number;
  /** What the picture is (DC-007, 5.2.3.3.1). */
  type: number;
}

/** One of several views of a subject: of a panorama, of two eyes, from several angles. */
export const isFurtherView = ({ type }: IndexedPicture): boolean => type >> 16 === 2;

/** Reads the index from its TIFF header on. Returns none for damaged ones. */
export function readPictureIndex(index: Buffer): IndexedPicture[] {
  const layout = openLayout(bytesInMemory(index));
  if (!layout || layout.big) return [];
  const { entries } = readDirectory(layout, layout.firstDirectory);
  const list = entries.find(({ tag }) => tag === entriesTag);
  const value = list && readEntry(layout, list);
  if (!value) return [];
  const { bytes } = value;
  const numberAt = (at: number) =>
    layout.littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  const count = Math.min(Math.floor(bytes.length / entryBytes), maxPictures);
  return Array.from({ length: count }, (_, i) => ({
    sizeBytes: numberAt(entryBytes * i + 4),
    offset: numberAt(entryBytes * i + 8),
    type: numberAt(entryBytes * i) & 0xff_ffff,
  }));
}

/** Attribute of a baseline primary picture (DC-007, 5.2.3.3.1). */
const primaryAttribute = 0x03_0000;

/**
 * Index of two pictures, from its TIFF header on.
 *
 * @param primaryBytes size of the first picture with all its segments
 * @param headerAt offset of the TIFF header in the file
 */
export function pictureIndex(primaryBytes: number, secondBytes: number, headerAt: number): Buffer {
  const directoryAt = 8;
  const [entries, wordBytes] = [3, 4];
  const listAt = directoryAt + 2 + 12 * entries + wordBytes;
  const index = Buffer.alloc(listAt + 2 * entryBytes);
  index.write('MM\0*', 'latin1');
  index.writeUInt32BE(directoryAt, 4);
  index.writeUInt16BE(entries, directoryAt);
  const entry = (i: number, tag: number, type: number, count: number) => {
    const at = directoryAt + 2 + 12 * i;
    index.writeUInt16BE(tag, at);
    index.writeUInt16BE(type, at + 2);
    index.writeUInt32BE(count, at + 4);
    return at + 8;
  };
  const [undefinedType, longType] = [7, 4];
  index.write('0100', entry(0, 0xb000, undefinedType, 4), 'latin1');
  index.writeUInt32BE(2, entry(1, 0xb001, longType, 1));
  index.writeUInt32BE(listAt, entry(2, entriesTag, undefinedType, 2 * entryBytes));
  index.writeUInt32BE(primaryAttribute, listAt);
  index.writeUInt32BE(primaryBytes, listAt + 4);
  index.writeUInt32BE(secondBytes, listAt + entryBytes + 4);
  index.writeUInt32BE(primaryBytes - headerAt, listAt + entryBytes + 8);
  return index;
}
