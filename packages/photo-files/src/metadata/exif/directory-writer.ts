/** Writes directories of a TIFF layout, classic or BigTIFF, with entries sorted by tag. */
import { fstatSync } from 'node:fs';
import { writeAll } from '../../../../files/src/write-all.ts';
import { typeBytes, type ExifEntry } from '../../../../file-records/src/index.ts';
import { tags, unitBytes, type ExifModel } from './exif-model.ts';
import { moveMakerNote } from './maker-note.ts';

interface Chunk {
  at: number;
  bytes: Buffer;
}

/** An entry as it was read: 12 bytes, or 20 in a BigTIFF. */
export interface VerbatimEntry {
  tag: number;
  verbatim: Buffer;
}

interface WriterLayout {
  littleEndian: boolean;
  big: boolean;
  /** Reserves bytes. @returns their offset, which is even */
  allocate: (sizeBytes: number) => number;
  /** Offset for the MakerNote; absent: allocated like all others. */
  makerNoteAt?: number | undefined;
}

export class DirectoryWriter {
  readonly chunks: Chunk[] = [];
  /** Whether the MakerNote was left out, because it could not be moved to its new offset. */
  droppedMakerNote = false;
  readonly #layout: WriterLayout;

  constructor(layout: WriterLayout) {
    this.#layout = layout;
  }

  /** Allocates the photo's directories. @returns the entries of the first, with pointers to the others */
  writeModel(model: ExifModel): ExifEntry[] {
    const ready = (entries: ExifEntry[]) => this.#ready(entries, model);
    const interop = this.#pointTo(tags.interop, ready(model.interop));
    const photo = this.#pointTo(tags.photo, [...ready(model.photo), ...interop]);
    const gps = this.#pointTo(tags.gps, ready(model.gps));
    return [...ready(model.image), ...photo, ...gps];
  }

  /** Writes a directory. @param next offset of the following directory @returns its offset */
  write(entries: readonly (ExifEntry | VerbatimEntry)[], next = 0): number {
    const { big } = this.#layout;
    const countBytes = big ? 8 : 2;
    const offsetBytes = big ? 8 : 4;
    const entryBytes = big ? 20 : 12;
    const directory = Buffer.alloc(countBytes + entries.length * entryBytes + offsetBytes);
    const at = this.#layout.allocate(directory.length);
    this.chunks.push({ at, bytes: directory });
    this.#put(directory, 0, countBytes, entries.length);
    const ordered = [...entries].sort((a, b) => a.tag - b.tag);
    for (const [i, entry] of ordered.entries()) {
      const from = countBytes + i * entryBytes;
      if ('verbatim' in entry) entry.verbatim.copy(directory, from);
      else this.#putEntry(directory, from, entry);
    }
    this.#put(directory, countBytes + entries.length * entryBytes, offsetBytes, next);
    return at;
  }

  #pointTo(tag: number, entries: ExifEntry[]): ExifEntry[] {
    if (entries.length === 0) return [];
    const bytes = Buffer.alloc(this.#layout.big ? 8 : 4);
    this.#put(bytes, 0, bytes.length as 4 | 8, this.write(entries));
    return [{ tag, type: this.#layout.big ? 18 : 4, count: 1, bytes }];
  }

  /** Converts entries to the byte order of this layout, without a MakerNote that cannot be moved. */
  #ready(entries: ExifEntry[], model: ExifModel): ExifEntry[] {
    const isSame = model.littleEndian === this.#layout.littleEndian;
    return entries.flatMap((entry) => {
      if (entry.tag === tags.makerNote) return this.#readyNote(entry, model);
      return isSame ? entry : { ...entry, bytes: swapped(entry) };
    });
  }

  #readyNote(entry: ExifEntry, { makerNoteAt }: ExifModel): PlacedEntry[] {
    const at = this.#layout.makerNoteAt ?? this.#layout.allocate(entry.bytes.length);
    const bytes = moveMakerNote(entry.bytes, makerNoteAt ?? at, at);
    if (bytes) return [{ ...entry, bytes, at }];
    this.droppedMakerNote = true;
    return [];
  }

  #putEntry(directory: Buffer, from: number, entry: PlacedEntry): void {
    const size = this.#layout.big ? 8 : 4;
    const { tag, type, count, bytes } = entry;
    this.#put(directory, from, 2, tag);
    this.#put(directory, from + 2, 2, type);
    this.#put(directory, from + 4, size, count);
    if (bytes.length <= size) {
      bytes.copy(directory, from + 4 + size);
      return;
    }
    const at = entry.at ?? this.#layout.allocate(bytes.length);
    this.#put(directory, from + 4 + size, size, at);
    this.chunks.push({ at, bytes });
  }

  #put(buffer: Buffer, at: number, size: 2 | 4 | 8, value: number): void {
    putNumber(buffer, at, size, value, this.#layout.littleEndian);
  }
}

type PlacedEntry = ExifEntry & { at?: number };

/**
 * Appends directories to an open file of a TIFF layout, and points its header to the offset that `write`
 * returns. All bytes are written before the header refers to them.
 */
export function appendDirectories(
  fd: number,
  { littleEndian, big }: Pick<WriterLayout, 'littleEndian' | 'big'>,
  write: (writer: DirectoryWriter) => number,
): DirectoryWriter {
  let end = fstatSync(fd).size;
  const allocate = (size: number) => {
    const at = end + (end % 2);
    end = at + size;
    return at;
  };
  const writer = new DirectoryWriter({ littleEndian, big, allocate });
  const first = write(writer);
  for (const { at, bytes } of writer.chunks) writeAll(fd, bytes, at);
  const pointer = Buffer.alloc(big ? 8 : 4);
  putNumber(pointer, 0, big ? 8 : 4, first, littleEndian);
  writeAll(fd, pointer, big ? 8 : 4);
  return writer;
}

function swapped({ bytes, type }: ExifEntry): Buffer {
  const copy = Buffer.from(bytes);
  const unit = unitBytes(type);
  if (copy.length % Math.max(unit, typeBytes(type)) !== 0) return copy;
  if (unit === 2) return copy.swap16();
  if (unit === 4) return copy.swap32();
  return unit === 8 ? copy.swap64() : copy;
}

export function putNumber(
  buffer: Buffer,
  at: number,
  size: 2 | 4 | 8,
  value: number,
  littleEndian: boolean,
): void {
  if (size === 8) {
    if (littleEndian) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeBigUInt64BE(BigInt(value), at);
  } else if (littleEndian) buffer.writeUIntLE(value, at, size);
  else buffer.writeUIntBE(value, at, size);
}
