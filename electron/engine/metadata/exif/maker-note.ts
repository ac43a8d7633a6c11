/**
 * Moves MakerNotes, which are directories of each maker's own kind. Many point to their values by offsets
 * from the file's TIFF header, so moving a note breaks it unless each offset moves along.
 */
import { typeBytes } from '../../../files/tiff/exif-model.ts';
import { numberAt } from '../../../files/tiff/tiff-directory.ts';

/** So many bytes stand before the directory: none (Canon), or a name (AOC, Nikon 1, Samsung, Sony, Panasonic). */
const prefixes = [0, 6, 8, 10, 12] as const;

interface Pointer {
  at: number;
  littleEndian: boolean;
  value: number;
}

/**
 * Answers the note as it must read at `newAt` when it was read at `oldAt`. Notes whose offsets count from
 * themselves come back as they are. The answer is undefined when an offset cannot be expressed from there.
 */
export function moveMakerNote(note: Buffer, oldAt: number, newAt: number): Buffer | undefined {
  if (oldAt === newAt) return note;
  const pointers = pointersIntoFile(note, oldAt);
  if (pointers.length === 0) return note;
  const moved = Buffer.from(note);
  for (const { at, littleEndian, value } of pointers) {
    const target = value - oldAt + newAt;
    if (target < 0 || target > 0xffffffff) return undefined;
    if (littleEndian) moved.writeUInt32LE(target, at);
    else moved.writeUInt32BE(target, at);
  }
  return moved;
}

/** Finds the offsets into the note, where more than half of them count from the file's header. */
function pointersIntoFile(note: Buffer, at: number): Pointer[] {
  for (const prefix of prefixes) {
    for (const littleEndian of [true, false]) {
      const found = readPointers(note, prefix, littleEndian);
      if (!found || found.length === 0) continue;
      const isInside = ({ value }: Pointer) => value >= at && value < at + note.length;
      const counted = found.filter(isInside).length;
      if (counted * 2 > found.length) return found.filter(isInside);
    }
  }
  return [];
}

/** Reads the offsets of a directory at `start`. The answer is undefined when no directory stands there. */
function readPointers(note: Buffer, start: number, littleEndian: boolean): Pointer[] | undefined {
  if (start + 2 > note.length) return undefined;
  const count = numberAt(note, start, 2, littleEndian);
  if (count === 0 || count > 1000 || start + 2 + count * 12 > note.length) return undefined;
  const pointers: Pointer[] = [];
  for (let i = 0; i < count; i += 1) {
    const entry = start + 2 + i * 12;
    const size = typeBytes(numberAt(note, entry + 2, 2, littleEndian));
    if (size === 0) return undefined;
    if (size * numberAt(note, entry + 4, 4, littleEndian) <= 4) continue;
    const value = numberAt(note, entry + 8, 4, littleEndian);
    pointers.push({ at: entry + 8, littleEndian, value });
  }
  return pointers;
}
