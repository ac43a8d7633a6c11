/** Writes EXIF as a separate block, in classic TIFF layout and in its original byte order. */
import { DirectoryWriter, putNumber } from './directory-writer.ts';
import type { ExifEntry } from '../../../../file-records/src/index.ts';
import {
  directories,
  findEntry,
  tags,
  without,
  type Directory,
  type ExifModel,
} from './exif-model.ts';

/** Limit of a JPEG segment, and of libvips for any format. */
const maxExifBytes = 65_000;
const headerBytes = 8;

export interface WrittenExif {
  /** From the TIFF header on, without "Exif\\0\\0". */
  block: Buffer;
  /** Whether the MakerNote was left out, because it was too large or could not be moved. */
  droppedMakerNote: boolean;
  /** Further entries that were left out, because they were too large. */
  dropped: PlacedEntry[];
}

interface PlacedEntry {
  directory: Directory;
  entry: ExifEntry;
}

/** Writes the block, where it is too large without the MakerNote and then without the longest of the others. */
export function writeExifBlock(model: ExifModel): WrittenExif {
  const whole = layOut(model);
  if (whole.block.length <= maxExifBytes) return { ...whole, dropped: [] };
  const rest = { ...model, photo: without(model.photo, tags.makerNote) };
  const dropped = longestOf(rest);
  const droppedMakerNote = rest.photo.length < model.photo.length || whole.droppedMakerNote;
  return { ...layOut(withoutEntries(rest, dropped)), droppedMakerNote, dropped };
}

const entryBytes = 12;
/** Heads and ends of the directories, and offsets made even. */
const overheadBytes = 1000;

/** The longest entries, without which the others fit. */
function longestOf(model: ExifModel): PlacedEntry[] {
  const sizeOf = ({ bytes }: ExifEntry) => entryBytes + bytes.length + 1;
  const all = directories.flatMap((directory) =>
    model[directory].map((entry) => ({ directory, entry })),
  );
  let excess = all.reduce((sum, { entry }) => sum + sizeOf(entry), overheadBytes) - maxExifBytes;
  const byLength = all.sort((a, b) => sizeOf(b.entry) - sizeOf(a.entry));
  const count = byLength.findIndex(({ entry }) => {
    const isEnough = excess <= 0;
    excess -= sizeOf(entry);
    return isEnough;
  });
  return count < 0 ? byLength : byLength.slice(0, count);
}

function withoutEntries(model: ExifModel, dropped: readonly PlacedEntry[]): ExifModel {
  const unwanted = new Set(dropped.map(({ entry }) => entry));
  const kept = (directory: Directory) => model[directory].filter((entry) => !unwanted.has(entry));
  return {
    ...model,
    image: kept('image'),
    photo: kept('photo'),
    gps: kept('gps'),
    interop: kept('interop'),
  };
}

function layOut(model: ExifModel): Omit<WrittenExif, 'dropped'> {
  const { littleEndian } = model;
  const reserved = noteRange(model);
  const makerNoteAt = reserved?.start;
  const writer = new DirectoryWriter({
    littleEndian,
    big: false,
    allocate: createAllocator(reserved ?? { start: Infinity, end: 0 }),
    makerNoteAt,
  });
  const first = writer.write(writer.writeModel(model));
  const block = Buffer.alloc(Math.max(...writer.chunks.map(({ at, bytes }) => at + bytes.length)));
  for (const { at, bytes } of writer.chunks) bytes.copy(block, at);
  block.write(littleEndian ? 'II' : 'MM', 0, 'latin1');
  putNumber(block, 2, 2, 42, littleEndian);
  putNumber(block, 4, 4, first, littleEndian);
  return { block, droppedMakerNote: writer.droppedMakerNote };
}

/** Keeps the MakerNote at its old offset if that is inside the block, so that its own offsets stay valid. */
function noteRange({ photo, makerNoteAt }: ExifModel) {
  const note = findEntry(photo, tags.makerNote);
  if (!note || note.bytes.length <= 4 || makerNoteAt === undefined) return undefined;
  const end = makerNoteAt + note.bytes.length;
  const canStay = makerNoteAt >= headerBytes && end <= maxExifBytes;
  return canStay ? { start: makerNoteAt, end } : undefined;
}

/** Allocates even offsets in order, outside the reserved range. */
function createAllocator(reserved: { start: number; end: number }) {
  let next = headerBytes;
  return (size: number) => {
    const even = next + (next % 2);
    const meets = even < reserved.end && even + size > reserved.start;
    const at = meets ? reserved.end + (reserved.end % 2) : even;
    next = at + size;
    return at;
  };
}
